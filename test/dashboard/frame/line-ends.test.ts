import fc from 'fast-check'
import { expect, test } from 'vitest'
import { withLineEnds, withLineFeeds } from '../../../src/dashboard/frame/line-ends.ts'

const line = fc.constantFrom(
  '',
  '',
  'Boats',
  '- nets',
  '\ttabbed',
  'ends in spaces  ',
  '\u2028',
  '🌊 sea',
  '```',
)
const ended = fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\r')), { maxLength: 12 })

/** Texts with any line ends, with and without a byte order mark and an end of the last line. */
const texts = fc
  .tuple(fc.constantFrom('', '\ufeff'), ended, fc.constantFrom('', 'last', 'last  '))
  .map(([mark, lines, last]) => mark + lines.flat().join('') + last)

/** Lines with their ends. */
const linesOf = (text: string) => text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? []

test('typing one letter changes the line that it is typed in, and no other', () => {
  fc.assert(
    fc.property(texts, fc.nat(), fc.constantFrom('x', ' ', '\t', 'é'), (stored, position, letter) => {
      const shown = withLineFeeds(stored)
      const at = position % (shown.length + 1)
      const saved = withLineEnds(shown.slice(0, at) + letter + shown.slice(at), stored)
      const [before, after] = [linesOf(stored), linesOf(saved)]
      const changed = after.filter((text, index) => text !== before[index])
      expect(changed.length).toBe(1)
      // A letter behind the last line end begins a line.
      expect(after.length - before.length).toBe(at === shown.length && /[\r\n]$|^$/.test(stored) ? 1 : 0)
    }),
    { numRuns: 500 },
  )
})

test('a text that was not edited has the bytes that are stored', () => {
  fc.assert(
    fc.property(texts, (stored) => {
      expect(withLineEnds(withLineFeeds(stored), stored)).toBe(stored)
    }),
  )
})

test('what a form sends is stored with the breaks that it has, whatever their ends are', () => {
  fc.assert(
    fc.property(texts, texts, (stored, sent) => {
      expect(withLineFeeds(withLineEnds(sent, stored))).toBe(withLineFeeds(sent))
    }),
    { numRuns: 500 },
  )
})

test.each([
  ['a line that is added', 'a\nnew\nb', 'a\r\nb', 'a\r\nnew\r\nb'],
  ['a line above all others', 'new\na\nb', 'a\r\nb', 'new\r\na\r\nb'],
  ['a line below the last one', 'a\nb\nc', 'a\r\nb', 'a\r\nb\r\nc'],
  ['a line that is split', 'a\nb\nc', 'ab\nc\r\n', 'a\nb\nc'],
  ['lines that change places', 'b\na\nc', 'a\r\nb\nc', 'b\na\r\nc'],
  ['two changed lines', 'A\nb\nC\nd', 'a\r\nb\nc\r\nd', 'A\r\nb\nC\r\nd'],
])('%s in a text with other ends than LF leaves the others alone', (_, sent, stored, saved) => {
  expect(withLineEnds(sent, stored)).toBe(saved)
})
