import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { linearize, type Step } from './linearizable.ts'

const write = (invoked: number, answered: number, value: number): Step<number> => {
  return { invoked, answered, apply: () => value }
}
const read = (invoked: number, answered: number, value: number): Step<number> => {
  return { invoked, answered, apply: (state) => (state === value ? state : null) }
}
const isLinearizable = (...steps: readonly Step<number>[]) => linearize(steps, 0, String).isLinearizable

describe('a history of one number', () => {
  test('may show a concurrent write, or not yet', () => {
    expect(isLinearizable(write(0, 10, 1), read(1, 2, 1), read(3, 4, 1))).toBe(true)
    expect(isLinearizable(write(0, 10, 1), read(1, 2, 0), read(3, 4, 1))).toBe(true)
  })

  test('may not forget what it showed', () => {
    expect(isLinearizable(write(0, 10, 1), read(1, 2, 1), read(3, 4, 0))).toBe(false)
  })

  test('may not show what was overwritten', () => {
    expect(isLinearizable(write(0, 1, 1), write(2, 3, 2), read(4, 5, 1))).toBe(false)
    expect(isLinearizable(write(0, 3, 1), write(2, 3, 2), read(4, 5, 1))).toBe(true)
  })

  test('may show a write without an answer, or not, but not both by turns', () => {
    const lost = { ...write(0, 10, 1), otherwise: (state: number) => state }
    expect(isLinearizable(lost, read(1, 2, 0), read(3, 4, 1), read(11, 12, 1))).toBe(true)
    expect(isLinearizable(lost, read(1, 2, 0), read(3, 4, 0), read(11, 12, 0))).toBe(true)
    expect(isLinearizable(lost, read(1, 2, 0), read(11, 12, 0), read(13, 14, 1))).toBe(false)
    expect(isLinearizable(lost, read(1, 2, 1), read(3, 4, 0))).toBe(false)
  })

  test('reports how long the longest explained prefix is', () => {
    expect(linearize([write(0, 1, 1), read(2, 3, 1), read(4, 5, 7)], 0, String)).toEqual({
      isLinearizable: false,
      explained: 2,
    })
  })

  test('is found linearizable when it happened sequentially, however its times are stretched', () => {
    const happened = fc.array(
      fc.record({ value: fc.option(fc.nat(3), { nil: null }), early: fc.nat(30), late: fc.nat(30) }),
      { maxLength: 40 },
    )
    fc.assert(
      fc.property(happened, (steps) => {
        let state = 0
        const history = steps.map(({ value, early, late }, index) => {
          const [invoked, answered] = [index * 10 - early, index * 10 + late]
          if (value === null) return read(invoked, answered, state)
          state = value
          return write(invoked, answered, value)
        })
        return isLinearizable(...history)
      }),
    )
  })
})
