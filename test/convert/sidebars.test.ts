import { expect, test } from 'vitest'
import { convertTexts } from './convert-texts.ts'

test('an entry of Nextra without a name does not contain its own folder', async () => {
  const { texts } = await convertTexts('nextra', {
    'next.config.js': 'withNextra()',
    'pages/_meta.json': '{"": "None", "a": "A", "menu": {"items": {"": "None"}}}',
    'pages/menu/_meta.json': '{"": {"items": {"": "None"}}}',
    'pages/a.md': 'A\n',
  })
  expect(texts.get('site.yaml')).toContain('docs_nav:\n  - title: A\n    slug: a\n')
})

test('entries of Eleventy with the same key are each shown once', async () => {
  const pages = Array.from({ length: 20 }, (_, index) => [1, 2].map((copy) => [index, copy] as const)).flat()
  const { texts, lines } = await convertTexts('eleventy', {
    'eleventy.config.js': '',
    ...Object.fromEntries(
      pages.map(([index, copy]) => [
        `p${index}-${copy}.md`,
        `---\neleventyNavigation: { key: k${index}, parent: k${index - 1}, title: "${index}-${copy}" }\n---\nA\n`,
      ]),
    ),
  })
  const site = texts.get('site.yaml') ?? ''
  // `docs_nav` has 8 levels.
  expect(site.match(/slug: /g)).toHaveLength(16)
  expect(site).toContain('title: 0-1\n    slug: p0-1\n    children:\n')
  expect(site).toContain('  - title: 0-2\n    slug: p0-2\n')
  expect(lines).toContain(
    'site.yaml: warning QN-PARTLY-CONVERTED `docs_nav` lacks 24 entries of the source site: it holds 2,000 entries on 8 levels.',
  )
})

test('titles of the navigation of Eleventy are their texts, without icons', async () => {
  const { texts } = await convertTexts('eleventy', {
    '.eleventy.js': 'module.exports = {}\n',
    'docs/a.md': '---\ntitle: A\neleventyNavigation:\n  key: <i class="icon"></i>First\n---\nA\n',
    'docs/b.md': '---\ntitle: B\neleventyNavigation:\n  key: Second\n---\nB\n',
  })
  expect(texts.get('site.yaml')).toContain('title: First\n')
})
