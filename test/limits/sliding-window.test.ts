import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  add,
  countAfter,
  dropUntil,
  newest,
  noTimestamps,
  oldestAfter,
} from '../../src/limits/sliding-window.ts'

const histories = fc.array(
  fc.record({ passes: fc.nat(5), adds: fc.nat(3), forgets: fc.option(fc.nat(30)), asks: fc.nat(40) }),
  { maxLength: 60 },
)

test('a window decides like a plain list, and uses at most twice its memory', () => {
  fc.assert(
    fc.property(histories, (history) => {
      const moments = noTimestamps()
      let plain: number[] = []
      let now = 0
      for (const { passes, adds, forgets, asks } of history) {
        now += passes
        for (let i = 0; i < adds; i++) {
          add(moments, now)
          plain.push(now)
        }
        if (forgets !== null) {
          dropUntil(moments, now - forgets)
          plain = plain.filter((moment) => moment > now - forgets)
          expect(moments.values.length).toBeLessThanOrEqual(2 * plain.length)
        }
        const later = plain.filter((moment) => moment > now - asks)
        expect(countAfter(moments, now - asks)).toBe(later.length)
        expect(oldestAfter(moments, now - asks)).toBe(later[0] ?? null)
        expect(newest(moments, asks + 1)).toBe(plain.at(-asks - 1) ?? null)
      }
    }),
  )
})

test('there is no newest entry beyond the number of entries', () => {
  const moments = noTimestamps()
  add(moments, 7)
  expect([newest(moments, 1), newest(moments, 2), newest(moments, Infinity)]).toEqual([7, null, null])
})
