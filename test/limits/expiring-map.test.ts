import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createExpiringMap } from '../../src/limits/expiring-map.ts'

describe('an expiring map', () => {
  test('retains an entry for its lifetime, and drops it after twice that', () => {
    const asked = fc.array(fc.record({ id: fc.constantFrom('a', 'b', 'c'), passes: fc.nat(60) }))
    fc.assert(
      fc.property(asked, (history) => {
        let made = 0
        const recent = createExpiringMap({ keepMs: 50, max: Infinity, create: () => made++ })
        const last = new Map<string, { value: number; at: number }>()
        let now = 0
        for (const { id, passes } of history) {
          now += passes
          const before = last.get(id)
          const value = recent.get(id, now)
          if (before !== undefined && now - before.at < 50) expect(value).toBe(before.value)
          if (before === undefined) expect(value).toBe(made - 1)
          last.set(id, { value, at: now })
        }
        for (const [id, { value, at }] of last) if (now - at < 50) expect(recent.find(id)).toBe(value)
        for (const later of [0, 50, 100]) recent.get('another', now + later)
        for (const id of last.keys()) expect(recent.find(id)).toBeNull()
      }),
    )
  })

  test('never exceeds its maximum, and drops the least recently used entry', () => {
    const recent = createExpiringMap({ keepMs: 1_000, max: 100, create: () => ({}) })
    const regular = recent.get('regular', 0)
    for (let i = 0; i < 10_000; i++) {
      recent.get(`passer-by ${i}`, i / 1_000)
      expect(recent.get('regular', i / 1_000)).toBe(regular)
    }
    const kept = Array.from({ length: 10_000 }, (_, i) => recent.find(`passer-by ${i}`) !== null)
    expect(kept.filter((isKept) => isKept).length).toBeLessThanOrEqual(99)
    expect(kept.slice(-49)).toEqual(Array(49).fill(true))
  })

  test('does not prolong an entry that is only looked at', () => {
    const recent = createExpiringMap({ keepMs: 10, max: Infinity, create: () => ({}) })
    recent.get('a', 0)
    for (const now of [10, 20, 30]) {
      recent.find('a')
      recent.get('b', now)
    }
    expect(recent.find('a')).toBeNull()
  })
})
