import { expect, test } from 'vitest'
import type { GeneratorName } from '../../src/convert/conversion.ts'
import { convertTexts } from './convert-texts.ts'

test.each<[GeneratorName, Record<string, string>, string, string | null]>([
  [
    'hugo',
    {
      'hugo.toml': "[permalinks]\nposts = '/:year/:slug/'",
      'content/posts/one.md': '---\ntitle: One\ndate: 2024-03-05\n---\n',
    },
    '2024/one.md',
    null,
  ],
  [
    'hugo',
    {
      'hugo.toml': "[permalinks.page]\nposts = '/n/:contentbasename/'",
      'content/posts/one.md': '---\ntitle: Other\n---\n',
    },
    'n/one.md',
    null,
  ],
  ['hugo', { 'hugo.toml': 'uglyURLs = true', 'content/docs/a.md': 'A\n' }, 'docs/a.md', '/docs/a.html'],
  ['jekyll', { '_config.yml': 'title: J', 'a/b.md': 'B\n' }, 'a/b.md', '/a/b.html'],
  [
    'jekyll',
    {
      '_config.yml': 'collections: { guides: { output: true, permalink: "/:path/" } }',
      '_guides/fr/a.md': 'A\n',
    },
    'fr/a.md',
    null,
  ],
  [
    'jekyll',
    { '_config.yml': 'collections: { guides: { output: true } }', '_guides/a.md': 'A\n' },
    'guides/a.md',
    '/guides/a.html',
  ],
  [
    'eleventy',
    {
      '.eleventy.js': '',
      'posts/posts.json': '{"permalink":"/{{ page.fileSlug }}/"}',
      'posts/2024-01-02-one.md': 'A\n',
    },
    'one.md',
    null,
  ],
  [
    'eleventy',
    {
      '.eleventy.js': '',
      'posts/posts.11tydata.js': 'module.exports = { permalink: "/n/{{ title | slugify }}.html" }',
      'posts/a.md': '---\ntitle: A & B\n---\n',
    },
    'n/a-b.md',
    '/n/a-b.html',
  ],
  ['vitepress', { '.vitepress/config.js': 'export default {}', 'a/b.md': 'B\n' }, 'a/b.md', '/a/b.html'],
  ['mdbook', { 'book.toml': '', 'src/SUMMARY.md': '- [A](a.md)\n', 'src/a.md': '# A\n' }, 'a.md', '/a.html'],
  ['mkdocs', { 'mkdocs.yml': 'use_directory_urls: false', 'docs/a.md': 'A\n' }, 'a.md', '/a.html'],
  [
    'mkdocs',
    { 'mkdocs.yml': 'plugins: [{ redirects: { redirect_maps: { old.md: a.md } } }]', 'docs/a.md': 'A\n' },
    'a.md',
    '/old',
  ],
  [
    'docusaurus',
    { 'docusaurus.config.js': '', 'blog/2024-01-02-one.md': 'A\n' },
    'blog/2024/01/02/one.md',
    null,
  ],
])('a page of %s keeps its address, or that redirects to it: %j', async (name, given, file, path) => {
  const text = (await convertTexts(name, given)).texts.get(file) ?? expect.unreachable()
  if (path === null) expect(text).not.toContain('redirect_from')
  else expect(text).toContain(`redirect_from:\n  - ${path}\n`)
})

test.each<[GeneratorName, Record<string, string>, string]>([
  ['hugo', { 'hugo.toml': '', 'content/docs/a.md': 'A\n' }, 'docs/a.md'],
  ['vitepress', { '.vitepress/config.js': 'export default { cleanUrls: true }', 'a.md': 'A\n' }, 'a.md'],
  ['mkdocs', { 'mkdocs.yml': '', 'docs/a.md': 'A\n' }, 'a.md'],
  ['docusaurus', { 'docusaurus.config.js': '', 'docs/a.md': 'A\n' }, 'docs/a.md'],
])('a page of %s whose address stays has no redirect', async (name, given, file) => {
  expect((await convertTexts(name, given)).texts.get(file)).not.toContain('redirect_from')
})

test('a relative link leads where it led on the source site, also next to a page of the same name', async () => {
  const { texts } = await convertTexts('jekyll', {
    '_config.yml': 'collections: { guides: { output: true, permalink: "/:path/" } }',
    '_guides/usage.md': 'English\n',
    '_guides/fr/start.md': '[next](../usage/)\n',
    '_guides/fr/usage.md': 'French\n',
  })
  expect(texts.get('fr/start.md')).toContain('[next](/fr/usage)')
})

test('folders named like those of tools are content, and pictures in them too', async () => {
  const { texts } = await convertTexts('hugo', {
    'hugo.toml': '',
    'content/docs/resources/a.md': 'A\n',
    'content/docs/dist/a.md': 'A\n',
    'content/docs/vendor/a.md': '![A](/resources/a.svg)\n',
    'static/resources/a.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  })
  expect([...texts.keys()].sort()).toEqual([
    'docs/dist/a.md',
    'docs/resources/a.md',
    'docs/vendor/a.md',
    'site.yaml',
  ])
})

test('values of the configuration and of data files are filled in, and unknown ones leave no marks', async () => {
  const { texts } = await convertTexts('jekyll', {
    '_config.yml': 'repository: https://git.example/me',
    '_data/versions.yml': 'min: 3',
    'a.md':
      '[b]({{ site.repository }}/b) **{{ site.data.versions.min }}** **{{ site.data.versions.max }}** `{{ site.repository }}`\n',
  })
  expect(texts.get('a.md')).toContain('[b](https://git.example/me/b) **3**  `https://git.example/me`')
})

test('code between unknown paired tags stays code, and prose stays prose', async () => {
  const { texts } = await convertTexts('hugo', {
    'hugo.toml': '',
    'content/a.md':
      '{{< conf file="app.toml" >}}\n[server]\nport = 80\n{{< /conf >}}\n\n{{< frame >}}\nThis is a sentence of some words.\n{{< /frame >}}\n',
  })
  expect(texts.get('a.md')).toContain('```toml title="app.toml"\n[server]\nport = 80\n```')
  expect(texts.get('a.md')).toContain('\nThis is a sentence of some words.\n')
})

test('the anchor of a heading with a badge, and marks in code, stay', async () => {
  const { texts } = await convertTexts('vitepress', {
    '.vitepress/config.js': 'export default {}',
    'a.md':
      '# A\n\n## `useThing` <Badge text="new" />\n\n```js\na() // [!code focus]\nb() // [!code ++]\n```\n',
  })
  expect(texts.get('a.md')).toContain('## `useThing` **new** {#usething}')
  expect(texts.get('a.md')).toContain('```js {1} ins={2}\na()\nb()\n```')
})

test('redirects of the configuration of mdBook lead to their pages', async () => {
  const { texts, lines } = await convertTexts('mdbook', {
    'book.toml':
      '[output.html.redirect]\n"/old/x.html" = "../part/a.html"\n"/gone.html" = "https://x.example/"\n',
    'src/SUMMARY.md': '- [A](part/a.md)\n',
    'src/part/a.md': '# A\n',
  })
  expect(texts.get('part/a.md')).toContain('redirect_from:\n  - /part/a.html\n  - /old/x.html\n')
  expect(texts.get('redirects.yaml')).toBe('/gone.html: https://x.example/\n')
  expect(lines).toEqual([])
})

test.each<[GeneratorName, Readonly<Record<string, string>>, readonly string[]]>([
  [
    'jekyll',
    {
      '_config.yml': 'title: A\n',
      '_posts/2022-05-01-cfp.md': '---\ntitle: A\n---\nOne\n',
      '_posts/2023-05-01-cfp.md': '---\ntitle: B\n---\nTwo\n',
      '_posts/2023-06-01-cfp.md': '---\ntitle: C\n---\nThree\n',
      '_posts/2023-06-01-other.md': '---\ntitle: D\n---\nFour\n',
    },
    ['2022/05/01/cfp.md', '2023/05/01/cfp.md', '2023/06/01/cfp.md', '2023/06/01/other.md'],
  ],
  [
    'docusaurus',
    {
      'docusaurus.config.js': "module.exports = { title: 'A', url: 'https://a.example', baseUrl: '/' }\n",
      'blog/2022-05-01-cfp.md': '# A\n',
      'blog/2023-05-01-cfp.md': '# B\n',
    },
    ['blog/2022/05/01/cfp.md', 'blog/2023/05/01/cfp.md'],
  ],
  [
    'hugo',
    {
      'hugo.toml': 'title = "A"\n[permalinks]\nposts = "/:year/:slug/"\n',
      'content/posts/x.md': '---\ntitle: A\ndate: 2022-05-01\nslug: cfp\n---\n',
      'content/posts/y.md': '---\ntitle: B\ndate: 2023-05-01\nslug: cfp\n---\n',
    },
    ['2022/cfp.md', '2023/cfp.md', 'index.md'],
  ],
])('posts of one name in several years are all kept, from %s', async (name, files, expected) => {
  const { texts, lines } = await convertTexts(name, files)
  expect([...texts.keys()].filter((path) => path.endsWith('.md')).sort()).toEqual(expected)
  expect(lines.filter((line) => line.includes('left out') && line.includes('path'))).toEqual([])
})
