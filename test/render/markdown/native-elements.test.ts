import { readdirSync, readFileSync } from 'node:fs'
import { tests } from 'commonmark-spec'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { withinEngine } from '../../../src/render/markdown/limits.ts'
import { printedElements } from '../../../src/render/markdown/native-elements.ts'
import { isTame } from '../../../src/render/markdown/native-printer-guard.ts'
import { markdownParser } from '../../../src/render/markdown/parser.ts'
import { renderMarkdown } from '../../../src/render/markdown/render-markdown.ts'
import { HOSTILE_KINDS, hostileMarkdown } from '../../support/hostile-markdown.mjs'
import { runs } from '../../support/long-form.ts'
import { markdownSources } from '../../support/markdown-sources.ts'

const { parse, print } = markdownParser

/** What comes of it, or why nothing does, and which URLs were asked for. */
function outcomeOf(source: string, title: string | undefined, byTree: boolean): unknown {
  const asked: string[] = []
  const href = (url: string) => {
    asked.push(url)
    return url.includes('refused') ? null : `mapped:${url}`
  }
  const options = { href, ...(title !== undefined && { title }), reservedIds: ['content'], idPrefix: 'p-' }
  try {
    return { ...renderMarkdown(source, byTree ? { ...options, parse } : options), asked }
  } catch (error) {
    return String(error)
  }
}

/** @returns whether the page was made of what the parser printed. */
function expectTheSame(source: string, title?: string): boolean {
  expect(outcomeOf(source, title, false)).toEqual(outcomeOf(source, title, true))
  const html = isTame(source) ? print?.(source) : null
  return typeof html === 'string' && printedElements(html) !== null
}

/** Of what begins HTML, or seems to, and what else comes to a `<`. */
const openings = fc
  .array(
    fc.constantFrom(
      ...['<', '>', '<em>', '</em>', '<b', '<br>', '<!--', '-->', '<?', '<![CDATA[', '<script>', '</p>'],
      ...['&lt;', '&LT;', '&#60;', '&#x3c;', '&nvlt;', '&amp;lt;', '<https://a.example>', '<a@b.example>'],
      ...[
        '`<em>`',
        '`',
        '```\n',
        '    ',
        '![a<b](c)',
        '[a](<b>)',
        '[a](b<c "d<e")',
        'a < b',
        'a',
        ' ',
        '\n',
        '\n\n',
      ],
    ),
    { maxLength: 10 },
  )
  .map((parts) => parts.join(''))

const fixtures = new URL('../../../fixtures/markdown/', import.meta.url)
const fixture = (name: string) => readFileSync(new URL(`${name}/input.md`, fixtures), 'utf8')

describe('a page made of what the parser prints is the one that its whole tree makes', () => {
  test('whatever is written', () => {
    let count = 0
    fc.assert(
      fc.property(markdownSources, fc.constantFrom(undefined, '', 'One', 'a'), (source, title) => {
        count += Number(expectTheSame(source, title))
      }),
      { numRuns: runs(4000) },
    )
    expect(count).toBeGreaterThan(runs(4000) / 5)
  })

  test('whatever of it may be HTML', () => {
    let count = 0
    fc.assert(
      fc.property(openings, (source) => {
        count += Number(expectTheSame(source))
      }),
      { numRuns: runs(4000) },
    )
    expect(count).toBeGreaterThan(runs(4000) / 20)
  })

  test('of the examples of CommonMark', () => {
    const printed = tests.filter(({ markdown }) => expectTheSame(markdown.replaceAll('→', '\t')))
    expect(printed.length).toBeGreaterThan(tests.length / 2)
  })

  test('of every fixture', () => {
    const printed = readdirSync(fixtures).filter((name) => expectTheSame(fixture(name), 'Title'))
    expect(printed).toEqual(expect.arrayContaining(['autolinks', 'lists', 'strikethrough', 'tables']))
  })

  test.each(HOSTILE_KINDS)('of hostile Markdown: %s', (kind) => {
    expectTheSame(hostileMarkdown(kind, 240))
  })

  test.each([
    ['a heading that says what the title says', '# *One* `x` ![of](a.png)\n\nText', 'one x of'],
    ['a heading of nothing but a link that is dropped', '## [](javascript:a)\n\nText', ''],
    ['a paragraph of nothing but links that are dropped', 'a\n\n[](javascript:a)![](data:b)\n\nb', ''],
    ['a link to a place that comes later', '[a](#later)\n\n## Later', ''],
    ['an image with a caption', '![a|20x30](b.png "A *caption* <em>")', ''],
    ['tags in what is said of an image', '![<em><b> </p>](b.png "</a><h2>")\n\n> a', ''],
    [
      'many lists within each other',
      Array.from({ length: 70 }, (_, n) => `${'  '.repeat(n)}- a`).join('\n'),
      '',
    ],
    ['much emphasis within each other', `${'*a '.repeat(300)}b${'*'.repeat(300)}`, ''],
    ['more emphasis one after the other', '*a* **b** ~~c~~ '.repeat(80), ''],
  ])('of %s', (_, source, title) => {
    expectTheSame(source, title)
  })
})

describe('what the parser did not print of Markdown becomes no element', () => {
  test.each([
    '<script>a</script>',
    '<p onclick="a">b</p>',
    '<p class="a">b</p>',
    '<a href="b" onclick="c">d</a>',
    '<img src="a" alt="b" onerror="c">',
    '<em style="a">b</em>',
    '<P>a</P>',
    '<p>a',
    'a</p>',
    '<p><a href="b">c</p></a>',
    '<svg><p>a</p></svg>',
    '<!-- a -->',
    '<pre><code>a<b></code></pre>',
    '<input type="text">',
    '<input type="checkbox" disabled>',
    '<td style="text-align: left; color: red">a</td>',
    '<li class="a">b</li>',
    '<br/>',
    '< p>',
  ])('%s', (html) => {
    expect(printedElements(html)).toBeNull()
  })

  test('nor does a URL of an unsafe scheme', () => {
    const { tree, droppedUrls } = printedElements('<p><a href="javascript:a">b</a></p>') ?? {}
    expect(JSON.stringify(tree)).not.toContain('href')
    expect(droppedUrls).toEqual(['javascript:a'])
  })
})

test.each([
  ['tildes', '~'.repeat(200_000), true],
  ['backticks', `a ${'`'.repeat(200_000)}`, true],
  ['fences in one word', '~~~a'.repeat(100_000), false],
  ['fences before blanks', `~~~${' '.repeat(200_000)}`, true],
  ['fences with blanks between', '``` '.repeat(100_000), true],
  ['cells', '|'.repeat(200_000), false],
  ['brackets', '['.repeat(200_000), true],
])('many %s are told in linear time', (_, source, isTold) => {
  // In quadratic time twenty times would be half an hour.
  for (let times = 0; times < 20; times += 1) expect(isTame(source)).toBe(isTold)
})

test('a source that could grow beyond all bounds is not printed before that is known', () => {
  const wide = `|${'a|'.repeat(5_000)}\n|${'-|'.repeat(5_000)}\n${'|\n'.repeat(5_000)}`
  expect(isTame(wide)).toBe(false)
  expect(isTame('[a]: /b')).toBe(false)
  expect(isTame(`a${' '.repeat(2_000_000)}`)).toBe(false)
  expect(() => withinEngine(() => renderMarkdown(wide, { href: (url) => url }))).toThrow('expand too far')
})
