import fc from 'fast-check'
import { expect, test } from 'vitest'
import { htmlToMarkdown } from '../../../src/convert/html/html-to-markdown.ts'
import { type HtmlMeasure, measureHtml } from '../../../src/convert/html/measure-html.ts'
import { renderMarkdown } from '../../../src/render/markdown/render-markdown.ts'
import { growthOf, LINEAR_GROWTH } from '../../support/growth.ts'

const addressOf = (address: string) => (/^(?:javascript|data|vbscript):/i.test(address) ? null : address)

function convert(html: string): string {
  return htmlToMarkdown(html, { addressOf }).markdown
}

function rendered(markdown: string): HtmlMeasure {
  const { html } = renderMarkdown(markdown, { href: (url) => url })
  return measureHtml(html, addressOf) ?? expect.unreachable()
}

function missing(wanted: readonly string[], present: readonly string[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const each of present) counts.set(each, (counts.get(each) ?? 0) + 1)
  return wanted.filter((each) => {
    counts.set(each, (counts.get(each) ?? 0) - 1)
    return (counts.get(each) ?? 0) < 0
  })
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const word = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom('river', 'Straße', 'mill', '10', '2024', 'o’clock', '東京', 'x', 'café'),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      ...'* _ ** __ ` ~ ~~ ^ [ ] [a] [x] ( ) # ## + - -- 1. 2) | $ $5 $x$ == ==a== : ::: ::column :note :tada: ! !! < > & &amp; \\ { } {#id} {{a}} {% = --- ... a_b a*b x^2^ H~2~O [^1] https://e.example/a_b. @me a@b.co'.split(
        ' ',
      ),
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .string({ minLength: 1, maxLength: 6 })
      .map((text) => text.replace(/[\0\uFDD0-\uFDEF]/g, '')),
  },
)
const text = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => escaped(words.join(' ')))

const { block } = fc.letrec<{ inline: string; inlines: string; block: string; blocks: string }>((tie) => ({
  inline: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    text,
    fc
      .tuple(
        fc.constantFrom('b', 'strong', 'em', 'i', 'code', 'del', 'mark', 'sub', 'sup', 'span', 'u', 'kbd'),
        tie('inlines'),
      )
      .map(([name, inner]) => `<${name}>${inner}</${name}>`),
    fc
      .tuple(fc.integer({ min: 1, max: 99 }), tie('inlines'))
      .map(([id, inner]) => `<a href="/p/${id}">${inner}</a>`),
    fc
      .tuple(fc.integer({ min: 1, max: 99 }), text, fc.boolean())
      .map(
        ([id, alt, isTitled]) => `<img src="/i/${id}.png" alt="${alt}"${isTitled ? ` title="${alt}"` : ''}>`,
      ),
    fc.constant('<br>'),
  ),
  inlines: fc
    .array(fc.tuple(tie('inline'), fc.constantFrom(' ', '\n')), { minLength: 1, maxLength: 4 })
    .map((parts) => parts.flat().join('')),
  block: fc.oneof(
    { maxDepth: 3 },
    tie('inlines').map((inner) => `<p>${inner}</p>`),
    fc.tuple(fc.integer({ min: 1, max: 6 }), text).map(([level, inner]) => `<h${level}>${inner}</h${level}>`),
    text.map((code) => `<pre><code class="language-js">${code}\n  ${code}</code></pre>`),
    fc
      .tuple(fc.integer({ min: 1, max: 99 }), text, tie('inlines'))
      .map(
        ([id, alt, caption]) =>
          `<figure><img src="/f/${id}.jpg" alt="${alt}"><figcaption>${caption}</figcaption></figure>`,
      ),
    fc.constant('<hr>'),
    tie('blocks').map((inner) => `<blockquote>${inner}</blockquote>`),
    tie('blocks').map((inner) => `<div>${inner}</div>`),
    fc
      .tuple(
        fc.constantFrom('ul', 'ol'),
        fc.array(fc.oneof(tie('inlines'), tie('blocks')), { minLength: 1, maxLength: 3 }),
      )
      .map(([name, items]) => `<${name}>${items.map((item) => `<li>${item}</li>`).join('')}</${name}>`),
    fc
      .array(fc.tuple(tie('inlines'), fc.oneof(tie('inlines'), tie('blocks'))), {
        minLength: 1,
        maxLength: 3,
      })
      .map(
        (rows) =>
          `<table>${rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('')}</table>`,
      ),
    tie('blocks').map((inner) => `<details><summary>More</summary>${inner}</details>`),
    fc
      .tuple(tie('blocks'), tie('blocks'))
      .map(
        ([left, right]) =>
          `<div class="wp-block-columns"><div class="wp-block-column">${left}</div><div class="wp-block-column">${right}</div></div>`,
      ),
    fc.tuple(text, tie('blocks')).map(([term, meaning]) => `<dl><dt>${term}</dt><dd>${meaning}</dd></dl>`),
  ),
  blocks: fc.array(tie('block'), { minLength: 1, maxLength: 3 }).map((parts) => parts.join('\n')),
}))

test('the page of the Markdown has the words, links, pictures and headings of the HTML', () => {
  fc.assert(
    fc.property(fc.array(block, { minLength: 1, maxLength: 4 }), (blocks) => {
      const html = blocks.join('\n')
      const before = measureHtml(html, addressOf) ?? expect.unreachable()
      const markdown = convert(html)
      const after = rendered(markdown)
      expect(
        {
          words: missing(before.words, after.words),
          links: missing(before.links, after.links),
          pictures: missing(before.pictures, after.pictures),
          headings: missing(before.headings, after.headings),
        },
        markdown,
      ).toEqual({ words: [], links: [], pictures: [], headings: [] })
    }),
    { numRuns: 300 },
  )
})

test.each([
  [
    '<p>A <b> bold </b>word, snake_case, 5 * 3, [sic] and $5.</p>',
    'A **bold** word, snake_case, 5 * 3, [sic] and $5.\n',
  ],
  ['<p>H<sub>2</sub>O, x<sup>2</sup>, <kbd>Ctrl</kbd></p>', 'H~2~O, x^2^, <kbd>Ctrl</kbd>\n'],
  ['<p>one<br><br>two<br>three</p><p>&nbsp;</p>', 'one\n\ntwo\\\nthree\n'],
  ['<h1>Top</h1><h2 id="own">Next</h2>', '## Top\n\n## Next {#own}\n'],
  [
    '<pre class="wp-block-code"><code lang="php" class="language-php">&lt;?php\necho 1;\n</code></pre>',
    '```php\n<?php\necho 1;\n```\n',
  ],
  [
    '<figure><a href="/u/a.jpg"><img src="/u/a-300x200.jpg" alt="A mill"></a><figcaption>By <em>Ada</em></figcaption></figure>',
    '![A mill](/u/a.jpg "By Ada")\n',
  ],
  [
    '<figure><img src="/a.jpg" alt="A"><figcaption>By <a href="https://b.example">B</a></figcaption></figure>',
    '![A](/a.jpg)\n\n*By [B](https://b.example)*\n',
  ],
  [
    '<figure class="wp-block-gallery"><figure><img src="/1.jpg"><figcaption>One</figcaption></figure><figure><img src="/2.jpg"></figure></figure>',
    ':::columns\n::column\n![](/1.jpg "One")\n::column\n![](/2.jpg)\n:::\n',
  ],
  [
    '<figure class="wp-block-embed"><div class="wp-block-embed__wrapper">\nhttps://youtu.be/dQw4w9WgXcQ\n</div></figure>',
    '![](https://www.youtube.com/watch?v=dQw4w9WgXcQ)\n',
  ],
  [
    '<iframe src="https://maps.example/x" title="Map"></iframe>',
    '::embed[Map]{url="https://maps.example/x"}\n',
  ],
  ['<video src="/a.mp4" poster="/p.jpg" loop></video>', '::video{src="/a.mp4" poster="/p.jpg" loop}\n'],
  [
    '<table><tr><th>A</th><th>B</th></tr><tr><td>1<br>2</td><td><p>x</p><p>y|z</p></td></tr></table>',
    '| A | B |\n| - | - |\n| 1<br>2 | x<br>y\\|z |\n',
  ],
  ['<blockquote><p>Quote</p><cite>Ada</cite></blockquote>', '> Quote\n>\n> — Ada\n'],
  ['<dl><dt>Quoin</dt><dd>A wedge.</dd></dl>', 'Quoin\n: A wedge.\n'],
  [
    '<p>Text<sup id="r1"><a href="#f1">1</a></sup></p><div class="footnotes"><hr><ol><li id="f1">A note <a href="#r1">↩</a></li></ol></div>',
    'Text[^1]\n\n[^1]: A note\n',
  ],
  [
    '<div class="kg-card kg-callout-card kg-callout-card-green"><div class="kg-callout-emoji">💡</div><div class="kg-callout-text">Mind the gap</div></div>',
    ':::tip 💡\nMind the gap\n:::\n',
  ],
  ['<details><summary>More</summary><p>Inside</p></details>', ':::details More\nInside\n:::\n'],
])('writes %j as a person would', (html, markdown) => {
  expect(convert(html)).toBe(markdown)
})

test('reports what pages cannot contain, and keeps its text', () => {
  const { markdown, losses } = htmlToMarkdown(
    '<form>Name <input></form><script>a()</script><p><a href="javascript:a()">Go</a></p>',
    { addressOf },
  )
  expect(markdown).toBe('Name\n\nGo\n')
  expect(losses.map(({ message }) => message)).toEqual([
    '`<form>` becomes its text: pages have no forms.',
    '`<input>` is left out: pages cannot contain it.',
    '`<script>` is left out: pages cannot contain it.',
    'A link with an address that pages cannot have stays as its text.',
  ])
})

test.each([
  ['elements inside of each other', `${'<div>'.repeat(100_000)}deep`],
  [
    'formatting that is never closed',
    `${Array.from({ length: 2_000 }, (_, id) => `<b id=${id}>`).join('')}${'<p>deep'.repeat(2_000)}`,
  ],
  ['spans of cells', `<table>${'<tr><td colspan=1000 rowspan=1000>deep'.repeat(500)}</table>`],
  ['signs of Markdown', `<p>${'*_`[< deep'.repeat(20_000)}</p>`],
  ['emphasis', `<p>${'<b>deep</b> '.repeat(5_000)}</p>`],
])('hostile HTML, %s, keeps its text', (_, html) => {
  expect(htmlToMarkdown(html, { addressOf }).markdown).toContain('deep')
})

test.each([
  ['links that are never closed', '<a href="x">'],
  ['players in a row', '<iframe src="https://www.youtube.com/embed/x"></iframe>'],
  ['frames in a row', '<iframe src="https://codepen.io/a/embed/x"></iframe>'],
  ['places for links in a row', '<a id="x"></a>'],
  ['emphasis', '<b>a</b> '],
  ['emphasis without blanks', '<b>a</b>'],
  ['signs of Markdown', '*_`[&lt; a '],
])('the time for a page of many %s grows with its length', (_, part) => {
  const page = (size: number) => part.repeat(size / part.length)
  expect(growthOf(page, convert, 8_000)).toBeLessThan(LINEAR_GROWTH)
})
