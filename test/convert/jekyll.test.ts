import { expect, test } from 'vitest'
import { convertTexts } from './convert-texts.ts'

const CONFIG = { '_config.yml': 'title: A\n' }

test('a folder with a _config.yml is detected as Jekyll', async () => {
  const { texts } = await convertTexts(null, { '_config.yml': 'title: My site\n', 'a.md': '# A\n' })
  expect(texts.get('site.yaml')).toBe('name: My site\n')
})

test('the title, description, language and address of the configuration become fields of site.yaml', async () => {
  const config = 'title: A\ndescription: About A\nlang: de\nurl: https://example.com\nbaseurl: /docs\n'
  const { texts, lines } = await convertTexts('jekyll', { '_config.yml': config, 'a.md': 'A\n' })
  expect(texts.get('site.yaml')).toBe(
    'name: A\nurl: https://example.com/docs\nmeta_description: About A\nbranding:\n  lang: de\n',
  )
  expect(lines).toEqual([])
})

test('a configuration that cannot be read is reported, and pages are converted without it', async () => {
  const { texts, lines } = await convertTexts('jekyll', { '_config.yml': 'title: [\n', 'a.md': 'A\n' })
  expect(texts.has('a.md')).toBe(true)
  expect(lines).toEqual([
    expect.stringMatching(
      /^_config\.yml: warning QN-SOURCE-UNREADABLE The configuration cannot be read: .*$/,
    ),
  ])
})

test('fields of the configuration that only control the build are left out without a warning', async () => {
  const config = 'title: A\nmarkdown: kramdown\nplugins: [x]\npaginate: 5\n'
  const { lines } = await convertTexts('jekyll', { '_config.yml': config, 'a.md': 'A\n' })
  expect(lines).toEqual(['_config.yml: warning QN-NOT-CONVERTED Left out: `paginate`.'])
})

test('posts become articles of /blog at their addresses, with the date and slug of their file name', async () => {
  const { texts } = await convertTexts('jekyll', {
    ...CONFIG,
    '_posts/2024-05-01-first.md': '# First\n\nText\n',
  })
  expect(texts.get('2024/05/01/first.md')).toContain('type: article\ntitle: First\n')
  expect(texts.get('2024/05/01/first.md')).toContain('publish_date: 2024-05-01T00:00:00.000Z\n')
})

test('a date in the name of a post may have no leading zeros', async () => {
  const { texts } = await convertTexts('jekyll', {
    ...CONFIG,
    '_posts/2023-4-5-a.md': 'A\n',
    'b.md': '[a](/2023/04/05/a.html)\n',
  })
  expect(texts.get('2023/04/05/a.md')).toContain('publish_date: 2023-04-05T00:00:00.000Z\n')
  expect(texts.get('2023/04/05/a.md')).toContain('  - /2023/04/05/a.html\n')
  expect(texts.get('b.md')).toContain('[a](/2023/04/05/a)')
})

test('pages of a collection become docs pages, and repository files such as README.md are no pages', async () => {
  const { texts } = await convertTexts('jekyll', {
    '_config.yml': 'title: A\ncollections: { guides: { output: true } }\n',
    '_guides/start.md': 'A\n',
    '_other/start.md': 'B\n',
    'README.md': 'C\n',
  })
  expect([...texts.keys()].sort()).toEqual(['guides/start.md', 'site.yaml'])
})

test('defaults of the configuration apply to the pages in their scope', async () => {
  const { texts } = await convertTexts('jekyll', {
    '_config.yml':
      'title: A\ndefaults:\n  - { scope: { path: a }, values: { weight: 3 } }\n  - { scope: { type: posts }, values: { author: Ada } }\n',
    'a/b.md': 'B\n',
    'c.md': 'C\n',
    '_posts/2024-05-01-d.md': 'D\n',
  })
  expect(texts.get('a/b.md')).toContain('nav_order: 3\n')
  expect(texts.get('c.md')).not.toContain('nav_order')
  expect(texts.get('2024/05/01/d.md')).toContain('author: Ada\n')
})

test('layouts and includes are reported with the number of their files, and drafts stay drafts', async () => {
  const { lines } = await convertTexts('jekyll', {
    ...CONFIG,
    'a.md': 'A\n',
    '_layouts/a.html': '',
    '_layouts/b.html': '',
    '_drafts/c.md': '',
  })
  expect(lines).toEqual([
    '_drafts/c.md: warning QN-HIDDEN-PAGE It is in `_drafts`. It is written as a draft, which is not published.',
    '_layouts: warning QN-NOT-CONVERTED 2 files of the theme or its data are left out.',
  ])
})

test.each([
  ['', '', '/2023/04/06/p1.html'],
  ['permalink: pretty', '', '/2023/04/06/p1'],
  ['permalink: pretty', 'categories: Big News', '/big/news/2023/04/06/p1'],
  ['permalink: ordinal', '', '/2023/096/p1.html'],
  ['permalink: /:categories/:title', 'category: Big\ncategories: [Old, old]', '/old/big/p1'],
  ['permalink: /:slugified_categories/:title', 'categories: [Big News]', '/big-news/p1'],
  ['permalink: /:year/:i_month/:title', 'date: 2024-5-06 10:00:00 +0100', '/2024/5/p1'],
  ['permalink: none', 'permalink: /x/:title/', '/x/p1'],
  ['', 'permalink: /:categories/:short_year/:title.html\ncategory: News', '/news/23/p1.html'],
  ['collections: { posts: { permalink: "/c/:title:output_ext" } }', '', '/c/p1.html'],
])('a post keeps its path, and links to that path follow: %j, %j', async (config, fields, path) => {
  const { texts, lines } = await convertTexts('jekyll', {
    '_config.yml': `title: A\n${config}\n`,
    '_posts/2023-04-06-p1.md': `---\ntitle: One\n${fields}\n---\nA\n`,
    'b.md': `[one](${path})\n`,
  })
  const bare = path.replace(/\.html$/, '')
  const post = texts.get(`${bare.slice(1)}.md`) ?? expect.unreachable()
  expect(post).toContain('blog: blog\n')
  expect(post.includes(`redirect_from:\n  - ${path}\n`)).toBe(path !== bare)
  expect(texts.get('b.md')).toContain(`[one](${bare})`)
  expect(lines.filter((line) => !/`categor(y|ies)` become tags/.test(line))).toEqual([])
})

test.each([
  [
    'permalink: weekdate',
    '',
    '_config.yml: warning QN-MOVED-PAGE Posts move to /blog. Their `permalink` pattern is unknown, so no redirects lead to them.',
  ],
  [
    '',
    'permalink: /:unknown/:title/',
    '_posts/2023-04-06-p1.md:1: warning QN-MOVED-PAGE The page moves to /blog/p1. Its `permalink` pattern is unknown, so no redirect leads to it.',
  ],
  ['', 'permalink: /blog/my-own/', null],
])('an unknown permalink pattern is reported where it is written: %j, %j', async (config, fields, line) => {
  const { lines } = await convertTexts('jekyll', {
    '_config.yml': `title: A\n${config}\n`,
    '_posts/2023-04-06-p1.md': `---\ntitle: One\n${fields}\n---\nA\n`,
  })
  expect(lines).toEqual(line === null ? [] : [line])
})

test('a permalink pattern of a collection gives its pages their addresses', async () => {
  const { texts, lines } = await convertTexts('jekyll', {
    '_config.yml': 'title: A\ncollections: { guides: { output: true, permalink: "/g/:title" } }\n',
    '_guides/start.md': 'A\n',
  })
  expect(texts.get('g/start.md')).toBe('---\ntitle: Start\n---\nA\n')
  expect(lines).toEqual([])
})

test.each([
  '{{ site.baseurl }}/2023/04/06/p1.html',
  '{{ site.url }}{{ site.baseurl }}/2023/04/06/p1.html',
  '{{ "/2023/04/06/p1.html" | prepend: site.baseurl | prepend: site.url }}',
  '{{ site.baseurl }}{% post_url 2023-04-06-p1 %}',
])('a link written as %s leads to the converted page', async (link) => {
  const { texts, lines } = await convertTexts('jekyll', {
    ...CONFIG,
    '_posts/2023-04-06-p1.md': '---\ntitle: One\n---\nA\n',
    'b.md': `[one](${link}#x) <a href="${link.replaceAll('"', "'")}">two</a>\n`,
  })
  expect(texts.get('b.md')).toContain('[one](/2023/04/06/p1#x) <a href="/2023/04/06/p1">two</a>')
  expect(lines).toEqual([])
})

test.each([
  [
    '{% raw %}{{ keep.me }}{% endraw %}, not {{ me }}.\n\n`{% raw %}{% x %}{% endraw %}`\n\n{% raw %}\n```\n{{ kept }}\n```\n{% endraw %}\n',
    '{{ keep.me }}, not .\n\n`{% x %}`\n\n\n```\n{{ kept }}\n```',
  ],
  ['{% raw %}{{{% endraw %} x {% raw %}}}{% endraw %}, not {{ me }}.\r\n\r\nB\r\n', '{{ x }}, not .\n\nB'],
])(
  'the text of a raw block stays as it is written, in prose and in code: %j',
  async (markdown, converted) => {
    const { texts, lines } = await convertTexts('jekyll', { 'a.md': markdown })
    expect(texts.get('a.md')).toContain(converted)
    expect(lines).toEqual(['a.md:1: warning QN-NOT-CONVERTED `{{ me }}` is left out.'])
  },
)

test('a highlight block becomes fenced code with its language, line numbers and marked lines', async () => {
  const { texts } = await convertTexts('jekyll', {
    'a.md': '{% highlight c++ linenos mark_lines="1 2" %}\na\n{% endhighlight %}\n',
  })
  expect(texts.get('a.md')).toContain('```c++ showLineNumbers {1,2}\na\n```\n')
})

test('includes and attributes are reported with their line in the file, and tables of contents are dropped silently', async () => {
  const { texts, lines } = await convertTexts('jekyll', {
    ...CONFIG,
    'a.md': '---\ntitle: A\n---\n* TOC\n{:toc}\n\nText {% include note.html %}\n{: .wide}\n',
  })
  expect(texts.get('a.md')).toBe('---\ntitle: A\nredirect_from:\n  - /a.html\n---\nText\n')
  expect(lines).toEqual([
    'a.md:7: warning QN-NOT-CONVERTED `{% include note.html %}` is left out.',
    'a.md:8: warning QN-NOT-CONVERTED `{: .wide}` is left out.',
  ])
})

test('a page below the top of the site is one, whatever its name', async () => {
  const files = { 'docs/contributing.md': '---\ntitle: A\n---\nText\n', 'CONTRIBUTING.md': '# B\n' }
  const jekyll = await convertTexts('jekyll', { '_config.yml': 'title: A\n', ...files })
  const eleventy = await convertTexts('eleventy', {
    '.eleventy.js': 'module.exports = () => ({})\n',
    ...files,
  })
  for (const { texts, lines } of [jekyll, eleventy]) {
    expect([...texts.keys()].filter((path) => path.endsWith('.md'))).toEqual(['docs/contributing.md'])
    expect(lines.join()).toContain('CONTRIBUTING.md: warning QN-NOT-CONVERTED')
  }
})
