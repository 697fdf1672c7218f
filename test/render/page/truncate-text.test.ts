import fc from 'fast-check'
import { expect, test } from 'vitest'
import { truncateText } from '../../../src/render/page/truncate-text.ts'

test('a short text stays, on one line', () => {
  expect(truncateText(' one\n two ', 20)).toBe('one two')
})

test('a long text is cut at a word boundary', () => {
  expect(truncateText('one two three', 7)).toBe('one two')
  expect(truncateText('one two three', 9)).toBe('one two')
})

test('a text without spaces is cut between code points', () => {
  expect(truncateText('一二三四五', 3)).toBe('一二三')
  expect(truncateText('ab😀', 3)).toBe('ab')
})

test('truncated text is a prefix within the limit', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 30 }), (text, most) => {
      const cut = truncateText(text, most)
      expect(cut.length).toBeLessThanOrEqual(most)
      expect(text.replace(/\s+/g, ' ').trim().startsWith(cut)).toBe(true)
    }),
  )
})
