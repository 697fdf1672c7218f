import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type DiffLine, textDiff } from '../../../src/dashboard/frame/text-diff.ts'

const shown = ({ lines }: { readonly lines: readonly DiffLine[] }) =>
  lines.map(({ kind, text }) => `${{ same: ' ', added: '+', removed: '-', gap: '…' }[kind]}${text}`)
const numbered = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => `line ${from + at}`).join('\n')

test('a changed line is shown with three lines on both sides', () => {
  const before = numbered(0, 20)
  expect(shown(textDiff(before, before.replace('line 9\n', 'other\n')))).toEqual([
    ...['…', ' line 6', ' line 7', ' line 8', '-line 9', '+other', ' line 10', ' line 11', ' line 12', '…'],
  ])
})

test('a change at the start or the end has a gap on one side only', () => {
  const text = numbered(0, 9)
  expect(shown(textDiff(text, `first\n${text}`))).toEqual(['+first', ' line 0', ' line 1', ' line 2', '…'])
  expect(shown(textDiff(text, `${text}\nlast`))).toEqual(['…', ' line 6', ' line 7', ' line 8', '+last'])
})

test('the shown lines lead from one text to the other where nothing is left out', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', '', 'ab'), { maxLength: 12 })
    .map((lines) => lines.join('\n'))
  fc.assert(
    fc.property(text, text, (before, after) => {
      const { lines, added, removed, isCut } = textDiff(before, after)
      expect(isCut).toBe(false)
      const side = (other: DiffLine['kind']) =>
        lines.filter(({ kind }) => kind !== other && kind !== 'gap').map(({ text }) => text)
      const own = (text: string) => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))
      if (lines.some(({ kind }) => kind === 'gap')) return
      // Equal texts have no difference to show lines around.
      if (added + removed === 0) return
      expect(side('added')).toEqual(own(before))
      expect(side('removed')).toEqual(own(after))
    }),
    { numRuns: 500 },
  )
})

test('a difference of millions of lines is counted whole and shown in part', () => {
  const [before, after] = ['a\nb\n'.repeat(350_000), 'b\nc\n'.repeat(350_000)]
  const { lines, added, removed, isCut } = textDiff(before, after)
  expect({ shown: lines.length, added, removed, isCut }).toEqual({
    shown: 600,
    added: 700_000,
    removed: 700_000,
    isCut: true,
  })
})

test('a line of millions of characters is cut', () => {
  const { lines, isCut } = textDiff('', '&'.repeat(2_000_000))
  expect([lines.length, lines[0]?.text.length, isCut]).toEqual([1, 60_001, true])
})
