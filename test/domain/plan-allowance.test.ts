import { describe, expect, test } from 'vitest'
import type { Plan } from '../../src/domain/caller.ts'
import {
  allowanceOf,
  KEYLESS_ALLOWANCE,
  largestPlan,
  VISITOR_ALLOWANCE,
} from '../../src/domain/plan-allowance.ts'

const PAID = ['free', 'pro', 'business'] as const

describe('what a plan allows', () => {
  test.each(PAID)('grows for %s from each window to the next longer one', (plan) => {
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

  test('is for an enterprise key what the key itself says, and unlimited where it says nothing', () => {
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

describe('the largest plan of several keys', () => {
  const plans = (...names: readonly Plan[]) => names.map((plan) => ({ plan, limits: null }))

  test('is standard without any key', () => {
    expect(largestPlan([])).toEqual({ plan: 'standard', limits: null })
  })

  test('is the highest one, in any order', () => {
    expect(largestPlan(plans('free'))).toMatchObject({ plan: 'free' })
    expect(largestPlan(plans('free', 'standard'))).toMatchObject({ plan: 'standard' })
    expect(largestPlan(plans('free', 'business', 'pro'))).toMatchObject({ plan: 'business' })
    expect(largestPlan(plans('enterprise', 'business'))).toEqual({ plan: 'enterprise', limits: null })
  })

  test('has the highest number of each window that all enterprise keys limit', () => {
    const small = { plan: 'enterprise', limits: { burst: 5, minute: 9, hour: 20 } } as const
    const large = { plan: 'enterprise', limits: { burst: 50, minute: 3 } } as const
    expect(largestPlan([small, large, ...plans('pro')]).limits).toEqual({ burst: 50, minute: 9 })
    expect(largestPlan([small, ...plans('enterprise')]).limits).toBeNull()
  })
})
