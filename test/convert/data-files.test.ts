import { expect, test } from 'vitest'
import type { GeneratorName } from '../../src/convert/conversion.ts'
import { convertTexts } from './convert-texts.ts'

const BROKEN = 'a: [\n'

test.each<[GeneratorName, Record<string, string>, string]>([
  ['jekyll', { '_config.yml': 'title: A\n', '_data/a.yml': BROKEN, 'a.md': 'A\n' }, '_data/a.yml'],
  ['eleventy', { '.eleventy.js': '', 'posts/posts.json': BROKEN, 'posts/a.md': 'A\n' }, 'posts/posts.json'],
  ['hugo', { 'config/_default/params.yaml': BROKEN, 'content/a.md': 'A\n' }, 'config/_default/params.yaml'],
  [
    'docusaurus',
    { 'docusaurus.config.js': 'module.exports = {}', 'blog/authors.yml': BROKEN, 'blog/a.md': 'A\n' },
    'blog/authors.yml',
  ],
  [
    'docusaurus',
    { 'docusaurus.config.js': 'module.exports = {}', 'docs/x/_category_.yml': BROKEN, 'docs/x/a.md': 'A\n' },
    'docs/x/_category_.yml',
  ],
  [
    'docusaurus',
    { 'docusaurus.config.js': 'module.exports = {}', 'sidebars.json': BROKEN, 'docs/a.md': 'A\n' },
    'sidebars.json',
  ],
  [
    'mkdocs',
    { 'mkdocs.yml': 'plugins: [blog]', 'docs/blog/.authors.yml': BROKEN, 'docs/blog/posts/a.md': 'A\n' },
    'docs/blog/.authors.yml',
  ],
  [
    'nextra',
    { 'next.config.js': 'nextra', 'pages/_meta.json': BROKEN, 'pages/a.md': 'A\n' },
    'pages/_meta.json',
  ],
  ['mdbook', { 'book.toml': 'a = [\n', 'src/SUMMARY.md': '[A](a.md)', 'src/a.md': 'A\n' }, 'book.toml'],
])(
  '%s: a data file that cannot be read is reported once, and pages are converted: %j',
  async (name, given, file) => {
    const pages = Object.keys(given).filter((path) => /\ba\.md$/.test(path))
    const more = pages.map((path) => [path.replace('a.md', 'b.md'), 'B\n'])
    const { texts, lines } = await convertTexts(name, { ...given, ...Object.fromEntries(more) })
    expect(texts.size).toBeGreaterThan(1)
    const reports = lines.filter((line) => line.includes('QN-SOURCE-UNREADABLE'))
    expect(reports).toEqual([expect.stringMatching(/ cannot be read: /)])
    expect(reports[0]?.startsWith(`${file}:`)).toBe(true)
  },
)

test.each<[GeneratorName, Record<string, string>, string]>([
  [
    'eleventy',
    { '.eleventy.js': '', 'a.11tydata.js': 'module.exports = make()', 'a.md': 'A\n' },
    'a.11tydata.js: warning QN-PARTLY-CONVERTED The file is a program, which is read but not run. Left out: everything.',
  ],
  [
    'nextra',
    { 'next.config.js': 'nextra', 'pages/_meta.js': 'export default make()', 'pages/a.md': 'A\n' },
    'pages/_meta.js: warning QN-PARTLY-CONVERTED The file is a program, which is read but not run. Left out: everything.',
  ],
])('%s: what a program computes is reported: %j', async (name, given, line) => {
  expect((await convertTexts(name, given)).lines).toContain(line)
})

test('links of the header that site.yaml cannot hold are reported with their number', async () => {
  const items = Array.from({ length: 53 }, (_, index) => `{ to: '/a${index}', label: 'A' }`)
  const { texts, lines } = await convertTexts('docusaurus', {
    'docusaurus.config.js': `module.exports = { themeConfig: { navbar: { items: [${items.join()}] } } }`,
    'docs/a.md': 'A\n',
  })
  expect(texts.get('site.yaml')?.match(/label: A/g)).toHaveLength(50)
  expect(lines).toContain(
    'site.yaml: warning QN-PARTLY-CONVERTED `nav_links` lacks 3 entries of the source site: it holds 50 links.',
  )
})

test('links of the footer lead to pages of the new site, and those that it cannot hold are reported', async () => {
  const items = Array.from({ length: 51 }, () => "{ to: '/docs/a.md', label: 'A' }").join()
  const footer = `{ links: [{ title: 'More', items: [${items}] }, { to: '/docs/a.md', label: 'A' }], copyright: '${'©'.repeat(501)}' }`
  const { texts, lines } = await convertTexts('docusaurus', {
    'docusaurus.config.js': `module.exports = { themeConfig: { footer: ${footer} } }`,
    'docs/a.md': 'A\n',
  })
  expect(texts.get('site.yaml')?.match(/href: \/docs\/a\n/g)).toHaveLength(51)
  expect(texts.get('site.yaml')).toMatch(/copyright: ©{500}\n/)
  expect(lines).toEqual([
    'site.yaml: warning QN-PARTLY-CONVERTED `shared_footer.links[0].links` lacks 1 entry of the source site: it holds 50 links.',
    'site.yaml: warning QN-PARTLY-CONVERTED `shared_footer.copyright` is cut after 500 characters.',
  ])
})

test.each<[GeneratorName, Record<string, string>]>([
  ['docusaurus', { 'docusaurus.config.js': `module.exports = { tagline: '${'x'.repeat(161)}' }` }],
  ['jekyll', { '_config.yml': `description: ${'x'.repeat(161)}\n` }],
  ['hugo', { 'hugo.yaml': `params: { description: ${'x'.repeat(161)} }\n` }],
  ['vitepress', { '.vitepress/config.js': `export default { description: '${'x'.repeat(161)}' }` }],
])('%s: a description that site.yaml cannot hold is cut, and reported: %j', async (name, given) => {
  const { texts, lines } = await convertTexts(name, { ...given, 'docs/a.md': 'A\n' })
  expect(texts.get('site.yaml')).toMatch(/meta_description: x{160}\n/)
  expect(lines).toContain(
    'site.yaml: warning QN-PARTLY-CONVERTED `meta_description` is cut after 160 characters.',
  )
})

test('levels of a sidebar that docs_nav does not have are reported', async () => {
  const nested = (depth: number): string =>
    depth === 0 ? "'a'" : `{ type: 'category', label: 'L', items: [${nested(depth - 1)}] }`
  const { lines } = await convertTexts('docusaurus', {
    'docusaurus.config.js': 'module.exports = {}',
    'sidebars.js': `module.exports = { docs: [${nested(9)}] }`,
    'docs/a.md': 'A\n',
  })
  expect(lines).toContain(
    'site.yaml: warning QN-PARTLY-CONVERTED `docs_nav` lacks 1 entry of the source site: it holds 2,000 entries on 8 levels.',
  )
})

test('abbreviations that a page cannot have are reported with their number', async () => {
  const names = Array.from({ length: 503 }, (_, index) => `*[A${index}]: B`)
  const { lines } = await convertTexts('mkdocs', {
    'mkdocs.yml': 'site_name: A',
    'docs/a.md': `${names.join('\n')}\n\nA0 A502\n`,
  })
  expect(lines).toEqual([
    'docs/a.md:1: warning QN-PARTLY-CONVERTED 3 abbreviations are left out: a page has at most 500.',
  ])
})

test('Markdown outside of the folders of a site is reported by folder', async () => {
  const { lines } = await convertTexts('docusaurus', {
    'website/docusaurus.config.js': 'module.exports = {}',
    'website/docs/a.md': 'A\n',
    'notes/a.md': 'A\n',
    'notes/b/c.md': 'C\n',
  })
  expect(lines).toContain(
    'notes: warning QN-NOT-CONVERTED 2 Markdown files are outside of the folders of the site, and left out.',
  )
})
