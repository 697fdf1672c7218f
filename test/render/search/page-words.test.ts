import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createPageWords } from '../../../src/render/search/page-words.ts'
import { wordsIn } from '../../../themes/_shared/scripts/search/words.js'
import { runs } from '../../support/long-form.ts'

/** Separators, joiners, and characters that fold to several. */
const SIGNS = [
  ...[' ', '\n', '\t', '\u00a0', '\u3000', '\ufeff', '\0', '-', '.', '’', '…', '–', '_', '<', '='],
  ...[
    '\u0301',
    '\u0338',
    '\u3099',
    'é',
    'ß',
    'ﬁ',
    '½',
    'İ',
    'Σ',
    'ς',
    'K',
    'ｶ',
    'ﾞ',
    '語',
    '한',
    'ก',
    'ا',
    '\ud83d',
  ],
]

const TEXT = fc
  .array(
    fc.oneof(
      fc.constantFrom(...SIGNS),
      fc.constantFrom(' ', 'One', 'one', 'x'.repeat(40), 'y'.repeat(33)),
      fc.stringMatching(/^[A-Za-z0-9]{1,5}$/),
      fc.string({ unit: 'binary', maxLength: 3 }),
    ),
    { maxLength: 40 },
  )
  .map((pieces) => pieces.join(''))

test('the words counted are those that a query of the same text asks for', () => {
  fc.assert(
    fc.property(fc.array(TEXT, { maxLength: 4 }), (texts) => {
      const words = createPageWords()
      const times = new Map<string, number>()
      for (const text of texts) {
        const found = wordsIn(text)
        expect(words.read(text, 0, 0)).toBe(found.length)
        for (const word of found) times.set(word, (times.get(word) ?? 0) + 1)
      }
      // Their order is of no account: an index is sorted.
      const counted = [...words.occurrences].map(([word, { times }]) => [word, times] as const)
      expect(new Map(counted)).toEqual(times)
    }),
    { numRuns: runs(4_000) },
  )
})

test('a word leads to the place where it occurs first', () => {
  const words = createPageWords()
  words.read('Wedges', 6, 0)
  words.read('Of wedges', 4, 2)
  expect([...words.occurrences]).toEqual([
    ['wedges', { rank: 6, section: 0, times: 2 }],
    ['of', { rank: 4, section: 2, times: 1 }],
  ])
})

test('only the first 8,000 different words of a page are indexed', () => {
  const words = createPageWords()
  const text = Array.from({ length: 9_000 }, (_, n) => `w${n}`).join(' ')
  expect(words.read(text, 0, 0)).toBe(9_000)
  expect(words.occurrences.size).toBe(8_000)
})
