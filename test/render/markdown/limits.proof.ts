import type { Element, Root } from 'hast'
import { describe, expect, test } from 'vitest'
import { ServiceError } from '../../../src/domain/errors.ts'
import { assertOutput, assertPrintable, outputLimit } from '../../../src/render/markdown/limits.ts'
import { markdownToText } from '../../../src/render/markdown/markdown-to-text.ts'
import { remarkParser } from '../../../src/render/markdown/remark.ts'
import { renderInlineMarkdown, renderMarkdown } from '../../../src/render/markdown/render-markdown.ts'
import { satteriParser } from '../../../src/render/markdown/satteri.ts'

const href = (url: string) => url

/** `html`, or the message of the validation error. Rethrows other errors. */
function outcome(work: () => unknown): string {
  try {
    work()
    return 'html'
  } catch (error) {
    if (error instanceof ServiceError && error.name === 'validation_error') return error.message
    throw error
  }
}

const TOO_DEEP = 'Too complex to render: it is nested too deeply.'
const TOO_MANY = 'Too complex to render: a line opens more than 256 quotes and lists.'
const TOO_LONG = 'Too complex to render: its HTML grows too long.'
const EXPANDS = 'Too complex to render: its references and tables expand too far.'

const REFERENCES = 'Too complex to render: a long paragraph holds too many character references.'

const nested = (open: string, close: string, times: number) => `${open.repeat(times)}a${close.repeat(times)}`
const lines = (times: number, line: (index: number) => string) =>
  Array.from({ length: times }, (_, i) => line(i)).join('\n')

describe('character references', () => {
  test.each([
    ['in one line', '&amp;'.repeat(20_000), REFERENCES],
    ['in one paragraph', '&#38;\n'.repeat(20_000), REFERENCES],
    ['of 5 MiB', '&#x26;'.repeat(800_000), REFERENCES],
    ['with letters in upper case', '&AMP;'.repeat(20_000), REFERENCES],
    ['with hexadecimal digits in upper case', '&#X2A;'.repeat(20_000), REFERENCES],
    ['after a long text', `${'a'.repeat(4_000_000)}${'&lt;'.repeat(30)}`, REFERENCES],
    ['in paragraphs of their own', '&nbsp;a\n\n'.repeat(20_000), 'html'],
    ['in a paragraph people could write', 'a word&nbsp;of theirs '.repeat(2_000), 'html'],
    ['that are none', '&a b& ; &&'.repeat(20_000), 'html'],
  ])('are rendered or refused %s', (_, source, expected) => {
    expect(outcome(() => renderMarkdown(source, { href }))).toBe(expected)
  })
})

describe('deep nesting', () => {
  test.each([
    ['quotes', nested('>', '', 100_000), TOO_MANY],
    ['quotes after other lines', `a\n\nb\n${nested('>', '', 300)}\n`, TOO_MANY],
    ['quotes after a carriage return', `a\r${nested('>', '', 300)}\rb`, TOO_MANY],
    ['as many quotes as a line may open', nested('>', '', 256), TOO_DEEP],
    ['one quote more', nested('>', '', 257), TOO_MANY],
    ['quotes with spaces', nested('> ', '', 100_000), TOO_MANY],
    ['lists', nested('- ', '', 100_000), TOO_MANY],
    ['ordered lists', nested('1. ', '', 100_000), TOO_MANY],
    ['quotes and lists', nested('> - ', '', 100_000), TOO_MANY],
    ['lists over many lines', lines(400, (i) => `${'  '.repeat(i)}- a`), TOO_DEEP],
    ['quotes over many lines', lines(250, (i) => `${'>'.repeat(i)} a\n${'>'.repeat(i)}`), 'html'],
    ['emphasis', nested('*', '*', 100_000), TOO_DEEP],
    ['emphasis of both kinds', nested('*a **b ', ' c** d*', 10_000), TOO_DEEP],
    ['brackets that open', nested('[', '', 100_000), 'html'],
    ['brackets', nested('[', ']', 100_000), 'html'],
    ['images', nested('![', '](u)', 50_000), 'html'],
    ['raw HTML', nested('<div>', '', 20_000), TOO_DEEP],
    ['raw HTML in lines', nested('a <b>', '</b>', 20_000), TOO_DEEP],
    ['raw HTML between Markdown', nested('<ul><li>\n\n', '', 1_000), TOO_DEEP],
  ])('is rendered or refused for %s', (_, source, expected) => {
    expect(outcome(() => renderMarkdown(source, { href }))).toBe(expected)
  })

  test.each([
    ['quotes', nested('>', '', 5_000)],
    ['lists', nested('- ', '', 5_000)],
    ['emphasis', nested('*', '*', 1_000)],
    ['brackets', nested('[', ']', 2_000)],
    ['links', nested('[', '](u)', 500)],
    ['raw HTML', nested('<div>', '', 5_000)],
  ])('%s are refused by the JavaScript parser, too', (_, source) => {
    const parse = remarkParser('gfm')
    expect(outcome(() => renderMarkdown(source, { href, parse }))).toMatch(
      /^(?:html|Too complex to render: .*\.)$/,
    )
  })

  test('realistic text is far from the limits', () => {
    const source = `${lines(40, (i) => `${'  '.repeat(i)}- a`)}\n\n${'> '.repeat(60)}quote\n\n${nested('<div>', '</div>', 100)}`
    for (const parse of [satteriParser('gfm'), remarkParser('gfm')]) {
      expect(outcome(() => renderMarkdown(source, { href, parse }))).toBe('html')
    }
  })

  test('short texts and plain texts have the same limits', () => {
    expect(outcome(() => renderInlineMarkdown(nested('>', '', 1_000), { href }))).toBe(TOO_MANY)
    expect(outcome(() => markdownToText(nested('*', '*', 5_000)))).toBe(TOO_DEEP)
  })
})

describe('output that grows beyond its limit', () => {
  test.each([
    [
      'a long URL that many links reference',
      `[a]: /${'x'.repeat(50_000)}\n\n${'[a] '.repeat(2_000)}`,
      EXPANDS,
    ],
    [
      'a long title that many links reference',
      `[a]: / "${'x'.repeat(50_000)}"\n\n${'![a] '.repeat(2_000)}`,
      EXPANDS,
    ],
    [
      'a table of empty cells',
      `${'|a'.repeat(2_000)}|\n${'|-'.repeat(2_000)}|\n${'|\n'.repeat(2_000)}`,
      EXPANDS,
    ],
    ['footnotes with many references', `${'[^1]'.repeat(10_000)}\n\n[^1]: note`, TOO_LONG],
    [
      'bold text that every paragraph reopens',
      `<p>${lines(200, (i) => `<b title="${i}${'x'.repeat(100)}">`)}${'<p>a'.repeat(500)}`,
      TOO_LONG,
    ],
  ])('is refused when it has %s', (_, source, expected) => {
    expect(outcome(() => renderMarkdown(source, { href, parse: remarkParser('gfm') }))).toBe(expected)
  })

  test('URLs that `href` lengthens count with their new length', () => {
    const source = '[a](b) '.repeat(10_000)
    expect(outcome(() => renderMarkdown(source, { href }))).toBe('html')
    expect(outcome(() => renderMarkdown(source, { href: (url) => url.padEnd(1_000, 'x') }))).toBe(TOO_LONG)
  })

  test('other errors are passed on', () => {
    const fault = new RangeError('Unsafe storage path')
    const broken = () => {
      throw fault
    }
    expect(() => renderMarkdown('[a](b)', { href: broken })).toThrow(fault)
  })
})

describe('the exact limits of a tree', () => {
  const text = (value: string) => ({ type: 'text', value }) as const
  const element = (tagName: string, children: Element['children'], properties = {}): Element => ({
    type: 'element',
    tagName,
    properties,
    children,
  })
  const root = (...children: Root['children']): Root => ({ type: 'root', children })
  const deep = (levels: number): Root => {
    let inner: Element = element('b', [])
    for (let level = 1; level < levels; level++) inner = element('b', [inner])
    return root(inner)
  }

  test('512 elements in each other are printed, 513 are refused', () => {
    expect(outcome(() => assertPrintable(deep(512), 10_000))).toBe('html')
    expect(outcome(() => assertPrintable(deep(513), 10_000))).toBe(TOO_DEEP)
  })

  test('text, names and values of attributes count up to the limit', () => {
    const tree = root(element('p', [text('12345')], { id: 'abc', hidden: true }))
    const size = 'p'.length + '12345'.length + 'abc'.length
    expect(outcome(() => assertPrintable(tree, size))).toBe('html')
    expect(outcome(() => assertPrintable(tree, size - 1))).toBe(TOO_LONG)
  })

  test('HTML may be 20 times as long as its source plus 1 MiB, and no longer', () => {
    const limit = outputLimit('12345')
    expect(limit).toBe(1_048_676)
    expect(outcome(() => assertOutput('x'.repeat(limit), limit))).toBe('html')
    expect(outcome(() => assertOutput('x'.repeat(limit + 1), limit))).toBe(TOO_LONG)
  })
})
