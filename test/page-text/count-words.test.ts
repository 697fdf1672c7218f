import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countWords } from '../../src/page-text/count-words.ts'

describe('countWords', () => {
  test.each([
    ['', 0],
    [' \n\t ', 0],
    ['one', 1],
    ['Hello, world!', 2],
    ["don't stop", 2],
    ['state-of-the-art — and/or', 2],
    ['in 2026, at 3.5 %', 4],
    ['– • → 🎉', 0],
    ['Übung macht den Meister', 4],
    ['публикация страниц', 2],
    ['مرحبا بالعالم', 2],
    ['שלום עולם', 2],
    ['안녕하세요 세계', 2],
    ['你好世界', 2],
    ['我们使用 Quoin。', 3],
    ['今日は良い天気です', 5],
    ['ภาษาไทย', 2],
  ])('%j has %i words', (text, words) => {
    expect(countWords(text)).toBe(words)
  })

  test('joining two texts with a line break adds their word counts', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (one, other) => {
        expect(countWords(`${one}\n${other}`)).toBe(countWords(one) + countWords(other))
      }),
    )
  })

  test('in scripts with spaces, words are runs with a letter or digit', () => {
    const character = fc.constantFrom(...'abZ09-.,_ \n\t\u00a0\u2028éßЖ’…—٣½😀𝒜\ud800')
    fc.assert(
      fc.property(fc.string({ unit: character }), (text) => {
        expect(countWords(text)).toBe(text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length)
      }),
    )
  })

  test('a long run without spaces is counted completely', () => {
    expect(countWords('你好世界'.repeat(5_000))).toBe(10_000)
  })
})
