import fc from 'fast-check'
import type { Element } from 'hast'
import rehypeRaw from 'rehype-raw'
import { unified } from 'unified'
import { describe, expect, test } from 'vitest'
import { remarkParser } from '../../../src/render/markdown/remark.ts'
import { renderInlineMarkdown, renderMarkdown } from '../../../src/render/markdown/render-markdown.ts'
import { satteriParser } from '../../../src/render/markdown/satteri.ts'
import { walk } from '../../../src/render/markdown/walk.ts'
import { runs } from '../../support/long-form.ts'

const htmlParser = unified().use(rehypeRaw).freeze()

/** The elements that a browser builds from a body. */
function elementsOf(html: string): readonly Element[] {
  const root = htmlParser.runSync({ type: 'root', children: [{ type: 'raw', value: html }] })
  return [...walk(root)].flatMap((node) => (node.type === 'element' ? [node] : []))
}

const MAPPED = '/mapped'
const href = () => MAPPED
const render = (markdown: string) => renderMarkdown(markdown, { href }).html

const DANGEROUS =
  /^(?:script|style|iframe|object|embed|svg|math|form|button|select|textarea|meta|base|link|template|frame|title)$/

/**
 * Elements and attributes of the body that could run code, style, frame, or link elsewhere than `href`
 * allowed.
 */
function dangersIn(html: string): readonly string[] {
  return elementsOf(html).flatMap(({ tagName, properties }) => {
    const attributes = Object.entries(properties).filter(
      ([name, value]) =>
        /^on|^style$|^srcdoc$|^action$|^formaction$|^background$|^target$|^name$|^xlink|^data$/i.test(name) ||
        ((name === 'href' || name === 'src' || name === 'poster') &&
          value !== MAPPED &&
          !String(value).startsWith('#')) ||
        (name === 'srcSet' && !/^\/mapped(?: \d+[wx])?(?:, \/mapped(?: \d+[wx])?)*$/.test(String(value))) ||
        (name === 'className' &&
          [value].flat().some((token) => /(?:^|\s)site-header(?:\s|$)/.test(String(token)))) ||
        (name === 'id' &&
          tagName === 'a' &&
          properties['href'] !== undefined &&
          !String(value).startsWith('user-content-')),
    )
    return [
      ...(DANGEROUS.test(tagName) ? [tagName] : []),
      ...attributes.map(([name]) => `${tagName}.${name}`),
    ]
  })
}

describe('a URL of an unsafe scheme is dropped and reported, its text stays', () => {
  test.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    '&#106;avascript:alert(1)',
    '&#x6A;avascript:alert(1)',
    'javascript&colon;alert(1)',
    'vbscript:msgbox(1)',
    'data:text/html,<b>',
    'data:image/svg+xml;base64,AAAA',
    'file:///etc/passwd',
    'blob:https://example.com/1',
    'view-source:https://example.com',
    'x-unknown:1',
  ])('for example the URL %s', (url) => {
    const sources = [
      `[text](<${url.replaceAll('<', '\\<').replaceAll('>', '\\>')}>)`,
      `<a href="${url}">text</a>`,
    ]
    for (const source of sources) {
      const { html, droppedUrls } = renderMarkdown(source, { href })
      expect(html).toBe('<p>text</p>')
      expect(droppedUrls).toHaveLength(1)
    }
  })

  test.each([
    ' javascript:alert(1)',
    '\tjavascript:alert(1)',
    'java\nscript:alert(1)',
    '\u0001javascript:alert(1)',
  ])('including white space in raw HTML: %j', (url) => {
    expect(render(`<a href="${url}">text</a>`)).toBe('<p>text</p>')
  })

  test('in images too, for which mail is no scheme', () => {
    expect(
      renderMarkdown('![a](javascript:x) ![b](data:image/png;base64,AA) ![c](mailto:a@b.c)', { href }),
    ).toMatchObject({
      html: '<p>a b c</p>',
      droppedUrls: ['javascript:x', 'data:image/png;base64,AA', 'mailto:a@b.c'],
    })
  })
})

describe('raw HTML cannot contain', () => {
  test.each([
    ['scripts', '<script>alert(1)</script>', ''],
    ['scripts within words', 'a<script>alert(1)</script>b', '<p>ab</p>'],
    ['styles', '<style>* { display: none }</style>', ''],
    ['style attributes', '<p style="position: fixed">a</p>', '<p>a</p>'],
    ['event handlers', '<b onclick="alert(1)" ONMOUSEOVER=alert(1)>a</b>', '<p><b>a</b></p>'],
    ['frames', '<iframe src="https://example.com"></iframe>', ''],
    ['frames with a document', '<iframe srcdoc="<script>alert(1)</script>"></iframe>', ''],
    ['drawings', '<svg><a xlink:href="javascript:alert(1)"><text>a</text></a></svg>', ''],
    ['formulas', '<math href="javascript:alert(1)"><mi>a</mi></math>', ''],
    ['forms', '<form action="https://example.com"><button formaction="x">a</button></form>', 'a'],
    ['fields', '<input name="q" value="x"><textarea>a</textarea><select><option>b</select>', ''],
    ['redirects', '<meta http-equiv="refresh" content="0;url=https://example.com">', ''],
    ['another base', '<base href="https://example.com/">', ''],
    ['style sheets', '<link rel="stylesheet" href="x.css">', ''],
    ['plug-ins', '<object data="x"></object><embed src="x">', ''],
    [
      'handlers of videos',
      '<video src="x.mp4" poster="x.png" onerror="x">a</video>',
      '<p><video src="/mapped" poster="/mapped" controls preload="metadata">a</video></p>',
    ],
    ['videos without a URL', '<video poster="x.png"><source><track src="x.vtt">a</video>', '<p>a</p>'],
    [
      'other sources of images that are no URLs with a size',
      '<img src="a.png" srcset="b.png 2x, c.png 3y, d.png 4x 5x, ," sizes="1px" alt="a">',
      '<img src="/mapped" alt="a" srcset="/mapped 2x" sizes="1px" loading="lazy" decoding="async">',
    ],
    ['classes', '<p class="site-header">a</p>', '<p>a</p>'],
    ['places in the tab order', '<p tabindex="1" accesskey="s" contenteditable>a</p>', '<p>a</p>'],
    [
      'other windows',
      '<a href="x" target="_top" download="Ä.zip" ping="y">a</a>',
      '<p><a href="/mapped" download="Ä.zip">a</a></p>',
    ],
    ['data of scripts', '<p data-controller="x" itemprop="y">a</p>', '<p>a</p>'],
    ['a closing tag too many', '</div></main></body>a', 'a'],
    ['unfinished comments', 'a <!-- <script>alert(1)</script>', '<p>a &lt;!-- </p>'],
    ['CDATA', '<![CDATA[<script>alert(1)</script>]]>', 'alert(1)]]>'],
    ['templates', '<template><script>alert(1)</script></template>', ''],
  ])('markup of this kind: %s', (_, source, html) => {
    expect(render(source)).toBe(html)
  })

  test('ids that the page relies on, and ids of links, whose URL a script would read as a variable', () => {
    const html = '<b id="content">a</b> <a id="config" href="/x">b</a> <a name="data" href="/x">c</a>'
    expect(renderMarkdown(html, { href, reservedIds: ['content'] }).html).toBe(
      '<p><b id="user-content-content">a</b> <a id="user-content-config" href="/mapped">b</a> <a id="user-content-data" href="/mapped">c</a></p>',
    )
  })
})

const tagNames = [
  'a',
  'b',
  'p',
  'div',
  'table',
  'tr',
  'td',
  'h2',
  'img',
  'svg',
  'math',
  'style',
  'script',
  'title',
  'template',
]
const moreTagNames = [
  'picture',
  'source',
  'video',
  'audio',
  'track',
  'aside',
  'form',
  'select',
  'option',
  'textarea',
  'noscript',
  'xmp',
  'plaintext',
  'iframe',
  'mglyph',
  'mi',
  'annotation-xml',
]
const attributes = [
  'href=',
  'src=',
  'srcset=',
  'poster=',
  'autoplay=',
  'style=',
  'onerror=',
  'onclick=',
  'id=',
  'name=',
  'class=',
  'action=',
  'xlink:href=',
  'data=',
  'background=',
]
const values = [
  '"javascript:alert(1)"',
  "'data:text/html,x'",
  'x',
  '"',
  "'",
  '`',
  'java&Tab;script:alert(1)',
  '" onclick="x',
  '//evil.example',
  '"javascript:alert(1) 1x, x 2x"',
  '"site-header a"',
]
const marks = [
  '[',
  ']',
  '](',
  ')',
  '![',
  '<',
  '>',
  '</',
  '/>',
  '<!--',
  '-->',
  '<![CDATA[',
  ']]>',
  '&lt;',
  '&#0;',
  '\n',
  '\n\n',
  '`',
  '```',
  '|',
  '> ',
  '- ',
  '#',
  '*',
  '\\',
  ' ',
  '\0',
]

const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(...marks),
      fc.constantFrom(...values),
      fc
        .tuple(
          fc.constantFrom('<', '</'),
          fc.constantFrom(...tagNames, ...moreTagNames),
          fc.constantFrom('>', ' ', '/', '\n'),
        )
        .map((parts) => parts.join('')),
      fc
        .tuple(fc.constantFrom(...attributes), fc.constantFrom(...values))
        .map((parts) => ` ${parts.join('')}`),
      fc.string({ maxLength: 5 }),
    ),
    { maxLength: 30 },
  )
  .map((pieces) => pieces.join(''))

describe.each([
  ['satteri', satteriParser('gfm')],
  ['remark', remarkParser('gfm')],
])('whatever is written, parsed with %s', (_, parse) => {
  test('the body contains nothing dangerous', () => {
    fc.assert(
      fc.property(hostile, (source) => {
        expect(dangersIn(renderMarkdown(source, { href, parse }).html)).toEqual([])
        expect(dangersIn(renderInlineMarkdown(source, { href, parse }).html)).toEqual([])
      }),
      { numRuns: runs(400) },
    )
  })

  test('the body is what a browser reads it as, so it cannot leave the place it is put', () => {
    fc.assert(
      fc.property(hostile, (source) => {
        const { html } = renderMarkdown(source, { href, parse })
        const around = elementsOf(`<main>${html}</main><footer></footer>`).filter(({ tagName }) =>
          /^(?:main|footer)$/.test(tagName),
        )
        expect(around.map(({ tagName }) => tagName)).toEqual(['main', 'footer'])
        expect(around[1]?.children).toEqual([])
      }),
      { numRuns: runs(200) },
    )
  })
})
