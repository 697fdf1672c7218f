import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PageId, ReleaseId } from '../../../src/domain/ids.ts'
import { nextInLine, type WaitingRelease } from '../../../src/publish/decide/next-in-line.ts'

const LIMITS = { awaited: 500, background: 500 }

/** @param text releases such as `a`: page a in the background, `A`: page a awaited, `!`: a Data Mode change, `>`: an awaited change of redirects. */
function queueOf(text: string): readonly WaitingRelease[] {
  return [...text].map((letter, index) => ({
    id: `${letter}${index}` as ReleaseId,
    pageId: /[!>]/.test(letter) ? null : (letter.toLowerCase() as PageId),
    op: letter === '!' ? 'enable' : letter === '>' ? 'redirects' : 'publish',
    deadlineAt: letter === letter.toUpperCase() ? '2026-01-02T03:04:05.678Z' : null,
  }))
}

function next(text: string, limits = LIMITS): readonly string[] {
  return nextInLine(queueOf(text), limits).map(({ id }) => id)
}

test('releases that requests await come before others', () => {
  expect(next('abcDefG')).toEqual(['D3', 'G6'])
  expect(next('abc')).toEqual(['a0', 'b1', 'c2'])
  expect(next('')).toEqual([])
})

test('an earlier release of the same page comes with an awaited one, and before it', () => {
  expect(next('abacAd')).toEqual(['a0', 'a2', 'A4'])
})

test('a Data Mode change waits for everything before it, and is claimed alone', () => {
  expect(next('ab!C')).toEqual(['a0', 'b1'])
  expect(next('aB!C')).toEqual(['B1'])
  expect(next('!aB')).toEqual(['!0'])
})

test('a change of redirects comes with the awaited ones, waits for no others, and is claimed alone', () => {
  expect(next('ab>C')).toEqual(['>2'])
  expect(next('aB>C')).toEqual(['B1'])
  expect(next('>>aB')).toEqual(['>0'])
})

test('claims of both kinds have their own limit', () => {
  expect(next('abc', { awaited: 9, background: 2 })).toEqual(['a0', 'b1'])
  expect(next('aBCD', { awaited: 2, background: 9 })).toEqual(['B1', 'C2'])
})

test('everything is claimed once, and the releases of a page in the order of their acceptance', () => {
  const letters = fc.array(fc.constantFrom(...'abcABC!'), { maxLength: 30 })
  const limit = fc.integer({ min: 1, max: 4 })
  fc.assert(
    fc.property(letters, limit, limit, (text, awaited, background) => {
      let waiting = queueOf(text.join(''))
      const claimed: WaitingRelease[] = []
      while (waiting.length > 0) {
        const batch = nextInLine(waiting, { awaited, background })
        expect(batch.length).toBeGreaterThan(0)
        claimed.push(...batch)
        waiting = waiting.filter((release) => !batch.includes(release))
      }
      expect(claimed).toHaveLength(text.length)
      const positions = (of: readonly WaitingRelease[]) => of.map(({ id }) => Number(id.slice(1)))
      for (const page of 'abc') {
        const own = positions(claimed.filter(({ pageId: id }) => id === page))
        expect(own).toEqual([...own].sort((a, b) => a - b))
      }
      for (const [index, { pageId: page, id }] of claimed.entries())
        if (page === null)
          expect(Math.max(-1, ...positions(claimed.slice(0, index)))).toBeLessThan(Number(id.slice(1)))
    }),
  )
})
