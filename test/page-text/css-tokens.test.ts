import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cssTokens } from '../../src/page-text/css-tokens.ts'

const tokensOf = (css: string) => [...cssTokens(css)]
const valuesOf = (css: string, kind: string) =>
  tokensOf(css).flatMap((token) => (token.kind === kind ? [token.value] : []))

describe('tokens of a style sheet', () => {
  test.each([
    ['url(a.png)', 'a.png'],
    ['url( a.png )', 'a.png'],
    ['URL(a.png)', 'a.png'],
    ['u\\72l(a.png)', 'a.png'],
    ['url(a\\.png)', 'a.png'],
    ['url(java\\73 cript:x)', 'javascript:x'],
    ['url(unclosed', 'unclosed'],
  ])('%j names the address %j', (css, address) => {
    expect(valuesOf(css, 'url')).toEqual([address])
  })

  test.each([
    [`url("a.png")`, 'a.png'],
    [`url( 'a.png' )`, 'a.png'],
    [`image-set("a.png" 1x)`, 'a.png'],
    [`@import "a\\2e css"`, 'a.css'],
    [`"line \\\nbroken"`, 'line broken'],
    [`"unclosed`, 'unclosed'],
  ])('%j holds the string %j', (css, text) => {
    expect(valuesOf(css, 'string')).toEqual([text])
  })

  test.each([
    ['@IMPORT url(a)', '@import'],
    ['@im\\70ort url(a)', '@import'],
    ['@\\69mport url(a)', '@import'],
    ['@-webkit-keyframes x', '@-webkit-keyframes'],
  ])('%j is the at-rule %s, as in browsers', (css, rule) => {
    expect(valuesOf(css, 'word')[0]).toBe(rule)
  })

  test('comments hide their content, closed or not', () => {
    expect(valuesOf('/* url(a) */ b /* @import "c"', 'comment')).toHaveLength(2)
    expect(tokensOf('/* url(a) @import "b" */').map(({ kind }) => kind)).toEqual(['comment'])
  })

  test('an escape of an invalid code point is the replacement character', () => {
    for (const written of ['\\0', '\\d800', '\\110000'])
      expect(valuesOf(`"${written}"`, 'string')).toEqual(['\ufffd'])
  })

  test('tokens are in order and cover the text from its start', () => {
    const piece = fc.constantFrom(
      'url(',
      ')',
      '"',
      "'",
      '\\',
      '/*',
      '*/',
      '@import',
      'a',
      ' ',
      '\n',
      '{',
      ';',
      'é',
      '😀',
    )
    const css = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(piece, { maxLength: 40 }).map((all) => all.join('')),
    )
    fc.assert(
      fc.property(css, (text) => {
        const places = tokensOf(text).map(({ at }) => at)
        expect(places).toEqual([...new Set(places)].sort((a, b) => a - b))
        expect(places[0] ?? 0).toBe(0)
        expect(places.every((at) => at < text.length)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  test('hostile text takes linear time', () => {
    const countOf = (css: string) => tokensOf(css).length
    for (const hostile of ['"', "'\\", '/*', 'url(', 'url( ', '\\', '@', 'url(\\']) {
      const text = hostile.repeat(50_000)
      expect(countOf(text)).toBeLessThanOrEqual(text.length)
    }
  })
})
