import { expect, test } from 'vitest'
import { convertTexts } from './convert-texts.ts'

const SITE = {
  'website/docusaurus.config.js': `// @ts-check
const path = require('path')

/** @type {import('@docusaurus/types').Config} */
const config = {
  title: 'Lanterns',
  url: 'https://lanterns.example',
  baseUrl: '/',
  presets: [
    [
      'classic',
      /** @type {import('@docusaurus/preset-classic').Options} */
      ({
        docs: { path: '../docs', sidebarPath: path.resolve(__dirname, './sidebars.json') },
        blog: { showReadingTime: true, editUrl: ({ blogPath }) => 'https://example.com/' + blogPath },
      }),
    ],
  ],
  plugins: [
    [
      '@docusaurus/plugin-client-redirects',
      { redirects: [{ from: ['/start', '/begin'], to: '/docs/intro' }, { from: '/news', to: '/blog/2024/05/01/lit' }] },
    ],
  ],
}

module.exports = config
`,
  'website/sidebars.json': '{ "docs": [{ "type": "category", "label": "Care", "items": ["intro"] }] }',
  'website/blog/authors.yml':
    'ada:\n  name: Ada Wick\n  url: https://example.com/ada\nbo:\n  name: Bo Flame\n',
  'website/blog/tags.yml': 'release:\n  label: Releases\n  permalink: /releases\n',
  'website/blog/2024-05-01-lit.md':
    '---\ntitle: Lit\nauthors: [ada, bo]\ntags: [release, { label: Oil Lamps, permalink: /oil }]\n---\n\nThe lead.\n\n<!-- truncate -->\n\nThe rest, after [that](./2024-06-02-wick/index.mdx).\n',
  'website/blog/2024-06-02-wick/index.mdx':
    "---\nslug: wick\nauthors: ada\n---\nimport Lamp from './lamp.png'\n\n# The wick\n\nThe lead.\n\n{/* truncate */}\n\n![A lamp](./lamp.png) and `<!-- truncate -->` in code.\n",
  'website/blog/2024-06-02-wick/lamp.png': 'x',
  'docs/intro.md': '# Start\n\nSee [the news](/blog/2024/05/01/lit).\n',
} as const

test('a blog of Docusaurus keeps its dates, authors, tags, texts, pictures and addresses', async () => {
  const { texts, lines } = await convertTexts('docusaurus', SITE)
  expect(texts.get('blog/2024/05/01/lit.md')).toBe(
    '---\ntype: article\ntitle: Lit\nredirect_from:\n  - /news\ntags:\n  - Releases\n  - Oil Lamps\npublish_date: 2024-05-01T00:00:00.000Z\nauthor: Ada Wick\nguid: https://lanterns.example/blog/2024/05/01/lit\n---\nThe lead.\n\n\n\nThe rest, after [that](/blog/wick).\n',
  )
  expect(texts.get('blog/wick.md')).toMatch(
    /title: The wick\n[\s\S]*publish_date: 2024-06-02[\s\S]*author: Ada Wick\n/,
  )
  expect(texts.get('blog/wick.md')).toMatch(
    /!\[A lamp\]\(\/\S+\/lamp\.png\) and `<!-- truncate -->` in code\.\n$/,
  )
  expect(texts.get('docs/intro.md')).toContain('redirect_from:\n  - /start\n  - /begin\n')
  expect(texts.get('docs/intro.md')).toContain('[the news](/blog/2024/05/01/lit)')
  expect(texts.get('site.yaml')).toContain('docs_nav:\n  - title: Care\n    children:\n')
  expect(lines).toEqual([
    'website/blog/2024-05-01-lit.md:1: warning QN-PARTLY-CONVERTED Only the first of `authors` is converted: an article has one author.',
  ])
})
