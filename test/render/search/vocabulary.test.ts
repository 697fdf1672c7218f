import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createVocabulary } from '../../../src/render/search/vocabulary.ts'
import { runs } from '../../support/long-form.ts'

const WORD = fc.oneof(
  fc.stringMatching(/^[ab]{1,4}$/),
  fc.stringMatching(/^[a-z0-9]{1,32}$/),
  fc.constantFrom('語', '한글', 'été', '😀x', '\ud83d', '\ude00'),
)

/** Where no more than one slot is looked at, many words find none. */
test.each([undefined, 1])('different words have different numbers, and a word has one (%s)', (mostLooks) => {
  fc.assert(
    fc.property(fc.array(fc.array(WORD), { maxLength: 20 }), (pages) => {
      const vocabulary = createVocabulary(mostLooks)
      const expected = new Map<string, number>()
      for (const words of pages) {
        for (const word of words) if (!expected.has(word)) expected.set(word, expected.size)
        const numbers = vocabulary.numbersOf(words.join(' '), words.length)
        expect([...numbers]).toEqual(words.map((word) => expected.get(word)))
      }
      expect(vocabulary.size()).toBe(expected.size)
      expect(vocabulary.words()).toEqual([...expected.keys()])
    }),
    { numRuns: runs(1_000) },
  )
})

test.each([undefined, 1])('as many words as a large site has are told apart (%s)', (mostLooks) => {
  const vocabulary = createVocabulary(mostLooks)
  const words = Array.from({ length: 100_000 }, (_, n) => `${'w'.repeat(n % 20)}${n}`)
  const numbers = vocabulary.numbersOf(words.join(' '), words.length)
  expect(numbers).toEqual(Uint32Array.from(words, (_, n) => n))
  expect(vocabulary.numbersOf(words.toReversed().join(' '), words.length)).toEqual(numbers.toReversed())
  expect(vocabulary.words()).toEqual(words)
})
