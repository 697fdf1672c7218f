import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { compareConversion, isWhole } from '../../src/convert/comparison/compare.ts'
import { measureMarkdown } from '../../src/convert/comparison/measure.ts'
import { comparisonLines, conversionReport, groupDiagnostics } from '../../src/convert/comparison/report.ts'
import { GENERATORS } from '../../src/convert/conversion.ts'
import { convertSite } from '../../src/convert/convert-site.ts'
import { listSourceFiles } from '../../src/convert/files/source-files.ts'
import { detectGenerator } from '../../src/convert/generators.ts'
import { diagnostic } from '../../src/domain/diagnostic.ts'
import { PACKAGE_ROOT } from '../../src/platform/package-paths.ts'
import { startCommand } from '../support/command.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { NOW } from './convert-texts.ts'

/** Compares a folder with its own conversion, in which some texts are replaced. */
function compared(folder: string, changed: ReadonlyMap<string, string | null> = new Map()) {
  const files = listSourceFiles(folder)
  const conversion = convertSite(files, detectGenerator(files, null) ?? expect.unreachable(), 'x', NOW)
  return compareConversion(
    files,
    conversion,
    (path) => (changed.has(path) ? (changed.get(path) ?? null) : (conversion.texts.get(path) ?? null)),
    (path) => conversion.copies.has(path) || conversion.texts.has(path),
  )
}

/** What the fixtures lose, all of it reported: values that are computed, and options of blocks. */
const EXPECTED: Readonly<Record<string, readonly string[]>> = {
  docusaurus: ['volts', '100', 'strong', 'weak'],
  mkdocs: ['type', 'note'],
}

test.each(GENERATORS)('the golden site of %s keeps its words, links, pictures, code and pages', (name) => {
  const comparison = compared(join(PACKAGE_ROOT, 'fixtures/convert', name, 'from'))
  expect(comparison.losses.flatMap(({ words }) => words)).toEqual(EXPECTED[name] ?? [])
  expect(comparison).toMatchObject({
    links: { missing: 0 },
    pictures: { missing: 0 },
    codeBlocks: { missing: 0 },
    pages: { missing: comparison.unread.length },
    missingPages: [],
    unaccounted: [],
  })
})

async function siteOf(texts: Readonly<Record<string, string>>): Promise<string> {
  const folder = await temporaryFolder()
  for (const [path, text] of Object.entries(texts)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  return folder
}

test('a missing word, link, picture, code block and page are each found, with the file', async () => {
  const folder = await siteOf({
    'a.md':
      '# A\n\nOne two [three](b.md) and [out](https://example.com/x).\n\n![Four](pic.png)\n\n```sh\nfive\n```\n',
    'b.md': '# B\n\nText.\n',
    'pic.png': 'x',
  })
  expect(isWhole(compared(folder))).toBe(true)
  const comparison = compared(
    folder,
    new Map([
      ['a.md', '---\ntitle: A\n---\nOne three out and.\n'],
      ['b.md', null],
    ]),
  )
  expect(comparison.losses[0]).toEqual({
    source: 'a.md',
    file: 'a.md',
    words: ['two', 'four', 'five'],
    links: ['https://example.com/x', '“three”'],
    pictures: ['pic.png'],
    codeBlocks: 1,
  })
  expect(comparison.missingPages).toEqual(['b.md'])
  expect(isWhole(comparison)).toBe(false)
  expect(comparisonLines(comparison)).not.toContain('Nothing was lost.')
})

test('a picture whose file is not in the new folder is missing, unless the source site lacks it too', async () => {
  const folder = await siteOf({ 'a.md': '![A](/one.png) ![B](/gone.png)\n', 'one.png': 'x' })
  const site = '---\ntitle: A\n---\n![A](/moved/one.png) ![B](/gone.png)\n'
  expect(compared(folder, new Map([['a.md', site]])).losses[0]?.pictures).toEqual(['/moved/one.png'])
})

test('a link whose address is a template tag may become one to another site', () => {
  const before = measureMarkdown('[A]({{ site.repository }}/issues)\n\n[b]: <{{% url %}}>\n', {})
  expect(before).toMatchObject({ innerLinks: ['a', ''], computedLinks: 2, outerLinks: [] })
  expect(before.words).toEqual(['a'])
})

test.each([
  ['marks of verbatim text in code', '```\n{% raw %}{{ a }}{% endraw %}\n```', ['a']],
  ['a comment over several lines', '{# Not\nshown #}\n\nText', ['text']],
  [
    'an object in a tag that is no text',
    '<Grid items={[{ title: "One", href: "/x", n: { a: 1 } }]} />',
    ['one'],
  ],
  [
    'a program in a page',
    'export async function A() {\n  const a = 1\n\n  return <b>{a}</b>\n}\n\nText',
    ['text'],
  ],
  ['code in tags', '{% highlight js %}\none\n{% endhighlight %}', ['one']],
])('%s is no word', (_, body, expected) => {
  expect(measureMarkdown(body, {}).words).toEqual(expected)
})

test('syntax of the source is no word, and texts in tags are', () => {
  const { words } = measureMarkdown(
    'import A from "a"\n\n!!! tip inline end "Title"\n\n:::note[Other]{icon="x"}\n\n<Tab label="Label" syncKey="no" />\n\n{{< figure src="a.png" caption="Caption" >}} {% if x %} [text](/target){ .class }\n',
    {},
  )
  expect(words).toEqual(['title', 'other', 'label', 'caption', 'text'])
})

test('a report groups what is said of different things, and lists all of it', () => {
  const diagnostics = ['a', 'b', 'c', 'd'].map((name, index) =>
    diagnostic('QN-NOT-CONVERTED', `${name}.md`, `\`{{< box ${name} >}}\` is left out.`, { line: index + 1 }),
  )
  const groups = groupDiagnostics(diagnostics)
  expect(groups.map(({ kind, diagnostics: inside }) => [kind, inside.length])).toEqual([
    ['`{{< box …` is left out.', 4],
  ])
  const comparison = compared(join(PACKAGE_ROOT, 'fixtures/convert/markdown/from'))
  const report = conversionReport('T', diagnostics, comparison)
  expect(report).toContain('- Words: 100 % kept (')
  expect(report).toContain('### 4 × QN-NOT-CONVERTED: `{{< box …` is left out.')
  expect(report).toContain('- d.md:4: `{{< box d >}}` is left out.')
  expect(report).toContain('Nothing was lost.')
})

test('quoin convert --check compares a folder that exists, and fails when something is missing', async () => {
  const source = await siteOf({ 'a.md': '# A\n\nOne two.\n' })
  const out = join(await temporaryFolder(), 'new')
  const quoin = (...args: string[]) => startCommand(['convert', source, '--out', out, ...args]).ended
  expect(await quoin()).toMatchObject({ code: 0, out: expect.stringContaining('Nothing was lost.') })
  expect(await readFile(join(out, '.quoin/convert-report.md'), 'utf8')).toContain('Nothing was lost.')
  expect(await quoin('--check')).toMatchObject({ code: 0, out: expect.stringContaining('Nothing was lost.') })
  await writeFile(join(out, 'a.md'), '---\ntitle: A\n---\nOne.\n')
  const { code, out: printed } = await quoin('--check')
  expect(code).toBe(1)
  expect(printed).toContain('a.md: 1 word (two) missing.\n')
  expect(printed).not.toContain('Nothing was lost.')
  await rm(join(out, 'a.md'))
  expect((await quoin('--check')).out).toContain('a.md: the new folder has no page for it.\n')
})

test('an include that is left out is lost, with its file and line', async () => {
  const folder = await siteOf({
    'book.toml': '',
    'src/SUMMARY.md': '- [A](a.md)\n',
    'src/a.md': 'A {{#include gone.md}}\n',
  })
  const lines = comparisonLines(compared(folder))
  expect(lines).toContain('Parts left out or changed, as reported: 1')
  expect(lines).toContain('Includes: 0.0 % kept (0 of 1)')
  expect(lines).toContain('  lost: {{#include gone.md}} of src/a.md:1')
  expect(lines.at(-1)).toBe('Lost: 1 that the source site publishes. The report names each.')
})
