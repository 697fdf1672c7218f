import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createByteBudget } from '../../src/limits/byte-budget.ts'

describe('a byte budget', () => {
  test('refuses what does not fit beside the bytes of others', () => {
    const budget = createByteBudget({ total: 100, share: 1, free: 0 })
    const [one, other] = [budget.open('a'), budget.open('b')]
    expect(one.resize(60)).toBe(true)
    expect(other.resize(41)).toBe(false)
    expect(other.bytes()).toBe(0)
    expect(other.resize(40)).toBe(true)
  })

  test('gives one subject no more than its share, over all its reservations', () => {
    const budget = createByteBudget({ total: 100, share: 1 / 2, free: 0 })
    expect(budget.open('a').resize(30)).toBe(true)
    expect(budget.open('a').resize(21)).toBe(false)
    expect(budget.open('a').resize(20)).toBe(true)
    expect(budget.open('b').resize(50)).toBe(true)
  })

  test('has room again for what was given back', () => {
    const budget = createByteBudget({ total: 100, share: 1, free: 0 })
    const first = budget.open('a')
    first.resize(100)
    expect(first.resize(10)).toBe(true)
    expect(budget.open('a').resize(90)).toBe(true)
  })

  test('does not count the first bytes of a reservation, so that small ones always fit', () => {
    const budget = createByteBudget({ total: 100, share: 1, free: 10 })
    expect(budget.open('a').resize(110)).toBe(true)
    expect(budget.open('a').resize(10)).toBe(true)
    expect(budget.open('a').resize(11)).toBe(false)
  })

  test('never holds more than its total, and forgets what is released', () => {
    const change = fc.record({
      subject: fc.constantFrom('a', 'b', 'c'),
      slot: fc.nat(4),
      bytes: fc.nat(120),
    })
    fc.assert(
      fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
        const budget = createByteBudget({ total: 100, share: 0.6, free: 5 })
        const opened = new Map<string, ReturnType<typeof budget.open>>()
        const counted = (prefix: string) =>
          [...opened]
            .filter(([name]) => name.startsWith(prefix))
            .reduce((sum, [, { bytes }]) => sum + Math.max(0, bytes() - 5), 0)
        for (const { subject, slot, bytes } of changes) {
          const name = subject + slot
          const reservation = opened.get(name) ?? budget.open(subject)
          opened.set(name, reservation)
          reservation.resize(bytes)
          expect(counted('')).toBeLessThanOrEqual(100)
          for (const one of ['a', 'b', 'c']) expect(counted(one)).toBeLessThanOrEqual(60)
        }
        for (const reservation of opened.values()) reservation.resize(0)
        expect(budget.open('a').resize(65)).toBe(true)
      }),
    )
  })
})
