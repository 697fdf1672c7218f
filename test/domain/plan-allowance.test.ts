import { describe, expect, test } from 'vitest'
import { allowanceOf, KEYLESS_ALLOWANCE, VISITOR_ALLOWANCE } from '../../src/domain/plan-allowance.ts'

const PAID = ['free', 'pro', 'business'] as const

describe('what a plan allows', () => {
  test.each(PAID)('of %s grows from each window to the next longer one', (plan) => {
    const { burst, minute, hour, month } = allowanceOf(plan, null)
    expect([burst, minute, hour, month]).toEqual([burst, minute, hour, month].toSorted((a, b) => a - b))
  })

  test('grows with the plan, for every kind of request', () => {
    const [free, pro, business] = PAID.map((plan) => allowanceOf(plan, null))
    for (const name of Object.keys(free ?? {}) as (keyof typeof VISITOR_ALLOWANCE)[]) {
      expect(pro?.[name]).toBeGreaterThan(free?.[name] ?? Infinity)
      expect(business?.[name]).toBeGreaterThan(pro?.[name] ?? Infinity)
    }
  })

  test('of an enterprise key is what the key itself says, and unlimited where it says nothing', () => {
    expect(allowanceOf('enterprise', { minute: 600, month: 90_000 })).toMatchObject({
      minute: 600,
      month: 90_000,
      hour: Infinity,
      create_page: Infinity,
    })
    expect(allowanceOf('enterprise', null).minute).toBe(Infinity)
  })

  test('cannot be raised by numbers of its own on any other plan', () => {
    expect(allowanceOf('free', { minute: 1_000_000 })).toEqual(allowanceOf('free', null))
  })

  test('lets requests without a key do what a standard key may, and visitors ten times that', () => {
    expect(KEYLESS_ALLOWANCE).toEqual(allowanceOf('standard', null))
    expect(VISITOR_ALLOWANCE.minute).toBe(10 * KEYLESS_ALLOWANCE.minute)
    expect(KEYLESS_ALLOWANCE.hour).toBe(Infinity)
  })
})
