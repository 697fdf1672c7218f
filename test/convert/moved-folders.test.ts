import { describe, expect, test } from 'vitest'
import type { GeneratorName } from '../../src/convert/conversion.ts'
import { createRewrites } from '../../src/convert/vitepress/rewrites.ts'
import { convertTexts } from './convert-texts.ts'

type Texts = Readonly<Record<string, string>>

/** Pages link to a picture, so that both their places are seen. */
test.each<[string, GeneratorName, Texts, Readonly<Record<string, string>>]>([
  [
    'contentDir and staticDir of Hugo',
    'hugo',
    {
      'hugo.toml': 'contentDir = "text"\nstaticDir = ["files", "more"]\nstaticDir2 = "extra"\n',
      'text/docs/a.md': 'A ![](/one.png) ![](/two.png) ![](/three.png)\n',
      'files/one.png': 'x',
      'more/two.png': 'x',
      'extra/three.png': 'x',
    },
    { 'docs/a.md': 'A ![](/one.png) ![](/two.png) ![](/three.png)' },
  ],
  [
    'a contentDir for each language of Hugo',
    'hugo',
    {
      'config.yaml':
        'languages:\n  en: { contentDir: english }\n  de: { contentDir: deutsch, languageCode: de-DE }\n',
      'english/docs/a.md': 'A [b](/de/docs/b/)\n',
      'deutsch/docs/b.md': 'B ![](b.png)\n',
      'deutsch/docs/b.png': 'x',
    },
    { 'docs/a.md': 'A [b](/de/docs/b)', 'de/docs/b.md': 'lang: de-DE\n' },
  ],
  [
    'mounts of Hugo',
    'hugo',
    {
      'hugo.yaml':
        'module:\n  mounts:\n    - { source: documents, target: content/docs }\n    - { source: images, target: static/img }\n',
      'documents/a.md': 'A ![](/img/one.png)\n',
      'images/one.png': 'x',
    },
    { 'docs/a.md': 'A ![](/img/one.png)' },
  ],
  [
    'path, routeBasePath and staticDirectories of Docusaurus',
    'docusaurus',
    {
      'site/docusaurus.config.js': `module.exports = {
  staticDirectories: ['../files', 'static'],
  presets: [['classic', {
    docs: { path: '../text', routeBasePath: '/' },
    blog: { path: 'news', routeBasePath: 'updates' },
    pages: { path: 'more', routeBasePath: 'about' },
  }]],
  plugins: [['@docusaurus/plugin-content-docs', { id: 'api', path: 'api', routeBasePath: 'reference' }]],
}
`,
      'text/a.md': 'A ![](/one.png) ![](/two.png)\n',
      'site/news/2024-05-01-b.md': '# B\n',
      'site/more/us.md': '# Us\n',
      'site/api/c.md': '# C\n',
      'files/one.png': 'x',
      'site/static/two.png': 'x',
    },
    {
      'a.md': 'A ![](/one.png) ![](/two.png)',
      'updates/2024/05/01/b.md': 'publish_date: 2024-05-01',
      'about/us.md': 'type: page',
      'reference/c.md': 'title: C',
    },
  ],
  [
    'srcDir and rewrites of VitePress',
    'vitepress',
    {
      'docs/.vitepress/config.ts': `export default {
  srcDir: '../text',
  rewrites: { 'packages/:name/src/:rest*': ':name/:rest*', 'intro.md': 'start.md' },
}
`,
      'text/packages/core/src/a.md': 'A [intro](/start) ![](/one.png)\n',
      'text/intro.md': 'Intro\n',
      'text/public/one.png': 'x',
    },
    { 'core/a.md': 'A [intro](/start) ![](/one.png)', 'start.md': 'Intro' },
  ],
  [
    'dir and addPassthroughCopy of Eleventy',
    'eleventy',
    {
      'eleventy.config.js': `const INPUT = 'views'
module.exports = function (config) {
  config.addPassthroughCopy('files').addPassthroughCopy({ './images/': '/', 'marks/*.svg': 'icons' })
  return { dir: { input: INPUT, includes: 'parts', data: '../facts' } }
}
`,
      'views/a.md': 'A ![](/files/one.png) ![](/two.png) ![](/icons/three.svg)\n',
      'views/parts/b.md': 'A part\n',
      'facts/site.json': '{ "title": "Lamps" }',
      'files/one.png': 'x',
      'images/two.png': 'x',
      'marks/three.svg': '<svg/>',
    },
    {
      'a.md': 'A ![](/files/one.png) ![](/two.png) ![](/icons/three.svg)',
      'site.yaml': 'name: Lamps',
    },
  ],
  [
    'the setters of Eleventy',
    'eleventy',
    {
      'eleventy.config.mjs': `export default (config) => {
  config.setInputDirectory("./text/")
  config.setIncludesDirectory("parts")
}
`,
      'text/a.md': 'A\n',
      'text/parts/b.md': 'A part\n',
    },
    { 'a.md': 'A' },
  ],
  [
    'srcDir and publicDir of Starlight',
    'starlight',
    {
      'astro.config.mjs':
        "export default defineConfig({ srcDir: './text', publicDir: 'files', integrations: [starlight({ title: 'Lamps' })] })",
      'text/content/docs/guide/a.md': '---\ntitle: A\n---\nA ![](/one.png)\n',
      'text/pages/us.md': '# Us\n',
      'files/one.png': 'x',
    },
    { 'guide/a.md': 'A ![](/one.png)', 'us.md': 'type: page' },
  ],
  [
    'the loader of a Starlight collection',
    'starlight',
    {
      'astro.config.mjs': "export default defineConfig({ integrations: [starlight({ title: 'Lamps' })] })",
      'src/content.config.ts':
        "export const collections = { docs: defineCollection({ loader: glob({ pattern: '**/*.md', base: './text' }), schema: docsSchema() }) }",
      'text/a.md': '---\ntitle: A\n---\nA\n',
    },
    { 'a.md': 'A' },
  ],
  [
    'docs_dir and INHERIT of MkDocs',
    'mkdocs',
    {
      'mkdocs.yml': 'INHERIT: config/base.yml\nsite_name: Lamps\nplugins: { tags: {} }\n',
      'config/base.yml':
        'site_name: Base\ndocs_dir: text\nplugins: { redirects: { redirect_maps: { old.md: a.md } } }\n',
      'text/a.md': 'A ![](img/one.png)\n',
      'text/img/one.png': 'x',
    },
    { 'a.md': 'redirect_from:\n  - /old\n', 'site.yaml': 'name: Lamps' },
  ],
  [
    'source and collections_dir of Jekyll',
    'jekyll',
    {
      '_config.yml': `source: text
collections_dir: kinds
collections: { recipes: { output: true, permalink: '/food/:name' } }
defaults: [{ scope: { path: kinds/_recipes }, values: { description: Tasty } }]
`,
      'text/a.md': '---\ntitle: A\n---\nA ![](/img/one.png)\n',
      'text/kinds/_posts/2024-05-01-b.md': '---\ntitle: B\n---\nB\n',
      'text/kinds/_recipes/soup.md': '---\ntitle: Soup\n---\nSoup\n',
      'text/img/one.png': 'x',
    },
    {
      'a.md': 'A ![](/img/one.png)',
      '2024/05/01/b.md': 'redirect_from:\n  - /2024/05/01/b.html\n',
      'food/soup.md': 'description: Tasty\n',
    },
  ],
])('pages and files are found by %s', async (_, name, given, expected) => {
  const { texts, lines } = await convertTexts(null, given)
  for (const [file, part] of Object.entries(expected)) expect(texts.get(file), file).toContain(part)
  const others = [...texts.keys()].filter((path) => path !== 'redirects.yaml')
  expect(others.filter((path) => !Object.hasOwn(expected, path))).toEqual(
    ['site.yaml'].filter((path) => !Object.hasOwn(expected, path)),
  )
  expect(lines.join('\n')).not.toMatch(/outside|does not exist/)
  expect((await convertTexts(name, given)).texts).toEqual(texts)
})

test.each<[GeneratorName, Texts, string]>([
  [
    'hugo',
    { 'hugo.toml': 'contentDir = "../text"\n', 'content/a.md': 'A\n' },
    '`contentDir` names `../text`',
  ],
  ['mkdocs', { 'mkdocs.yml': 'docs_dir: text\n', 'docs/a.md': 'A\n' }, '`docs_dir` names `text`'],
  ['jekyll', { '_config.yml': 'source: text\n', 'a.md': 'A\n' }, '`source` names `text`'],
  [
    'docusaurus',
    { 'docusaurus.config.js': "module.exports = { presets: [['classic', { docs: { path: '../text' } }]] }" },
    '`path` names `../text`',
  ],
  ['vitepress', { '.vitepress/config.js': "export default { srcDir: '/text' }" }, '`srcDir` names `/text`'],
  [
    'starlight',
    { 'astro.config.mjs': "export default defineConfig({ srcDir: 'text', integrations: [starlight({})] })" },
    '`srcDir` names `text`',
  ],
])('a folder that %s names and the source folder lacks is reported: %j', async (name, given, expected) => {
  const { lines } = await convertTexts(name, given)
  expect(lines.join('\n')).toContain(expected)
})

describe('redirects of the redirects plugin of Docusaurus', () => {
  const withOptions = (options: string) => ({
    'docusaurus.config.js': `module.exports = { plugins: [['@docusaurus/plugin-client-redirects', ${options}]] }`,
    'docs/index.md': '# Docs\n',
    'docs/a.md': '# A\n',
    'docs/b.md': '---\nslug: b.html\n---\n# B\n',
  })

  test('come from fromExtensions and toExtensions too', async () => {
    const { texts } = await convertTexts(
      'docusaurus',
      withOptions(
        "{ fromExtensions: ['html'], toExtensions: ['html'], redirects: [{ from: '/x', to: '/docs/a' }] }",
      ),
    )
    expect(texts.get('docs/a.md')).toContain('redirect_from:\n  - /docs/a.html\n  - /x\n')
    expect(texts.get('docs/b.md')).toContain('redirect_from:\n  - /docs/b.html\n')
  })

  test('are reported where a function makes them, and where they lead nowhere', async () => {
    const { texts, lines } = await convertTexts(
      'docusaurus',
      withOptions(
        "{ createRedirects(path) { return ['/x' + path] }, redirects: [{ from: '/y', to: '/elsewhere' }, { from: '/z', to: 'https://example.com/' }] }",
      ),
    )
    expect(lines).toEqual([
      'docusaurus.config.js: warning QN-PARTLY-CONVERTED The configuration is a program, which is read but not run. Left out: plugins[0][1].createRedirects.',
      'docusaurus.config.js: warning QN-UNUSED-REDIRECT The redirect from /y is left out: /elsewhere is no page or file of the new site.',
    ])
    expect(texts.get('redirects.yaml')).toBe('/z: https://example.com/\n')
  })
})

test('drafts and pages that are not published are published where the configuration says so', async () => {
  const draft = { 'content/a.md': '---\ndraft: true\n---\nA\n' }
  expect((await convertTexts('hugo', { ...draft, 'hugo.toml': '' })).texts.get('a.md')).toContain('draft')
  const built = await convertTexts('hugo', { ...draft, 'hugo.toml': 'buildDrafts = true\n' })
  expect(built.texts.get('a.md')).not.toContain('draft')
  const future = { 'content/posts/a.md': '---\ndate: 2099-01-01\n---\nA\n' }
  const early = await convertTexts('hugo', { ...future, 'hugo.toml': 'buildFuture = true\n' })
  expect(early.texts.get('posts/a.md')).not.toContain('draft')
  const jekyll = await convertTexts('jekyll', {
    '_config.yml': 'unpublished: true\nshow_drafts: true\n',
    'a.md': '---\npublished: false\n---\nA\n',
    '_drafts/b.md': '---\ntitle: B\n---\nB\n',
  })
  expect(jekyll.texts.get('a.md')).not.toContain('draft')
  expect(jekyll.texts.get('blog/b.md')).not.toContain('draft')
})

describe('rewrites of VitePress', () => {
  test.each([
    ['packages/:pkg/src/(.*)', ':pkg/(.*)', 'packages/a/src/b/c.md', 'a/b/c.md'],
    ['packages/:pkg/src/:slug(.*)', ':pkg/:slug', 'packages/a/src/b/c.md', 'a/b/c.md'],
    [':lang/guide/:page+', 'guide/:lang/:page+', 'de/guide/a/b.md', 'guide/de/a/b.md'],
    ['a/:rest*', ':rest*', 'a/b.md', 'b.md'],
    ['notes/:id(\\d+).md', 'n/:id.md', 'notes/12.md', 'n/12.md'],
    ['notes/:id(\\d+).md', 'n/:id.md', 'notes/x.md', 'notes/x.md'],
  ])('%s to %s serves %s at %s', (from, to, path, served) => {
    expect(createRewrites(new Map([[from, to]])).rewrite(path)).toBe(served)
  })

  test('are reported when they are not understood', () => {
    expect(createRewrites(new Map([['a/:b((x+)+)', 'b']])).unread).toEqual(['a/:b((x+)+)'])
  })
})
