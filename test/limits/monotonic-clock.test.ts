import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMonotonicClock } from '../../src/limits/monotonic-clock.ts'

test('time passes as on the clock, and stands still while the clock is set back', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -1e9, max: 1e9 })), (readings) => {
      const steady = createMonotonicClock()
      const times = readings.map(steady)
      const passed = (list: readonly number[]) => list.slice(1).map((one, i) => one - (list[i] ?? one))
      expect(passed(times)).toEqual(passed(readings).map((ms) => Math.max(0, ms)))
      expect(times[0]).toBe(readings[0])
    }),
  )
})
