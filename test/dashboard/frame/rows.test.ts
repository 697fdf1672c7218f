import fc from 'fast-check'
import { expect, test } from 'vitest'
import { draggedRows, type Row } from '../../../src/dashboard/frame/rows.ts'

const MAX_DEPTH = 3

/** Rows of a tree: none is more than one level below the one before it. */
const trees = fc.array(fc.nat(MAX_DEPTH), { minLength: 1, maxLength: 8 }).map((wanted) => {
  const rows: Row[] = []
  for (const [index, depth] of wanted.entries())
    rows.push({
      depth: Math.min(depth, (rows.at(-1)?.depth ?? -1) + 1),
      values: { title: String(index) },
    })
  return rows
})

test('rows that are dragged anywhere are a tree of the same rows, no deeper than allowed', () => {
  fc.assert(
    fc.property(trees, fc.nat(7), fc.nat(8), fc.integer({ min: -3, max: 9 }), (rows, from, to, depth) => {
      const moved = draggedRows(rows, from % rows.length, { to, depth }, MAX_DEPTH)
      const titles = (all: readonly Row[]) => all.map(({ values }) => values['title']).sort()
      expect(titles(moved)).toEqual(titles(rows))
      for (const [index, row] of moved.entries()) {
        const most = Math.min((moved[index - 1]?.depth ?? -1) + 1, MAX_DEPTH)
        expect([index, row.depth >= 0, row.depth <= most]).toEqual([index, true, true])
      }
    }),
  )
})

test('a row takes those below it along', () => {
  const rows = [0, 0, 1, 0].map((depth, index) => ({ depth, values: { title: 'ABCD'[index] ?? '' } }))
  const shown = draggedRows(rows, 1, { to: 2, depth: 1 }, MAX_DEPTH).map(
    ({ depth, values }) => `${values['title']}${depth}`,
  )
  expect(shown).toEqual(['A0', 'D0', 'B1', 'C2'])
})
