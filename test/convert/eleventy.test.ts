import { expect, test } from 'vitest'
import { convertTexts } from './convert-texts.ts'

const CONFIG = { 'eleventy.config.js': "export default () => ({ dir: { input: 'src' } })\n" }
const CONFIG_WARNING =
  'eleventy.config.js: warning QN-PARTLY-CONVERTED The configuration is a program, which is not run. Only its folders are read.'

test('a folder with an eleventy.config.js is detected, and only its input folder is converted', async () => {
  const { texts, lines } = await convertTexts(null, {
    ...CONFIG,
    'src/care.md': '# Care\n',
    'other.md': '# Other\n',
  })
  expect([...texts.keys()].sort()).toEqual(['care.md', 'site.yaml'])
  expect(lines).toEqual([
    CONFIG_WARNING,
    'other.md: warning QN-NOT-CONVERTED 1 Markdown file is outside of the folders of the site, and left out.',
  ])
})

test('posts, pages tagged as posts and pages with a date become articles, others docs pages', async () => {
  const { texts } = await convertTexts('eleventy', {
    ...CONFIG,
    'src/posts/2024-05-01-a.md': 'A\n',
    'src/b.md': '---\ntags: post\n---\nB\n',
    'src/c.md': '---\ndate: 2024-05-02\n---\nC\n',
    'src/d.md': 'D\n',
  })
  expect(texts.get('posts/a.md')).toContain('publish_date: 2024-05-01T00:00:00.000Z\n')
  expect(texts.get('b.md')).toContain('type: article\n')
  expect(texts.get('c.md')).toContain('type: article\n')
  expect(texts.get('d.md')).not.toContain('type:')
})

test('a permalink and the order of eleventyNavigation carry over', async () => {
  const { texts } = await convertTexts('eleventy', {
    ...CONFIG,
    'src/a.md': '---\npermalink: /x/y/index.html\neleventyNavigation: { key: A, order: 4 }\n---\nA\n',
  })
  expect(texts.get('x/y.md')).toContain('nav_order: 4\n')
})

test('templates, includes and data are reported as left out', async () => {
  const { texts, lines } = await convertTexts('eleventy', {
    ...CONFIG,
    'src/a.md': 'A\n',
    'src/list.njk': '',
    'src/_includes/base.njk': '',
    'src/_data/site.js': '',
    'src/README.md': 'Read me\n',
  })
  expect([...texts.keys()].sort()).toEqual(['a.md', 'site.yaml'])
  expect(lines).toEqual([
    CONFIG_WARNING,
    'src/README.md: warning QN-NOT-CONVERTED The file describes the repository. It is left out.',
    'src/_*: warning QN-NOT-CONVERTED 2 files of the theme or its data are left out.',
    'src/list.njk: warning QN-NOT-CONVERTED Templates are not converted. Markdown is.',
  ])
})

test('the url filter becomes a link to the converted page, and loops are left out with a warning', async () => {
  const { texts, lines } = await convertTexts('eleventy', {
    ...CONFIG,
    'src/a.md': '---\ntitle: A\n---\n[b]({{ "/b/" | url }})\n\n{% for post in posts %}\n',
    'src/b.md': 'B\n',
  })
  expect(texts.get('a.md')).toContain('[b](/b)')
  expect(lines).toEqual([
    CONFIG_WARNING,
    'src/a.md:6: warning QN-NOT-CONVERTED `{% for post in posts %}` is left out.',
  ])
})

test('the text of verbatim and raw blocks stays as it is written', async () => {
  const { texts, lines } = await convertTexts('eleventy', {
    'a.md': '{% verbatim %}{{ x }}{% endverbatim %}{% raw %}{{ y }}{% endraw %}',
  })
  expect(texts.get('a.md')).toContain('{{ x }}{{ y }}')
  expect(lines.filter((line) => line.startsWith('a.md'))).toEqual([])
})

test('files of the public folder are served at the root of the site', async () => {
  const { texts } = await convertTexts('eleventy', {
    ...CONFIG,
    'src/public/img/lamp.png': 'x',
    'src/a.md': '![Lamp](/img/lamp.png)\n',
  })
  expect(texts.get('a.md')).toContain('![Lamp](/img/lamp.png)')
})

test('a page with the name of its folder is served at the folder, and the page for unknown paths at its file', async () => {
  const { texts, lines } = await convertTexts('eleventy', {
    ...CONFIG,
    'src/blog/trip/trip.md': 'A\n',
    'src/404.md': '---\npermalink: 404.html\n---\nGone\n',
  })
  expect([...texts.keys()].sort()).toEqual(['404.md', 'blog/trip.md', 'site.yaml'])
  expect(lines).toEqual([CONFIG_WARNING])
})

test('values of data files and of the page are filled in, and addresses stay that an unknown filter changes', async () => {
  const { texts, lines } = await convertTexts('eleventy', {
    ...CONFIG,
    'src/_data/links.js':
      'export default {\n  now: new Date(),\n  shop: "https://shop.example/", // a note\n}\n',
    'src/a.md':
      '---\nplace: Riga\n---\n[Shop]({{ links.shop }}) in {{ place | safe }}, {{ unknown }}.\n\n[Post]({{ "https://social.example/1" | short }})\n',
  })
  expect(texts.get('a.md')).toContain(
    '[Shop](https://shop.example/) in Riga, .\n\n[Post](https://social.example/1)\n',
  )
  expect(lines.filter((line) => line.startsWith('src/a.md:'))).toEqual([
    expect.stringContaining('`place`'),
    'src/a.md:4: warning QN-NOT-CONVERTED `{{ unknown }}` is left out.',
    'src/a.md:6: warning QN-PARTLY-CONVERTED The filter of `{{ "https://social.example/1" | short }}` is left out.',
  ])
})
