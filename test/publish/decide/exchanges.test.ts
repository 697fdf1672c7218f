import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PageId } from '../../../src/domain/ids.ts'
import { leavingPages, type Move } from '../../../src/publish/decide/exchanges.ts'

const move = (pageId: string, from: string | null, to: string): Move => ({
  pageId: pageId as PageId,
  from,
  to,
})
/** Every moving page is live at its path, and so are the others. */
const leaving = (moves: readonly Move[], others: Readonly<Record<string, string>> = {}) => {
  const live = moves.flatMap(({ pageId, from }) => (from === null ? [] : [[from, pageId] as const]))
  return [
    ...leavingPages(moves, new Map([...live, ...(Object.entries(others) as [string, PageId][])])),
  ].sort()
}

test('pages in a circle leave their paths, and so do those in a row that ends at a free path', () => {
  expect(leaving([move('a', '/x', '/y'), move('b', '/y', '/x')])).toEqual(['a', 'b'])
  expect(leaving([move('a', '/x', '/y'), move('b', '/y', '/z'), move('c', '/z', '/x')])).toEqual([
    'a',
    'b',
    'c',
  ])
  expect(leaving([move('a', '/x', '/y'), move('b', '/y', '/z')])).toEqual(['a', 'b'])
})

test('pages in a row that ends at a page which stays all stay', () => {
  expect(leaving([move('a', '/x', '/y'), move('b', '/y', '/z')], { '/z': 'other' })).toEqual([])
  expect(leaving([move('a', '/x', '/y'), move('b', '/y', '/y')])).toEqual([])
})

test('the second of two pages that move to one path stays', () => {
  expect(leaving([move('a', '/x', '/free'), move('b', '/y', '/free'), move('c', '/z', '/y')])).toEqual(['a'])
})

test('a page that goes live for the first time leaves no path', () => {
  expect(leaving([move('a', null, '/y'), move('b', '/y', '/z')])).toEqual(['b'])
})

test('whatever the moves, no two pages are at one path when those that leave have moved and all others stay', () => {
  const path = fc.constantFrom('/1', '/2', '/3', '/4', '/5')
  const targets = fc.array(path, { maxLength: 5 })
  fc.assert(
    fc.property(targets, (to) => {
      const moves = to.map((target, i) => move(`page${i}`, `/${i + 1}`, target))
      const live = new Map(['/1', '/2', '/3', '/4', '/5'].map((at, i) => [at, `page${i}` as PageId]))
      const left = leavingPages(moves, live)
      const after = [...live].map(([from, page]) => {
        const moved = moves.find(({ pageId }) => pageId === page && left.has(page))
        return moved?.to ?? from
      })
      expect(new Set(after).size).toBe(after.length)
    }),
  )
})
