import { describe, expect, test } from 'vitest'
import { convertTexts } from './convert-texts.ts'

test('a folder with a configuration and content is detected as Hugo', async () => {
  const { texts } = await convertTexts(null, { 'hugo.toml': 'title = "My site"\n', 'content/a.md': '# A\n' })
  expect(texts.get('site.yaml')).toBe('name: My site\n')
})

test('the title, address, language, description and main menu become fields of site.yaml', async () => {
  const { texts, lines } = await convertTexts('hugo', {
    'hugo.yaml': `title: A
baseURL: https://example.com/a/
languageCode: de
params: { description: About A, logo: /l.png }
menu:
  main:
    - { name: Second, url: /b, weight: 2 }
    - { name: First, pageRef: /a, weight: 1 }
  side: []
`,
    'content/a.md': 'A\n',
  })
  expect(texts.get('site.yaml')).toBe(`name: A
url: https://example.com/a/
meta_description: About A
nav_links:
  - label: First
    href: /a
  - label: Second
    href: /b
branding:
  lang: de
`)
  expect(lines).toEqual([
    'hugo.yaml:4: warning QN-PARTLY-CONVERTED Only `description` of `params` is converted. Left out: `logo`.',
    'hugo.yaml:9: warning QN-NOT-CONVERTED The menu `side` is left out. Only `main` and `footer` are converted.',
  ])
})

test('taxonomies are reported with what happens to their pages', async () => {
  const { lines } = await convertTexts('hugo', {
    'hugo.toml': '[permalinks]\nposts = "/:year/:slug/"\n[taxonomies]\ntag = "tags"\nplace = "places"\n',
    'content/a.md': 'A\n',
  })
  expect(lines).toEqual([
    'hugo.toml:3: warning QN-NOT-CONVERTED The terms of `places` stay in `config` of each page, without lists of their own.',
  ])
})

test('a configuration that cannot be read is reported, and pages are converted without it', async () => {
  const { texts, lines } = await convertTexts('hugo', { 'hugo.toml': 'title = \n', 'content/a.md': 'A\n' })
  expect(texts.has('a.md')).toBe(true)
  expect(lines).toEqual([
    expect.stringMatching(/^hugo\.toml: warning QN-SOURCE-UNREADABLE The configuration cannot be read: .*$/),
  ])
})

test('pages in folders of articles and pages with a date become articles, others docs pages', async () => {
  const { texts } = await convertTexts('hugo', {
    'content/posts/a.md': 'A\n',
    'content/releases/b.md': '---\ndate: 2024-05-01\n---\nB\n',
    'content/docs/c.md': 'C\n',
    'content/posts/_index.md': '# Posts\n',
  })
  expect(texts.get('posts/a.md')).toContain('type: article\n')
  expect(texts.get('releases/b.md')).toContain('type: article\n')
  expect(texts.get('docs/c.md')).not.toContain('type:')
  expect(texts.has('posts/index.md')).toBe(false)
})

test('url, slug and aliases decide the path of a page and its redirects', async () => {
  const { texts, lines } = await convertTexts('hugo', {
    'content/a.md': '---\nurl: /x/y/\naliases: [/old, /Old/Page]\n---\nA\n',
    'content/docs/b.md': '---\nslug: c\naliases: [before]\n---\nB\n',
  })
  expect(texts.get('x/y.md')).toContain('redirect_from:\n  - /old\n  - /Old/Page\n')
  expect(texts.get('docs/c.md')).toContain('redirect_from:\n  - /docs/before\n')
  expect(lines).toEqual([])
})

test('pages of other languages get the path and the language tag that Hugo gives them', async () => {
  const { texts } = await convertTexts('hugo', {
    'hugo.toml': '[languages.en]\n[languages.de]\nlanguageCode = "de-AT"\n',
    'content/about.en.md': 'A\n',
    'content/about.de.md': 'B\n',
  })
  expect(texts.get('about.md')).not.toContain('lang:')
  expect(texts.get('de/about.md')).toContain('lang: de-AT\n')
})

test('files of a page bundle are assets next to the page, and other Markdown in it is reported', async () => {
  const { texts, lines } = await convertTexts('hugo', {
    'content/posts/lit/index.md': '![Flame](flame.png)\n',
    'content/posts/lit/flame.png': 'x',
    'content/posts/lit/part.md': 'Part\n',
    'content/page.html': '<p>HTML</p>',
  })
  expect(texts.get('posts/lit.md')).toContain('![Flame](/posts/lit/flame.png)')
  expect(lines).toEqual([
    'content/posts/lit/part.md: warning QN-NOT-CONVERTED The file is part of a page bundle, not a page. It is left out.',
  ])
})

test('known shortcodes become Markdown of Quoin', async () => {
  const { texts, lines } = await convertTexts('hugo', {
    'content/a.md':
      '---\ntitle: A\n---\n{{< notice warning "Hot" >}}\nCareful\n{{< /notice >}}\n\n{{< figure src="a.png" caption="Lamp" >}}\n\n[b]({{< ref "b.md" >}})\n\n{{< youtube abc >}}\n',
    'content/b.md': 'B\n',
  })
  expect(texts.get('a.md')).toContain(':::warning Hot\nCareful\n:::\n')
  expect(texts.get('a.md')).toContain('![Lamp](a.png "Lamp")')
  expect(texts.get('a.md')).toContain('[b](/b)')
  expect(texts.get('a.md')).toContain('[https://youtu.be/abc](https://youtu.be/abc)')
  expect(lines).toEqual([])
})

test('unknown shortcodes are left out with a warning at their line, and the text inside of them stays', async () => {
  const { texts, lines } = await convertTexts('hugo', {
    'content/a.md':
      '---\ntitle: A\n---\n{{< gallery dir="x" >}}\n\n{{% columns %}}\nText\n{{% /columns %}}\n',
  })
  expect(texts.get('a.md')).toContain('\nText\n')
  expect(lines).toEqual([
    'content/a.md:4: warning QN-NOT-CONVERTED `{{< gallery dir="x" >}}` is left out.',
    'content/a.md:6: warning QN-PARTLY-CONVERTED `{{% columns %}}` is left out. The text inside of it stays.',
  ])
})

test('an escaped shortcode stays as it is written, in prose and in code', async () => {
  const { texts, lines } = await convertTexts('hugo', {
    'content/a.md': 'Use {{</* figure src="x" */>}} and `{{%/* x */%}}`.\n\n```\n{{</* /x */>}}\n```\n',
  })
  expect(texts.get('a.md')).toContain('Use {{< figure src="x" >}} and `{{% x %}}`.\n\n```\n{{< /x >}}\n```\n')
  expect(lines).toEqual([])
})

describe('code', () => {
  test.each([
    [
      '{{< highlight python "linenos=table,hl_lines=2 4-5" >}}\na\n{{< /highlight >}}',
      'python showLineNumbers {2,4-5}',
    ],
    ['```go {linenos=true hl_lines=[2,"4-5"]}\na\n```', 'go showLineNumbers {2,4-5}'],
    ['```go {hl_lines=[3],title="a.go",linenos=false}\na\n```', 'go title="a.go" {3}'],
    ['```go {lineNos=inline hl_Lines=["2-3",5]}\na\n```', 'go showLineNumbers {2-3,5}'],
    ['```go {filename="a.go"}\na\n```', 'go title="a.go"'],
    ['``` {linenos=true}\na\n```', 'text showLineNumbers'],
  ])('keeps its line numbers, marked lines and title: %j', async (markdown, info) => {
    const { texts } = await convertTexts('hugo', { 'content/a.md': `${markdown}\n` })
    expect(texts.get('a.md')).toContain(`\`\`\`${info}\na\n\`\`\`\n`)
  })

  test.each([
    [
      'in a list',
      '- a\n\n  {{< highlight go >}}\n  b\n  {{< /highlight >}}\n- c',
      '- a\n\n  ```go\n  b\n  ```\n- c',
    ],
    ['after a list marker', '- {{< highlight go >}}b{{< /highlight >}}\n- c', '- ```go\n  b\n  ```\n- c'],
    ['in a quote', '> ```go {linenos=true}\n> b\n> ```', '> ```go showLineNumbers\n> b\n> ```'],
    [
      'between tags in a quote',
      '> {{< highlight html >}}\n> <br>\n> {{< /highlight >}}',
      '> ```html\n> <br>\n> ```',
    ],
    ['on the line of its tags', '{{< highlight html >}}<br>{{< /highlight >}}', '```html\n<br>\n```'],
    ['in a sentence', 'a {{< highlight go >}}b{{< /highlight >}} c', 'a \n```go\nb\n```\n c'],
    ['marked as inline', 'a {{< highlight go "hl_inline=true" >}}b{{< /highlight >}} c', 'a `b` c'],
    [
      'that contains a fence',
      '{{< highlight md >}}\n```go\nb\n```\n{{< /highlight >}}',
      '````md\n```go\nb\n```\n````',
    ],
    [
      'that contains a fence with options',
      '````md\n```go {linenos=true}\nb\n```\n````',
      '````md\n```go {linenos=true}\nb\n```\n````',
    ],
  ])('%s is fenced as a whole', async (_, markdown, converted) => {
    const { texts, lines } = await convertTexts('hugo', { 'content/a.md': `${markdown}\n` })
    expect(texts.get('a.md')).toBe(`---\ntitle: A\n---\n${converted}\n`)
    expect(lines).toEqual([])
  })

  test('is reported when its line numbers do not begin at 1', async () => {
    const { lines } = await convertTexts('hugo', {
      'content/a.md':
        'A\n\n```go {linenos=true,linenostart=9}\na\n```\n\n{{< highlight go "linenos=table,linenostart=3" >}}\na\n{{< /highlight >}}\n\n```go {linenos=true,linenostart=1}\na\n```\n',
    })
    expect(lines).toEqual([
      'content/a.md:3: warning QN-PARTLY-CONVERTED `linenostart=9` is left out: line numbers begin at 1.',
      'content/a.md:7: warning QN-PARTLY-CONVERTED `linenostart=3` is left out: line numbers begin at 1.',
    ])
  })
})

describe('cascade', () => {
  test('gives pages their fields: their own win, then those of the closest folder, then of the first rule', async () => {
    const { texts, lines } = await convertTexts('hugo', {
      'hugo.yaml': 'cascade: [{ description: Site }]\n',
      'content/_index.md': '---\ncascade: { author: Root }\n---\nHome\n',
      'content/posts/_index.md':
        '---\ncascade: [{ author: First, target: { path: "{/posts/a*,/none/**}" } }, { author: Second }]\n---\n',
      'content/posts/a.md': 'A\n',
      'content/posts/b.md': 'B\n',
      'content/posts/c.md': '---\nauthor: Own\n---\nC\n',
      'content/news/d.md': 'D\n',
    })
    const authorOf = (path: string) => /^author: (.*)$/m.exec(texts.get(path) ?? '')?.[1]
    expect(['posts/a.md', 'posts/b.md', 'posts/c.md', 'news/d.md'].map(authorOf)).toEqual([
      'First',
      'Second',
      'Own',
      'Root',
    ])
    expect(texts.get('posts/a.md')).toContain('description: Site\n')
    expect(lines).toEqual([
      'content/_index.md:1: warning QN-NOT-CONVERTED `author` is left out: only articles have an author.',
      'content/posts/_index.md: warning QN-NOT-CONVERTED The list of articles at /posts is generated. The text and fields of this file are left out.',
      'redirects.yaml: warning QN-UNUSED-REDIRECT /news/index.xml, /posts/index.xml: no feed or list of the new site has the same articles.',
    ])
  })

  test('applies to the kind of page that it names', async () => {
    const { texts } = await convertTexts('hugo', {
      'hugo.yaml': 'cascade: [{ description: Pages, target: { kind: page } }]\n',
      'content/docs/_index.md': 'Docs\n',
      'content/docs/a.md': 'A\n',
    })
    expect(texts.get('docs/a.md')).toContain('description: Pages\n')
    expect(texts.get('docs/index.md')).not.toContain('description')
  })
})

test('pictures of shortcodes are kept, also from assets, and their filters reported', async () => {
  const { texts, lines } = await convertTexts('hugo', {
    'content/a.md':
      '---\ntitle: A\n---\n{{< img\n  src="images/lamp.png"\n  alt="A lamp"\n  filter="Blur"\n>}}\n\n[{{< img src="lit.png" alt="Lit" >}}](https://example.com/)\n',
    'content/lit.png': 'x',
    'assets/images/lamp.png': 'x',
  })
  expect(texts.get('a.md')).toContain(
    '![A lamp](/images/lamp.png)\n\n[![Lit](/lit.png)](https://example.com/)\n',
  )
  expect(lines).toEqual(['content/a.md:4: warning QN-PARTLY-CONVERTED Of a picture, `filter` is left out.'])
})

test('a main language with a folder of its own keeps it', async () => {
  const { texts } = await convertTexts('hugo', {
    'hugo.yaml':
      'defaultContentLanguage: en\ndefaultContentLanguageInSubdir: true\nlanguages: { en: {}, de: {} }\n',
    'content/en/_index.md': 'Home\n',
    'content/en/a.md': '[home](/en/)\n',
    'content/de/a.md': 'A\n',
  })
  expect(texts.get('en/a.md')).toBe('---\ntitle: A\n---\n[home](/)\n')
  expect(texts.get('index.md')).toContain('redirect_from:\n  - /en\n')
  expect(texts.get('site.yaml')).toContain(
    '  - code: en\n    label: English\n    subroute: en\n    home: /\n',
  )
})

test('shortcodes that include a page or a file become its text', async () => {
  const { texts, lines } = await convertTexts('hugo', {
    'hugo.toml': 'title = "A"\n',
    'content/docs/a.md': `{{< include file="/_common/none" >}}

{{% include "_common/part.md" %}}

{{< readfile file="code.txt" code="true" lang="ini" >}}

Escaped: \`{{</* include "_common/part" */>}}\`
`,
    'content/docs/code.txt': 'a = `1`\n',
    'content/_common/_index.md': '---\ncascade:\n  build:\n    render: never\n---\n',
    'content/_common/part.md':
      '---\ntitle: Part\n---\nPart of [other](other.md), [top](/docs/a).\n\n{{% include "_common/deeper" %}}\n',
    'content/_common/deeper/index.md': 'Deeper.\n',
    'content/_common/other.md': 'Other.\n',
    'content/loop.md': 'Loop {{% include "loop.md" %}}\n',
  })
  expect(texts.get('docs/a.md')).toContain(`Part of [other](/common/other), [top](/docs/a).

Deeper.

\`\`\`ini
a = \`1\`
\`\`\`

Escaped: \`{{< include "_common/part" >}}\`
`)
  expect(lines.filter((line) => line.includes('include'))).toEqual([
    'content/docs/a.md:1: warning QN-NOT-CONVERTED `{{< include file="/_common/none" >}}` is left out.',
    'content/loop.md:1: warning QN-NOT-CONVERTED `{{% include "loop.md" %}}` is left out.',
  ])
})

test('terms of definition lists have the ids of the source site, where its configuration gives them ids', async () => {
  const page =
    '[to](#base-url)\n\n`Base URL`\n: One\n\nSecond (part)\n\n: Two\n: Three\n\nBase URL\n: Again\n'
  const config = (value: boolean) => `[markup.goldmark.parser]\nautoDefinitionTermID = ${value}\n`
  const { texts } = await convertTexts('hugo', { 'hugo.toml': config(true), 'content/a.md': page })
  expect(texts.get('a.md')).toContain(
    '<a id="base-url"></a>`Base URL`\n: One\n\n<a id="second-part"></a>Second (part)\n\n: Two\n: Three\n\nBase URL\n: Again\n',
  )
  const plain = await convertTexts('hugo', { 'hugo.toml': config(false), 'content/a.md': page })
  expect(plain.texts.get('a.md')).not.toContain('<a id=')
})
