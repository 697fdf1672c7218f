import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Account } from '../../src/convert/comparison/accounts.ts'
import { type Comparison, compareConversion } from '../../src/convert/comparison/compare.ts'
import { comparisonLines, conversionReport } from '../../src/convert/comparison/report.ts'
import { convertSite } from '../../src/convert/convert-site.ts'
import { listSourceFiles } from '../../src/convert/files/source-files.ts'
import { detectGenerator } from '../../src/convert/generators.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { NOW } from './convert-texts.ts'

/* What the source site publishes besides the words of its pages, and what became of it. */

async function counted(texts: Readonly<Record<string, string>>): Promise<Comparison> {
  const folder = await temporaryFolder()
  for (const [path, text] of Object.entries(texts)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  const files = listSourceFiles(folder)
  const conversion = convertSite(files, detectGenerator(files, null) ?? expect.unreachable(), 'x', NOW)
  return compareConversion(
    files,
    conversion,
    (path) => conversion.texts.get(path) ?? null,
    (path) => conversion.copies.has(path) || conversion.texts.has(path),
  )
}

/** Of a kind, the number of all, how the changed ones changed, and the places of the lost ones. */
function account({ accounts }: Comparison, kind: Account['kind']) {
  const found = accounts.find((each) => each.kind === kind)
  return found === undefined
    ? null
    : {
        total: found.total,
        changed: Object.fromEntries(found.changed),
        lost: found.lost.map(({ name, file, line }) => [name, file, line]),
      }
}

test('a front page that is a program is lost, and so is its page', async () => {
  const site = await counted({
    'docusaurus.config.js': 'module.exports = { title: "D", presets: [["classic", {}]] }\n',
    'docs/a.md': '# A\n\nText.\n',
    'src/pages/index.js': 'export default () => <h1>Hi there</h1>\n',
    'src/pages/more/team.js': 'export default () => <h1>Team</h1>\n',
  })
  expect(account(site, 'Front page')).toEqual({
    total: 1,
    changed: {},
    lost: [['/', 'src/pages/index.js', null]],
  })
  expect(account(site, 'Addresses')?.lost).toEqual([['/more/team', 'src/pages/more/team.js', null]])
  expect(site.pages).toEqual({ total: 3, missing: 2 })
  const lines = comparisonLines(site)
  expect(lines).toContain('Words of the converted pages: 100 % kept (2 of 2)')
  expect(lines).toContain('  lost: / of src/pages/index.js')
  expect(lines.join('\n')).not.toMatch(/Nothing/)
})

test('menu entries that the new site has no place for are lost with their lines', async () => {
  const site = await counted({
    'hugo.toml':
      'title = "H"\n[[menus.main]]\nname = "Docs"\npageRef = "/a"\n[[menus.side]]\nname = "Imprint"\nurl = "/a"\n',
    'content/a.md': '---\ntitle: A\n---\nText.\n',
  })
  expect(account(site, 'Menu entries')).toEqual({
    total: 2,
    changed: {},
    lost: [['Imprint', 'hugo.toml', 6]],
  })
})

test('feeds and lists of terms are kept, kept by a redirect, or lost', async () => {
  const site = await counted({
    'hugo.toml': 'baseURL = "https://h.example/"\ntitle = "H"\n',
    'content/posts/p.md': '---\ntitle: P\ndate: 2024-01-04\nkeywords: [k]\ntags: [x]\n---\nText.\n',
  })
  expect(account(site, 'Feeds')).toMatchObject({ total: 3, changed: { 'by a redirect': 3 }, lost: [] })
  expect(account(site, 'Lists of terms')).toMatchObject({ total: 1, changed: { 'by a redirect': 1 } })
})

test('fields are kept, in config, or lost with file and line', async () => {
  const site = await counted({
    'mkdocs.yml': 'site_name: M\n',
    'docs/a.md': '---\ntitle: A\nauthor: Jo\nmascot: crab\nhide: [toc]\n---\nText.\n',
  })
  expect(account(site, 'Fields')).toEqual({
    total: 3,
    changed: { 'in `config`, where no template reads them': 1 },
    lost: [['author', 'docs/a.md', 3]],
  })
})

test('redirects of the configuration and of pages are followed to the new folder', async () => {
  const site = await counted({
    'astro.config.mjs':
      "export default defineConfig({\n  redirects: {\n    '/old': '/a',\n    '/gone': '/nowhere',\n  },\n  integrations: [starlight({ title: 'S' })],\n})\n",
    'src/content/docs/a.md': '---\ntitle: A\nredirect_from: /former\n---\nText.\n',
  })
  expect(account(site, 'Redirects')).toEqual({
    total: 3,
    changed: {},
    lost: [['/gone', 'astro.config.mjs', 4]],
  })
})

test('the report names every loss, however many there are', async () => {
  const site = await counted({
    'mkdocs.yml': 'site_name: M\n',
    ...Object.fromEntries(
      Array.from({ length: 5 }, (_, index) => [`docs/${index}.md`, `---\nauthor: A${index}\n---\nText.\n`]),
    ),
  })
  const report = conversionReport('T', [], site)
  expect(comparisonLines(site)).toContain('  … and 2 more')
  for (const index of [0, 1, 2, 3, 4]) expect(report).toContain(`- author of docs/${index}.md:2\n`)
})

test('nothing is said to be whole that a page of the source site has no counterpart for', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { minLength: 1 }),
      fc.uniqueArray(fc.constantFrom('f', 'g', 'h')),
      async (pages, programs) => {
        const site = await counted({
          'docusaurus.config.js': 'module.exports = { title: "D", presets: [["classic", {}]] }\n',
          ...Object.fromEntries(pages.map((name) => [`docs/${name}.md`, `# ${name}\n`])),
          ...Object.fromEntries(programs.map((name) => [`src/pages/${name}.js`, 'export default 1\n'])),
        })
        expect(site.pages).toEqual({ total: pages.length + programs.length, missing: programs.length })
        expect(account(site, 'Addresses')?.lost.length ?? 0).toBe(programs.length)
        expect(comparisonLines(site).includes('Nothing was lost.')).toBe(programs.length === 0)
      },
    ),
    { numRuns: 20 },
  )
})

test('a redirect of a host that is a pattern is lost, also where a page has the address', async () => {
  const site = await counted({
    'mkdocs.yml': 'site_name: M\n',
    'docs/index.md': '# Home\n',
    'docs/a.md': '# A\n',
    'netlify.toml':
      '[[redirects]]\nfrom = "/a"\nto = "/b"\nstatus = 200\n[[redirects]]\nfrom = "/a"\nto = "/c"\nconditions = { Language = ["de"] }\n',
  })
  expect(account(site, 'Redirects')).toEqual({
    total: 2,
    changed: {},
    lost: [
      ['/a', 'netlify.toml', 2],
      ['/a', 'netlify.toml', 6],
    ],
  })
})

test('a menu entry is found in the part of the configuration that has it', async () => {
  const site = await counted({
    'config/_default/hugo.toml': 'title = "H"\n',
    'config/_default/menus.toml': '[[side]]\nname = "Imprint"\nurl = "/a"\n',
    'content/a.md': 'A\n',
  })
  expect(account(site, 'Menu entries')?.lost).toEqual([['Imprint', 'config/_default/menus.toml', 2]])
})
