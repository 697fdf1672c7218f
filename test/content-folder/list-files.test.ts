import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { listFiles, MAX_FILE_BYTES } from '../../src/content-folder/list-files.ts'
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
      files: ['B.md', 'a.md', 'a/b/c.md', 'a/z.md', 'b.md', 'ä.md'],
      ignored: [],
      errors: [],
    })
  })

  test('do not include names that start with a dot, at any depth', async () => {
    const folder = await folderOf('.git/config', 'a/.cache/b.md', '.env', 'a/..b.md', 'a/b.md')
    expect(listFiles(folder, null)).toEqual({
      files: ['a/b.md'],
      ignored: ['.env', '.git/', 'a/..b.md', 'a/.cache/'],
      errors: [],
    })
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
  test('cannot lead out of itself: links are errors, to files, to folders and to nothing', async () => {
    const outside = await folderOf('secret.md')
    const folder = await folderOf('a.md')
    await symlink(join(outside, 'secret.md'), join(folder, 'file.md'))
    await symlink(outside, join(folder, 'folder'))
    await symlink(join(folder, 'missing'), join(folder, 'nothing.md'))
    await symlink(folder, join(folder, 'loop'))
    const listed = listFiles(folder, null)
    expect(listed.files).toEqual(['a.md'])
    expect(codesOf(listed).sort()).toEqual(
      ['file.md', 'folder', 'loop', 'nothing.md'].map((path) => `${path} QN-NOT-A-FILE`),
    )
  })

  test('may hold files of 5 MiB and none larger', async () => {
    const folder = await folderOf('a.md')
    for (const [name, size] of [
      ['exact.png', MAX_FILE_BYTES],
      ['large.png', MAX_FILE_BYTES + 1],
    ] as const) {
      await writeFile(join(folder, name), '')
      await truncate(join(folder, name), size)
    }
    const listed = listFiles(folder, null)
    expect(listed.files).toEqual(['a.md', 'exact.png'])
    expect(codesOf(listed)).toEqual(['large.png QN-FILE-TOO-LARGE'])
  })

  test('may be empty, and one that does not exist is an error of the caller', async () => {
    const folder = await temporaryFolder()
    await mkdir(join(folder, 'empty'))
    expect(listFiles(folder, null)).toEqual({ files: [], ignored: [], errors: [] })
    expect(() => listFiles(join(folder, 'missing'), null)).toThrow(/ENOENT/)
  })
})
