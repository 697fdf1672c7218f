import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { listFiles, MAX_ASSET_BYTES, MAX_FILE_BYTES, NO_FILES } from '../../src/content-folder/list-files.ts'
import { readSite } from '../../src/content-folder/read-site.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { writeFiles } from '../support/written-files.ts'

async function folderOf(...paths: readonly string[]): Promise<string> {
  const folder = await temporaryFolder()
  await writeFiles(folder, Object.fromEntries(paths.map((path) => [path, ''])))
  return folder
}

const codesOf = ({ errors }: ReturnType<typeof listFiles>) =>
  errors.map(({ file, code }) => `${file} ${code}`)

describe('the files of a content folder', () => {
  test('are listed with forward slashes and sorted, whatever order the disk has', async () => {
    const folder = await folderOf('b.md', 'a/z.md', 'a.md', 'B.md', 'a/b/c.md', 'ä.md')
    expect(listFiles(folder, null)).toEqual({
      ...NO_FILES,
      files: ['B.md', 'a.md', 'a/b/c.md', 'a/z.md', 'b.md', 'ä.md'],
    })
  })

  test('do not include names that start with a dot, at any depth', async () => {
    const folder = await folderOf('.git/config', 'a/.cache/b.md', '.env', 'a/..b.md', 'a/b.md')
    expect(listFiles(folder, null)).toEqual({
      ...NO_FILES,
      files: ['a/b.md'],
      ignored: ['.env', '.git/', 'a/..b.md', 'a/.cache/'],
    })
  })

  test('include names with a dot that web servers ask for, in static/ only', async () => {
    const names = ['.well-known/security.txt', '.nojekyll', '.htaccess', 'docs/.htaccess', '.domains']
    const folder = await folderOf(...names.map((name) => `static/${name}`), '.well-known/a.txt', '.nojekyll')
    expect(listFiles(folder, null)).toEqual({
      ...NO_FILES,
      files: names.map((name) => `static/${name}`).sort(),
      ignored: ['.nojekyll', '.well-known/'],
    })
  })

  test('do not include what nobody should publish, also in static/, and say so', async () => {
    const secrets = ['.env', '.env.local', '.git/', 'id_rsa', 'keys/server.pem', 'a.p12', '.unknown']
    const litter = ['.DS_Store', '.gitkeep', 'Thumbs.db', 'a.txt~']
    const folder = await folderOf(
      'static/.git/config',
      ...[...secrets, ...litter].filter((name) => !name.endsWith('/')).map((name) => `static/${name}`),
      'docs/id_rsa',
    )
    const listed = listFiles(folder, null)
    expect(listed.files).toEqual([])
    expect(listed.ignored).toEqual(
      ['docs/id_rsa', ...[...secrets, ...litter].map((name) => `static/${name}`)].sort(),
    )
    expect(listed.warnings.map(({ file, code }) => `${file} ${code}`).sort()).toEqual(
      secrets.map((name) => `static/${name.replace(/\/$/, '')} QN-PRIVATE-FILE`).sort(),
    )
  })

  test('include a .pem file that holds certificates alone', async () => {
    const folder = await folderOf('static/ca.pem', 'static/server.pem')
    const certificate = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n'
    const key = '-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\n'
    await writeFile(join(folder, 'static/ca.pem'), certificate)
    await writeFile(join(folder, 'static/server.pem'), certificate + key)
    const { files, warnings } = listFiles(folder, null)
    expect(files).toEqual(['static/ca.pem'])
    expect(warnings.map(({ file }) => file)).toEqual(['static/server.pem'])
  })

  test('cannot include a private file by a pattern of site.yaml', async () => {
    const folder = await folderOf('static/.env')
    await writeFile(join(folder, 'site.yaml'), 'name: T\nignore: ["!.env"]\n')
    expect(listFiles(folder, null)).toMatchObject({ files: ['site.yaml'], ignored: ['static/.env'] })
  })

  test('do not include the output folder, nor one that a build has left its state in', async () => {
    const folder = await folderOf(
      'a.md',
      'dist/a.html',
      'public/.quoin/state.json',
      'public/a.html',
      'a/dist/b.md',
    )
    expect(listFiles(folder, 'dist').files).toEqual(['a.md', 'a/dist/b.md'])
  })

  test('do not include themes, which are folders of themes/ with a theme.json', async () => {
    const folder = await folderOf(
      'themes/mine/theme.json',
      'themes/mine/a.css',
      'themes/page.md',
      'a/themes/b/theme.json',
    )
    expect(listFiles(folder, null).files).toEqual(['a/themes/b/theme.json', 'themes/page.md'])
  })

  test('are nested at most 8 folders deep, and the first folder below is named', async () => {
    const deep = Array.from({ length: 9 }, (_, n) => `f${n}`).join('/')
    const folder = await folderOf(`${deep}/a.md`, `${deep}/further/b.md`, 'f0/a.md')
    const listed = listFiles(folder, null)
    expect(listed.files).toEqual(['f0/a.md'])
    expect(codesOf(listed)).toEqual([`${deep} QN-TOO-DEEP`])
  })
})

describe('a content folder that someone else wrote', () => {
  test('cannot lead out of itself: links are left out and reported, to files, to folders and to nothing', async () => {
    const outside = await folderOf('secret.md')
    const folder = await folderOf('a.md')
    await symlink(join(outside, 'secret.md'), join(folder, 'file.md'))
    await symlink(outside, join(folder, 'folder'))
    await symlink(join(folder, 'missing'), join(folder, 'nothing.md'))
    await symlink(folder, join(folder, 'loop'))
    const listed = listFiles(folder, null)
    expect(listed.files).toEqual(['a.md'])
    expect(listed.errors).toEqual([])
    expect(listed.warnings.map(({ file, code }) => `${file} ${code}`).sort()).toEqual(
      ['file.md', 'folder', 'loop', 'nothing.md'].map((path) => `${path} QN-NOT-A-FILE`),
    )
  })

  test.each([
    ['a symbolic link', (file: string) => symlink('other.yaml', file)],
    ['a symbolic link to itself', (file: string) => symlink('site.yaml', file)],
    ['a folder', (file: string) => mkdir(file)],
  ])('may have %s in place of site.yaml, and is then no site', async (_, create) => {
    const folder = await folderOf('a.md', 'other.yaml')
    await create(join(folder, 'site.yaml'))
    expect(listFiles(folder, null).files).toEqual(['a.md', 'other.yaml'])
    expect((await readSite(folder)).errors).toMatchObject([{ code: 'QN-NO-SITE-FILE' }])
  })

  test('may hold pages of 5 MiB, other files of 100 MiB, and none larger', async () => {
    const folder = await folderOf('static/a.css')
    for (const [name, size] of [
      ['exact.md', MAX_FILE_BYTES],
      ['large.md', MAX_FILE_BYTES + 1],
      ['static/exact.mp4', MAX_ASSET_BYTES],
      ['static/large.mp4', MAX_ASSET_BYTES + 1],
      ['exact.mp4', MAX_ASSET_BYTES],
      ['large.mp4', MAX_ASSET_BYTES + 1],
    ] as const) {
      await writeFile(join(folder, name), '')
      await truncate(join(folder, name), size)
    }
    const listed = listFiles(folder, null)
    expect(listed.errors.map(({ file, message }) => `${file} ${message}`)).toEqual([
      'large.md The file is larger than 5 MiB.',
      'static/large.mp4 The file is larger than 100 MiB.',
    ])
    // An error where a page names it; a video that nothing names may be of any size.
    expect([...listed.refused.keys()]).toEqual(['large.mp4'])
    expect(listed.files).toEqual(['exact.md', 'exact.mp4', 'large.mp4', 'static/a.css', 'static/exact.mp4'])
  })

  test('may be empty, and one that does not exist is an error of the caller', async () => {
    const folder = await temporaryFolder()
    await mkdir(join(folder, 'empty'))
    expect(listFiles(folder, null)).toEqual(NO_FILES)
    expect(() => listFiles(join(folder, 'missing'), null)).toThrow(/ENOENT/)
  })
})
