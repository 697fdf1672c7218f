import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { PACKAGE_ROOT } from '../../../src/platform/package-paths.ts'
import { readSiteFiles } from '../../site-build/read-site-files.ts'
import { startCommand } from '../../support/command.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const fixtures = join(PACKAGE_ROOT, 'fixtures/exports')
const REWRITES = process.env['QUOIN_REWRITE'] === 'golden'

const quoin = (...args: string[]) => startCommand(args).ended

const FIXTURES = [
  ['ghost-2', 'export.json'],
  ['ghost-4', 'export.json'],
  ['ghost-5', 'export.json'],
  ['wordpress-1.1', 'export.xml'],
  ['wordpress-1.2-classic', 'export.xml'],
  ['wordpress-1.2-blocks', 'export.xml'],
  ['substack', ''],
  ['medium', ''],
] as const

/** The texts of a converted fixture, its diagnostics and counts among them. */
async function convertFixture(name: string, file: string): Promise<ReadonlyMap<string, string>> {
  const out = join(await temporaryFolder(), 'to')
  const { code, err } = await quoin('convert', join(fixtures, name, 'from', file), '--out', out)
  expect([code, err]).toEqual([0, ''])
  const report = (await readFile(join(out, '.quoin/convert-report.md'), 'utf8')).replace(
    /^# .*\n/,
    `# ${name}\n`,
  )
  const texts = [...(await readSiteFiles(out))].filter(([path]) => !/^\.quoin\/|\.jpg$/.test(path))
  return new Map([['report.md', report], ...texts.map(([path, text]) => [`to/${path}`, text] as const)])
}

describe.each(FIXTURES)('the export %s', (name, file) => {
  test('converts to its content folder and report', async () => {
    const converted = await convertFixture(name, file)
    const root = join(fixtures, name)
    if (REWRITES) {
      await rm(join(root, 'to'), { recursive: true, force: true })
      for (const [path, text] of converted) {
        await mkdir(dirname(join(root, path)), { recursive: true })
        await writeFile(join(root, path), text)
      }
    }
    const golden = [...(await readSiteFiles(root))].filter(([path]) => !path.startsWith('from/'))
    expect(Object.fromEntries(converted)).toEqual(Object.fromEntries(golden))
  })

  test('converts to a folder that builds, and that nothing of the texts is missing in', async () => {
    const folder = await temporaryFolder()
    const [from, out] = [join(fixtures, name, 'from', file), join(folder, 'to')]
    await quoin('convert', from, '--out', out)
    const checked = await quoin('convert', from, '--out', out, '--check', '--json')
    expect(checked.code, checked.out).toBe(0)
    const built = await quoin('build', out, '--out', join(folder, 'dist'), '--json')
    expect(built.code, built.err).toBe(0)
  })
})

describe('a converted export', () => {
  test('lacks a text that was removed from its folder, as --check says', async () => {
    const out = join(await temporaryFolder(), 'to')
    const from = join(fixtures, 'ghost-4/from/export.json')
    await quoin('convert', from, '--out', out)
    const page = await readFile(join(out, 'roses.md'), 'utf8')
    await writeFile(join(out, 'roses.md'), page.replace('Some **bold** text', 'Some text'))
    const checked = await quoin('convert', from, '--out', out, '--check')
    expect(checked).toMatchObject({
      code: 1,
      out: expect.stringContaining('/roses/: 1 word (bold) missing.\n'),
    })
  })

  test('lacks a page whose file was removed, which is counted once', async () => {
    const out = join(await temporaryFolder(), 'to')
    const from = join(fixtures, 'ghost-4/from/export.json')
    const { out: printed } = await quoin('convert', from, '--out', out, '--json')
    await rm(join(out, 'roses.md'))
    const checked = await quoin('convert', from, '--out', out, '--check', '--json')
    const { pages } = JSON.parse(printed).comparison
    expect(JSON.parse(checked.out).comparison.pages).toEqual({ ...pages, missing: 1 })
  })

  test('never replaces files, and reports a file of another kind', async () => {
    const folder = await temporaryFolder()
    const from = join(fixtures, 'ghost-4/from/export.json')
    await writeFile(join(folder, 'a.txt'), 'text')
    const taken = await quoin('convert', from, '--out', folder)
    expect(taken).toMatchObject({ code: 1, err: expect.stringContaining('is not empty') })
    const other = await quoin('convert', join(folder, 'a.txt'), '--out', join(folder, 'new'))
    expect(other).toMatchObject({
      code: 2,
      err: expect.stringContaining('is no export of WordPress (XML) or Ghost (JSON)'),
    })
  })

  test.each([
    ['{"db":[{"data":{"posts":[{"id":"1"', 'ends in the middle'],
    ['{"db":[{"data":{"posts":[{"id":x}]}}]}', 'is not valid JSON'],
    ['{"db":[{"data":{"tags":[]}}]}', 'has no posts and no pages'],
  ])('is refused when its file is %j', async (text, message) => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'export.json'), text)
    const ended = await quoin('convert', join(folder, 'export.json'), '--out', join(folder, 'new'))
    expect(ended).toMatchObject({ code: 1, err: expect.stringContaining(message) })
  })

  test.each([
    ['<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY a "b">]><rss><channel/></rss>', 'it has a document type'],
    ['<?xml version="1.0"?><rss><channel><item><title>A', 'it ends in the middle'],
    ['<?xml version="1.0"?><rss><channel><title>A</title></channel></rss>', 'has no posts and no pages'],
  ])('is refused when its XML is %j', async (text, message) => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'export.xml'), text)
    const ended = await quoin('convert', join(folder, 'export.xml'), '--out', join(folder, 'new'))
    expect(ended).toMatchObject({ code: 1, err: expect.stringContaining(message) })
  })

  test('takes files of the site that are next to it, and no others', async () => {
    const folder = await temporaryFolder()
    await cp(join(fixtures, 'ghost-5/from'), folder, { recursive: true })
    const out = join(folder, 'new')
    const { out: printed } = await quoin('convert', join(folder, 'export.json'), '--out', out, '--json')
    expect(JSON.parse(printed)).toMatchObject({ ok: true, from: 'ghost', files: 1 })
    await expect(readFile(join(out, 'static/content/images/2024/03/pot.jpg'))).resolves.toBeDefined()
  })

  test('takes no file that is not an upload, whatever its posts name, and none through a link out of its folder', async () => {
    const folder = await temporaryFolder()
    const outside = await temporaryFolder()
    const from = join(folder, 'from')
    await mkdir(join(from, 'content/images'), { recursive: true })
    const named = ['private.png', 'content/images/notes.sql', 'content/images/up.png']
    for (const path of named) await writeFile(join(from, path), 'private')
    await writeFile(join(outside, 'away.png'), 'private')
    await symlink(outside, join(from, 'content/files'))
    const pictures = [...named, 'content/files/away.png', 'content/images/../../private.png']
    const html = pictures.map((path) => `<p><img src="/${path}" alt="a"></p>`).join('')
    const post = { id: '1', title: 'A', slug: 'a', html, status: 'published', type: 'post' }
    await writeFile(join(from, 'export.json'), JSON.stringify({ db: [{ data: { posts: [post] } }] }))
    const out = join(folder, 'new')
    const { out: printed } = await quoin('convert', join(from, 'export.json'), '--out', out, '--json')
    expect(JSON.parse(printed)).toMatchObject({ pages: 1, files: 1 })
    const files = (await readdir(out, { recursive: true })).filter((path) => /\.(?:png|sql)$/.test(path))
    expect(files).toEqual(['static/content/images/up.png'])
  })

  test('has footnotes of any JSON, and takes those that are notes', async () => {
    const folder = await temporaryFolder()
    const xml = await readFile(join(fixtures, 'wordpress-1.2-blocks/from/export.xml'), 'utf8')
    const notes =
      '<wp:postmeta><wp:meta_key>footnotes</wp:meta_key><wp:meta_value>[null,1,{"id":2}]</wp:meta_value></wp:postmeta>'
    await writeFile(join(folder, 'export.xml'), xml.replaceAll('</item>', `${notes}</item>`))
    const ended = await quoin('convert', join(folder, 'export.xml'), '--out', join(folder, 'new'))
    expect([ended.code, ended.err]).toEqual([0, ''])
  })
})
