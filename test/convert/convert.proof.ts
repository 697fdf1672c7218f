import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { diagnosticLine } from '../../src/cli/diagnostic-line.ts'
import { readSite } from '../../src/content-folder/read-site.ts'
import { compareConversion } from '../../src/convert/comparison/compare.ts'
import { comparisonLines } from '../../src/convert/comparison/report.ts'
import { GENERATORS, type GeneratorName } from '../../src/convert/conversion.ts'
import { convertSite } from '../../src/convert/convert-site.ts'
import { listSourceFiles } from '../../src/convert/files/source-files.ts'
import { detectGenerator } from '../../src/convert/generators.ts'
import { PACKAGE_ROOT } from '../../src/platform/package-paths.ts'
import { readSiteFiles } from '../site-build/read-site-files.ts'
import { startCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { convertTexts, NOW } from './convert-texts.ts'

const fixtures = join(PACKAGE_ROOT, 'fixtures/convert')
const REWRITES = process.env['QUOIN_REWRITE'] === 'golden'

/** The files of a converted fixture, copied assets included, its diagnostics, and what the report counts. */
async function convertFixture(name: GeneratorName): Promise<Map<string, string>> {
  const folder = join(fixtures, name, 'from')
  const files = listSourceFiles(folder)
  const generator = detectGenerator(files, null) ?? expect.unreachable()
  expect(generator.name).toBe(name)
  const conversion = convertSite(files, generator, name, NOW)
  const { texts, copies, diagnostics } = conversion
  const all = new Map([...texts].map(([path, text]) => [`to/${path}`, text]))
  for (const [path, from] of copies) all.set(`to/${path}`, await readFile(join(folder, from), 'utf8'))
  const counts = compareConversion(
    files,
    conversion,
    (path) => texts.get(path) ?? null,
    (path) => copies.has(path) || texts.has(path),
  )
  return all.set('diagnostics.txt', diagnostics.map((each) => `${diagnosticLine(each)}\n`).join('')).set(
    'counts.txt',
    comparisonLines(counts)
      .map((each) => `${each}\n`)
      .join(''),
  )
}

test.each(GENERATORS)(
  'the golden site of %s converts to its content folder and diagnostics',
  async (name) => {
    const converted = await convertFixture(name)
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

    const { site, errors } = await readSite(join(root, 'to'))
    expect(errors).toEqual([])
    expect(site.pages.length).toBeGreaterThan(1)
  },
)

describe('every converter', () => {
  test('reports pages that are too large, too long or at the path of another page', async () => {
    const { texts, lines } = await convertTexts('jekyll', {
      '_config.yml': 'title: A\n',
      'long.md': `---\ntitle: ${'t'.repeat(201)}\ndescription: ${'d'.repeat(501)}\nnext: /b\n---\n`,
      'large.md': 'x'.repeat(5 * 1024 * 1024 + 1),
      'a-b.md': '# One\n',
      'a b.md': '# Other\n',
    })
    expect([...texts.keys()].sort()).toEqual(['a-b.md', 'long.md', 'site.yaml'])
    expect(lines).toEqual([
      'a-b.md: warning QN-NOT-CONVERTED Another page has the path /a-b. This one is left out.',
      'large.md: warning QN-SOURCE-UNREADABLE The file is larger than 5 MiB. It is left out.',
      'long.md:1: warning QN-NOT-CONVERTED `next` is left out: the next page follows from the order of pages.',
      'long.md:1: warning QN-PARTLY-CONVERTED `title` is cut after 200 characters.',
      'long.md:1: warning QN-PARTLY-CONVERTED `description` is cut after 500 characters.',
    ])
  })

  test('reports front matter that cannot be read, and keeps the text of the page', async () => {
    const { texts, lines } = await convertTexts('markdown', { 'a.md': '---\ntitle: [\n---\n\nText\n' })
    expect(texts.get('a.md')).toBe('---\ntitle: A\n---\nText\n')
    expect(lines).toEqual([
      expect.stringMatching(/^a\.md:1: warning QN-SOURCE-UNREADABLE Front matter cannot be read: .*$/),
    ])
  })

  test('reports a field that no template reads once, with the number of files that have it', async () => {
    const { texts, lines } = await convertTexts('hugo', {
      'content/a.md': '---\nkinds: [x]\nedit_url: /a\n---\nA\n',
      'content/b.md': '---\nkinds: [y]\nmath: true\n---\nB\n',
      'content/c.md': '---\nkinds: y\n---\nC\n',
    })
    expect(texts.get('b.md')).toContain('config:\n  kinds:\n    - y\n  math: true\n')
    expect(lines).toEqual([
      'content/a.md:1: warning QN-UNREAD-FIELD `kinds` is copied to `config`, where no template reads it. 2 other files have it too.',
      'content/b.md:1: warning QN-UNREAD-FIELD `math` is copied to `config`, where no template reads it.',
    ])
  })

  test.each([
    ['image: /assets/a.svg', 'og_image_url: /assets/a.svg\n'],
    ['image: { path: assets/a.svg, alt: A }', 'og_image_url: /assets/a.svg\n'],
    ['images: [https://example.com/a.png]', 'og_image_url: https://example.com/a.png\n'],
    ['cover: { image: /assets/a.svg }', 'og_image_url: /assets/a.svg\n'],
    ['image: a.svg', 'og_image_url: /a.svg\n'],
  ])('converts the image of a page: %j', async (fields, converted) => {
    const { texts, lines } = await convertTexts('jekyll', {
      '_config.yml': 'title: A\n',
      'assets/a.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
      'a.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
      'c/b.md': `---\ntitle: B\n${fields}\n---\nB\n`,
    })
    expect(texts.get('c/b.md')).toContain(converted)
    expect(texts.get('c/b.md')).not.toContain('config')
    expect(lines).toEqual([])
  })

  test('keeps the alternative text of an image on articles, which show it', async () => {
    const fields = 'title: B\ncover: { image: /a.svg, alt: A lamp }'
    const { texts, lines } = await convertTexts('hugo', {
      'content/posts/b.md': `---\n${fields}\n---\nB\n`,
      'content/docs/b.md': `---\n${fields}\n---\nB\n`,
      'static/a.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    })
    expect(texts.get('posts/b.md')).toContain('config:\n  image:\n    src: /a.svg\n    alt: A lamp\n')
    expect(texts.get('docs/b.md')).not.toContain('config')
    expect(lines).toEqual([])
  })

  test.each([
    [
      'image: my photo.png',
      'warning QN-NOT-CONVERTED `image` is left out: it is not the path or URL of an image.',
    ],
    [
      'images: [/a.png, /b.png]',
      'warning QN-PARTLY-CONVERTED Only the first image of `images` is converted: a page has one.',
    ],
    [
      'image: /a.png\nthumbnail: /b.png',
      'warning QN-NOT-CONVERTED `thumbnail` is left out: a page has one image, and `image` names it.',
    ],
  ])('reports an image that a page cannot have: %j', async (fields, message) => {
    const { lines } = await convertTexts('hugo', { 'content/b.md': `---\n${fields}\n---\nB\n` })
    expect(lines).toEqual([`content/b.md:1: ${message}`])
  })
})

describe('quoin convert', () => {
  const quoin = (...args: string[]) => startCommand(args).ended

  test('writes a folder that builds without warnings', async () => {
    const out = join(await temporaryFolder(), 'new')
    const { code, out: printed } = await quoin('convert', join(fixtures, 'jekyll/from'), '--out', out)
    expect(code).toBe(0)
    expect(printed).toContain(
      '_posts/2026-01-02-first-light.md:13: warning QN-NOT-CONVERTED `{% include note.html %}` is left out.\n',
    )
    expect(printed).toMatch(/Jekyll → .*\/new: 4 pages, 1 other file, 9 warnings\.\n/)
    expect(printed).toContain(
      'Parts left out or changed, as reported: 9\nLost: 2 that the source site publishes. The report names each.\n',
    )
    const built = await quoin('build', out, '--out', join(out, 'dist'), '--json', '--strict')
    expect([built.code, built.err]).toEqual([0, ''])
  })

  test('prints JSON with a code for each warning, and never replaces files', async () => {
    const out = join(await temporaryFolder(), 'new')
    const from = join(fixtures, 'hugo/from')
    const { out: printed } = await quoin('convert', from, '--out', out, '--from', 'hugo', '--json')
    const report = JSON.parse(printed)
    expect(report).toMatchObject({ ok: true, from: 'hugo', pages: 6, files: 2 })
    expect(report.losses).toContainEqual({
      code: 'QN-PARTLY-CONVERTED',
      file: 'hugo.toml',
      line: 18,
      what: 'Only `description` of `params` is converted. Left out: `logo`.',
    })
    const again = await quoin('convert', from, '--out', out)
    expect(again).toMatchObject({ code: 1, err: expect.stringMatching(/is not empty\. .*--out/) })
    const onFile = await quoin('convert', from, '--out', join(out, 'site.yaml'))
    expect(onFile).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^quoin: The system refused: [^\n]*\n$/),
    })
  })

  test('asks for --from when it detects no generator', async () => {
    const folder = await temporaryFolder()
    const unknown = await quoin('convert', folder, '--out', join(folder, 'new'))
    expect(unknown).toMatchObject({ code: 2, err: expect.stringContaining('--from') })
  })
})
