import { expect, test } from 'vitest'
import type { GeneratorName } from '../../src/convert/conversion.ts'
import { convertTexts } from './convert-texts.ts'

const PAGE = `---
title: Home
---
<h2>Head</h2>

    <p>Text <a href="/a/">a</a></p>

<pre>
one

  two
</pre>
`

test.each<[GeneratorName, Record<string, string>]>([
  ['hugo', { 'hugo.toml': '', 'content/_index.html': PAGE, 'content/a.md': 'A\n' }],
  ['jekyll', { '_config.yml': 'title: J\n', 'index.html': PAGE, 'a.md': 'A\n' }],
  ['hexo', { '_config.yml': 'title: H\n', 'source/index.html': PAGE, 'source/a.md': 'A\n' }],
])('a page in HTML of %s is a page of Markdown with that HTML', async (name, files) => {
  const { texts } = await convertTexts(name, files)
  const text = texts.get('index.md') ?? expect.unreachable()
  expect(text).toContain('title: Home\n')
  expect(text).toContain('<h2>Head</h2>\n<p>Text <a href="/a">a</a></p>\n<pre>\none\n\n  two\n</pre>\n')
})

test('HTML without front matter is served as it is', async () => {
  const { texts, lines } = await convertTexts('jekyll', {
    '_config.yml': 'title: J\n',
    'a.md': 'A\n',
    'old.html': '<p>Old</p>\n',
  })
  expect([...texts.keys()].toSorted()).toEqual(['a.md', 'site.yaml'])
  expect(lines).toEqual([])
})

test('a front page that lists posts keeps its text and lists them in a section', async () => {
  const { texts, lines } = await convertTexts('jekyll', {
    '_config.yml': 'title: J\n',
    'index.html':
      '---\ntitle: Home\n---\n<p>Welcome</p>\n{% for post in site.posts %}\n{% for tag in post.tags %}{{ tag }}{% endfor %}\n<b>{{ post.title }}</b>\n{% endfor %}\n<p>{{ gone }}</p>\n',
    '_posts/2024-01-02-a.md': 'A\n',
  })
  expect(texts.get('index.md')).toBe(
    '---\ntype: page\ntitle: Home\nsections:\n  - type: posts\n    subroute: blog\n    limit: 10\n---\n<p>Welcome</p>\n<p></p>\n',
  )
  expect(lines).toEqual([
    'index.html:5: warning QN-PARTLY-CONVERTED The loop `{% for post in site.posts %}` is left out: a section of the page lists the posts.',
    'index.html:9: warning QN-NOT-CONVERTED `{{ gone }}` is left out.',
  ])
})
