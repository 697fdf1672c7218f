import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { markdownToText } from '../../../src/render/markdown/markdown-to-text.ts'
import {
  type MarkdownOptions,
  renderInlineMarkdown,
  renderMarkdown,
} from '../../../src/render/markdown/render-markdown.ts'

const href = (url: string) => url
const render = (source: string, options: Partial<MarkdownOptions> = {}) =>
  renderMarkdown(source, { href, ...options })

test.each(['', '\n', '\n\n'])('code that begins with %j is the same beside HTML', (start) => {
  const code = `\`\`\`\n${start}foo\n\`\`\`\n`
  const [plain, beside] = [render(code).html, render(`${code}\n<kbd>x</kbd>\n`).html]
  expect(plain).toContain(`<code>${start}foo\n</code>`)
  expect(beside).toBe(`${plain}\n<p><kbd>x</kbd></p>`)
})

describe('links and images', () => {
  test('every URL an author wrote is asked for with what it is for, and printed as answered', () => {
    const asked: string[] = []
    const { html } = render(
      '[a](a.md) <a href="b.md">b</a> ![c](c.png) <img src="d.png"> [e] <https://f.example>\n\n[e]: e.md',
      {
        href: (url, kind) => {
          asked.push(`${kind} ${url}`)
          return `/mapped/${url}`
        },
      },
    )
    expect(asked).toEqual([
      'link a.md',
      'link b.md',
      'image c.png',
      'image d.png',
      'link e.md',
      'link https://f.example',
    ])
    expect(html.match(/(?:href|src)="\/mapped\/[^"]*"/g)).toHaveLength(6)
  })

  test('a refused URL leaves its text and is reported', () => {
    const refuse = (url: string) => (url.startsWith('gone') ? null : url)
    expect(render('[a *b*](gone.md) ![c](gone.png) [d](e.md)', { href: refuse })).toMatchObject({
      html: '<p>a <em>b</em> c <a href="e.md">d</a></p>',
      droppedUrls: ['gone.md', 'gone.png'],
    })
  })

  test('links to another site say nothing about this one, as they are printed', () => {
    expect(render('[a](x)', { href: () => 'https://example.com' }).html).toContain(
      'rel="external noopener noreferrer"',
    )
    expect(render('[a](https://example.com)', { href: () => '/a/' }).html).not.toContain('rel=')
  })

  test('links within the page are not mapped', () => {
    expect(render('[a](#b)\n\n## B', { href: () => null }).html).toContain('<a href="#b">a</a>')
  })
})

describe('headings', () => {
  test('the table of contents has the second and third level, with ids that are there', () => {
    const { html, toc, ids } = render('# One\n\n## Two *b* `c`[^1]\n\n### Three\n\n#### Four\n\n[^1]: note')
    expect(toc).toEqual([
      { depth: 2, id: 'two-b-c', text: 'Two b c' },
      { depth: 3, id: 'three', text: 'Three' },
    ])
    expect(ids).toEqual(expect.arrayContaining(['one', 'two-b-c', 'three', 'four', 'user-content-fn-1']))
    for (const id of ids) expect(html).toContain(`id="${id}"`)
  })

  test('a first heading that repeats the title goes, other first-level headings become second-level', () => {
    const { html, toc } = render('#  My *page* \n\nText\n\n# My page', { title: 'My Page' })
    expect(html).toMatch(/^<p>Text<\/p>\n<h2 id="my-page">/)
    expect(toc).toEqual([{ depth: 2, id: 'my-page', text: 'My page' }])
  })

  test('a different first heading stays', () => {
    expect(render('# Other\n\nText', { title: 'My page' }).html).toMatch(/^<h2 id="other">/)
    expect(render('Text\n\n# My page', { title: 'My page' }).toc).toHaveLength(1)
    expect(render('# My page').html).toMatch(/^<h1 id="my-page">/)
  })

  test('headings do not take ids of the layout', () => {
    expect(render('## Main\n\n[here](#main-1)', { reservedIds: ['main'] }).html).toMatch(
      /<h2 id="main-1">.*href="#main-1"/s,
    )
  })

  test('bodies with different prefixes can share a page', () => {
    const source = '## Note[^1]\n\n[up](#note) <a name="x"></a> [x](#x)\n\n[^1]: Text.'
    const [one, other] = [render(source, { idPrefix: 'a-' }), render(source, { idPrefix: 'b-' })]
    expect(new Set([...one.ids, ...other.ids]).size).toBe(one.ids.length + other.ids.length)
    expect(other.html).toBe(one.html.replaceAll(/(id|href|aria-describedby)="(#?)a-/g, '$1="$2b-'))
    expect(fragments(one.html).every((fragment) => one.ids.includes(fragment))).toBe(true)
  })
})

function fragments(html: string): readonly string[] {
  return [...html.matchAll(/(?:href="#|aria-describedby=")([^"]+)"/g)].map(([, fragment]) => String(fragment))
}

const pieces = [
  '## A\n',
  '## a\n',
  '### A-1\n',
  '# !\n',
  'x[^a] y[^b]\n',
  '[^a]: one\n',
  '[^b]: two[^a]\n',
  '<a name="a"></a>\n',
]
const morePieces = [
  '<b id="a">b</b>\n',
  '<h2 id="a">A</h2>\n',
  '[a](#a) [b](#user-content-a)\n',
  '## user content a\n',
  '## user content fn a\n',
]
const pages = fc
  .array(fc.constantFrom(...pieces, ...morePieces, '## 你好\n'), { maxLength: 12 })
  .map((parts) => parts.join('\n'))

describe('laws', () => {
  test('ids are unique, listed once each, and those the table of contents names are among them', () => {
    fc.assert(
      fc.property(pages, (source) => {
        const { html, toc, ids } = render(source)
        const printed = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
        expect(new Set(printed).size).toBe(printed.length)
        expect([...printed].sort()).toEqual([...ids].sort())
        for (const { id } of toc) expect(ids).toContain(id)
      }),
    )
  })

  test('footnotes link to their notes and back', () => {
    fc.assert(
      fc.property(pages, (source) => {
        const { html, ids } = render(source)
        const marks = [...html.matchAll(/<a [^>]*data-footnote-(?:back)?ref[^>]*>/g)].flatMap(([mark]) =>
          fragments(mark),
        )
        for (const fragment of marks) expect(ids).toContain(fragment)
      }),
    )
  })

  test('the same source gives the same bytes, whatever was rendered in between', () => {
    fc.assert(
      fc.property(pages, pages, (one, other) => {
        const first = render(one)
        render(other)
        renderInlineMarkdown(other, { href })
        expect(render(one)).toEqual(first)
      }),
    )
  })
})

describe('short texts', () => {
  test.each([
    ['a **b** [c](d) `e` ~~f~~', 'a <strong>b</strong> <a href="d">c</a> <code>e</code> <del>f</del>'],
    ['# Heading', 'Heading'],
    ['- a\n- b', 'a\nb'],
    ['> quote', 'quote'],
    ['a<br>b <kbd>c</kbd>', 'a<br>b <kbd>c</kbd>'],
    ['<div>a</div><script>b</script>', 'a'],
    ['a[^1] b\n\n[^1]: note', 'a b'],
    ['![a](b.png)', '<img src="b.png" alt="a" loading="lazy" decoding="async">'],
    ['', ''],
  ])('are rendered inline, %j as %j', (source, html) => {
    expect(renderInlineMarkdown(source, { href }).html).toBe(html)
  })

  test('dropped links are reported', () => {
    expect(renderInlineMarkdown('[a](javascript:b) [c](d)', { href: () => null })).toEqual({
      html: 'a c',
      droppedUrls: ['javascript:b', 'd'],
      diagnostics: [],
    })
  })
})

describe('plain text', () => {
  test('is the text that visitors read', () => {
    const source = [
      '# Title',
      'Some *text*[^1] with a [link](x), `code` &amp; ![an image](y).',
      '- one\n- two',
      '| a | b |\n|---|---|\n| c | d |',
      '> [!NOTE]\n> Mind.',
      '```js\nlet x = 1\n```',
      '<div>HTML <script>no</script></div>',
      '[^1]: A note.',
    ].join('\n\n')
    expect(markdownToText(source)).toBe(
      'Title\n\nSome text with a link, code & .\n\none\ntwo\na\tb\nc\td\n\nNote\n\nMind.\n\nlet x = 1\n\nHTML\n\nA note.',
    )
  })
})
