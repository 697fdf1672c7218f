import { expect, test } from 'vitest'
import { convertTexts } from './convert-texts.ts'

const PACKAGE = { 'package.json': '{"dependencies":{"hexo":"^7.0.0","hexo-generator-feed":"^3.0.0"}}' }

test.each([
  ['its package', { '_config.yml': 'title: A\n', ...PACKAGE, 'source/a.md': 'A\n' }],
  ['its posts', { '_config.yml': 'title: A\n', 'source/_posts/a.md': 'A\n' }],
  ['its scaffolds', { '_config.yml': 'title: A\n', 'scaffolds/post.md': '', 'source/a.md': 'A\n' }],
])('a site is known as one of Hexo, not of Jekyll, by %s', async (_, files) => {
  const { texts } = await convertTexts(null, files)
  expect([...texts.keys()].some((path) => path.endsWith('a.md'))).toBe(true)
  expect([...texts.keys()].filter((path) => /source|scaffold/.test(path))).toEqual([])
})

test.each([
  ['', 'trips/one.md', '', '2024/01/02/trips/one.md'],
  ['permalink: :name.html\n', 'trips/one.md', '', 'one.md'],
  [
    'permalink: :category/:i_month/:post_title/\n',
    'a.md',
    'categories: [Dev, Web]\n',
    'dev/web/1/a-title.md',
  ],
  ['permalink: :category/:title/\n', 'a.md', '', 'uncategorized/a.md'],
  ['permalink: p/:title\n', '2023-05-06-a.md', '', 'p/a.md'],
  ['', 'a.md', 'permalink: own/place/\n', 'own/place.md'],
])('with %j, the post %s with %j is at its address, %s', async (config, name, fields, expected) => {
  const { texts, lines } = await convertTexts(null, {
    '_config.yml': `title: A\nurl: https://hb.example\n${config}`,
    [`source/_posts/${name}`]: `---\ntitle: A Title\ndate: 2024-01-02 10:00:00\n${fields}---\nText\n`,
  })
  const post = texts.get(expected) ?? expect.unreachable([...texts.keys()].join())
  expect(post).toContain('blog: ""\n')
  expect(post).toContain('guid: https://hb.example/')
  expect(lines.filter((line) => !/become tags/.test(line))).toEqual([])
})

test('posts that are not published stay drafts, and those of the future are published', async () => {
  const { texts, lines } = await convertTexts(null, {
    '_config.yml': 'title: A\n',
    'source/_drafts/one.md': 'A\n',
    'source/_posts/two.md': '---\ndate: 2024-01-02\npublished: false\n---\nA\n',
    'source/_posts/three.md': '---\ndate: 2099-01-02\n---\nA\n',
  })
  const drafts = [...texts].flatMap(([path, text]) => (text.includes('draft: true') ? [path] : []))
  expect(drafts.toSorted()).toEqual(['2024/01/02/two.md', 'one.md'])
  expect(texts.has('2099/01/02/three.md')).toBe(true)
  expect(lines).toHaveLength(2)
})

test('feeds, tags, categories and archives lead to the lists of the same posts', async () => {
  const { texts } = await convertTexts(null, {
    '_config.yml': 'title: A\ncategory_map: { Dev: d }\nper_page: 1\n',
    ...PACKAGE,
    'source/_posts/one.md':
      '---\ntitle: A\ndate: 2024-01-02\ntags: [Go Lang]\ncategories: [[Dev, Web]]\n---\nA\n',
    'source/_posts/two.md': '---\ntitle: B\ndate: 2024-02-02\n---\nB\n',
    'source/tags/index.md': '---\ntitle: Tags\ntype: tags\n---\n',
  })
  expect(texts.get('redirects.yaml')).toBe(
    [
      '/atom.xml: /feed.xml',
      '/categories/d: /tags/dev',
      '/categories/d/Web: /tags/web',
      '/page/2: /',
      '/archives: /',
      '/archives/2024: /',
      '/archives/2024/01: /',
      '/archives/2024/02: /',
      '',
    ].join('\n'),
  )
})

test('tag plugins become Markdown, and code that shows them stays', async () => {
  const { texts, lines } = await convertTexts(null, {
    '_config.yml': 'title: A\npost_asset_folder: true\n',
    'source/_posts/a.md': `---
title: A
date: 2024-01-02
---
{% asset_img p.png 200 "A title" "A picture" %} {% post_link b "The other" %} {% link Site https://s.example %}

{% tabs %}
<!-- tab One@icon -->
First
<!-- endtab -->
{% endtabs %}

{% codeblock lang:js [js] a.js %}
let a
{% endcodeblock %}

{% blockquote Ada, Notes https://n.example %}
Quote
{% endblockquote %}

{% unknown thing %}

\`\`\`
{% codeblock %}
\`\`\`
`,
    'source/_posts/a/p.png': 'x',
    'source/_posts/b.md': '---\ndate: 2024-01-03\n---\nB\n',
  })
  const text = texts.get('2024/01/02/a.md') ?? expect.unreachable()
  expect(text).toContain(
    '![A picture](/2024/01/02/a/p.png "A title") [The other](/2024/01/03/b) [Site](https://s.example)',
  )
  expect(text).toMatch(/:::tabs\s+::tab\[One\]\s+First\s+:::/)
  expect(text).toContain('```js title="[js] a.js"\nlet a\n```')
  expect(text).toContain('> Quote\n>\n> — [Ada, Notes](https://n.example)')
  expect(text).toContain('```\n{% codeblock %}\n```')
  expect(lines.filter((line) => line.includes('unknown'))).toEqual([
    'source/_posts/a.md:21: warning QN-NOT-CONVERTED `{% unknown thing %}` is left out.',
  ])
})

test('headings keep the ids that Hexo gives them', async () => {
  const { texts } = await convertTexts(null, {
    '_config.yml': 'title: A\n',
    'source/_posts/a.md':
      '---\ndate: 2024-01-02\n---\n## Site Variables\n\n## plain\n\n[up](#Site-Variables)\n',
  })
  expect(texts.get('2024/01/02/a.md')).toContain('## Site Variables {#Site-Variables}\n\n## plain\n')
})
