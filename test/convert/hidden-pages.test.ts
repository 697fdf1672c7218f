import { expect, test } from 'vitest'
import type { GeneratorName } from '../../src/convert/conversion.ts'
import { matchesAnyGlob, matchesGlob } from '../../src/convert/files/source-glob.ts'
import { convertTexts } from './convert-texts.ts'

const ELEVENTY = "module.exports = () => ({ dir: { input: 'src' } })"

test.each<[GeneratorName, Record<string, string>, string, string]>([
  [
    'hugo',
    { 'hugo.toml': '', 'content/posts/a.md': '---\ndate: 2099-01-01\n---\nA\n' },
    'posts/a.md',
    'future',
  ],
  ['hugo', { 'hugo.toml': '', 'content/a.md': '---\nexpiryDate: 2020-01-01\n---\nA\n' }, 'a.md', 'expired'],
  ['hugo', { 'hugo.toml': '', 'content/a.md': '---\nheadless: true\n---\nA\n' }, 'a.md', 'not rendered'],
  [
    'hugo',
    {
      'hugo.toml': '',
      'content/parts/_index.md': '---\ncascade: [{ build: { render: never } }]\n---\n',
      'content/parts/a.md': 'A\n',
    },
    'parts/a.md',
    'not rendered',
  ],
  ['jekyll', { '_config.yml': '', '_posts/2099-01-01-a.md': 'A\n' }, '2099/01/01/a.md', 'future'],
  ['jekyll', { '_config.yml': '', '_drafts/a.md': 'A\n' }, 'blog/a.md', '_drafts'],
  ['jekyll', { '_config.yml': 'collections: { notes: {} }', '_notes/a.md': 'A\n' }, 'notes/a.md', 'output'],
  [
    'eleventy',
    { '.eleventy.js': ELEVENTY, 'src/a.md': '---\npermalink: false\n---\nA\n' },
    'a.md',
    'permalink',
  ],
  ['mkdocs', { 'mkdocs.yml': 'draft_docs: a.md', 'docs/a.md': 'A\n' }, 'a.md', 'draft_docs'],
])(
  'a page that %s does not publish becomes a draft and is reported: %j',
  async (name, given, file, reason) => {
    const { texts, lines } = await convertTexts(name, given)
    expect(texts.get(file)).toContain('draft: true\n')
    expect(texts.get(file)).not.toContain('redirect_from')
    expect(lines.filter((line) => line.includes('QN-HIDDEN-PAGE')).join()).toContain(reason)
  },
)

test.each<[GeneratorName, Record<string, string>]>([
  ['jekyll', { '_config.yml': 'exclude: [internal]', 'internal/a.md': 'A\n' }],
  [
    'vitepress',
    { '.vitepress/config.js': "export default { srcExclude: ['internal/**'] }", 'internal/a.md': 'A\n' },
  ],
  ['eleventy', { '.eleventy.js': '', '.eleventyignore': 'internal/\n', 'internal/a.md': 'A\n' }],
  ['mkdocs', { 'mkdocs.yml': 'exclude_docs: internal/', 'docs/internal/a.md': 'A\n' }],
  ['docusaurus', { 'docusaurus.config.js': '', 'docs/_internal.md': 'A\n' }],
  ['mdbook', { 'book.toml': '', 'src/SUMMARY.md': '# Summary\n', 'src/a.md': 'A\n' }],
])('a page that the configuration of %s excludes is left out and reported', async (name, given) => {
  const { texts, lines } = await convertTexts(name, given)
  expect([...texts.keys()]).toEqual(['site.yaml'])
  expect(lines.filter((line) => line.includes('QN-HIDDEN-PAGE'))).toHaveLength(1)
})

test.each<[GeneratorName, Record<string, string>, string]>([
  [
    'docusaurus',
    { 'docusaurus.config.js': '', 'docs/a.md': '---\nunlisted: true\n---\nA\n' },
    '---\ntype: page\ntitle: A\nmeta:\n  robots: noindex\n---\nA\n',
  ],
  [
    'nextra',
    {
      'next.config.js': "require('nextra')",
      'content/docs/_meta.json': '{ "a": { "display": "hidden" }, "b": "B" }',
      'content/docs/a.mdx': 'A\n',
      'content/docs/b.mdx': 'B\n',
    },
    '---\ntype: page\ntitle: A\n---\nA\n',
  ],
  [
    'hugo',
    { 'hugo.toml': '', 'content/docs/a.md': '---\nrobotsNoIndex: true\n---\nA\n' },
    '---\ntitle: A\nmeta:\n  robots: noindex\n---\nA\n',
  ],
  [
    'starlight',
    {
      'astro.config.mjs': 'export default defineConfig({ integrations: [starlight({})] })',
      'src/content/docs/docs/a.md':
        '---\ntitle: A\nhead:\n  - tag: meta\n    attrs: { name: robots, content: noindex }\n---\nA\n',
    },
    '---\ntitle: A\nmeta:\n  robots: noindex\n---\nA\n',
  ],
])('a page that %s keeps out of lists or search engines keeps its address: %j', async (name, given, text) => {
  expect((await convertTexts(name, given)).texts.get('docs/a.md')).toBe(text)
})

test('a published page keeps its address when a hidden one has the same', async () => {
  const { texts } = await convertTexts('jekyll', {
    '_config.yml': 'permalink: /blog/:title\n',
    '_drafts/a.md': 'Draft\n',
    '_posts/2024-01-01-a.md': 'Published\n',
  })
  expect(texts.get('blog/a.md')).toContain('Published\n')
})

test.each([
  ['internal/**', 'internal/a/b.md', true],
  ['**/README.md', 'README.md', true],
  ['*.md', 'a/b.md', false],
  ['{a,b}/*.md', 'b/c.md', true],
  ['**/a*c?.md', 'x/abccd.md', true],
  ['**/a*c?.md', 'x/abd.md', false],
])('the pattern %s against %s: %s', (pattern, path, matches) => {
  expect(matchesGlob(path, pattern)).toBe(matches)
})

test('a pattern with an exclamation mark takes back what another one matched', () => {
  expect(matchesAnyGlob('a/b.md', ['a/**', '!a/b.md'])).toBe(false)
})

test('a pattern made to be slow takes no more steps than its length times that of the path', () => {
  const pattern = `${'**/'.repeat(100)}${'*a'.repeat(200)}b`
  expect(matchesGlob(`${'a/'.repeat(20)}${'a'.repeat(250)}`, pattern)).toBe(false)
})

test('what Hugo hides by fields in capitals, or by their other names, is hidden', async () => {
  const page = (fields: string) => `---\ntitle: A\n${fields}\n---\nText\n`
  const { texts } = await convertTexts('hugo', {
    'hugo.toml': 'title = "A"\n',
    'content/posts/draft.md': page('Draft: true'),
    'content/posts/toml.md': '+++\nTitle = "A"\nDRAFT = true\n+++\nText\n',
    'content/posts/future.md': page('PublishDate: 2099-01-01'),
    'content/posts/later.md': page('pubDate: 2099-01-01'),
    'content/posts/over.md': page('UnpublishDate: 2020-01-01'),
    'content/posts/never.md': page('Build: { Render: never }'),
    'content/posts/shown.md': page('Date: 2024-01-02\nTags: [x]\nDraft: false'),
  })
  const drafts = [...texts].filter(([, text]) => /^draft: true$/m.test(text)).map(([path]) => path)
  expect(drafts.sort()).toEqual(
    ['draft', 'future', 'later', 'never', 'over', 'toml'].map((name) => `posts/${name}.md`),
  )
  expect(texts.get('posts/shown.md')).toMatch(/tags:\n {2}- x\n[\s\S]*publish_date: 2024-01-02/)
})
