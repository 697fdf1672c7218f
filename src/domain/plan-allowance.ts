import type { Plan } from './caller.ts'
import type { Allowance } from './rate-limit.ts'

/** The plan of a key, with limits of its own that only an enterprise key has. */
export interface KeyPlan {
  readonly plan: Plan
  /** Limits of an enterprise key; those left out are unlimited. Null for other plans. */
  readonly limits: Partial<Allowance> | null
}

/** From the least to the most. */
const RANKS: readonly Plan[] = ['free', 'standard', 'pro', 'business', 'enterprise']

const UNLIMITED: Allowance = {
  burst: Infinity,
  minute: Infinity,
  hour: Infinity,
  month: Infinity,
  create_page: Infinity,
  update_page: Infinity,
  create_project: Infinity,
}

const ALLOWANCES: Readonly<Record<Exclude<Plan, 'enterprise'>, Allowance>> = {
  standard: { ...UNLIMITED, burst: 100, minute: 100 },
  free: {
    burst: 10,
    minute: 60,
    hour: 1_000,
    month: 10_000,
    create_page: 20,
    update_page: 30,
    create_project: 5,
  },
  pro: {
    burst: 50,
    minute: 300,
    hour: 10_000,
    month: 100_000,
    create_page: 100,
    update_page: 150,
    create_project: 25,
  },
  business: {
    burst: 100,
    minute: 1_000,
    hour: 50_000,
    month: 500_000,
    create_page: 300,
    update_page: 450,
    create_project: 100,
  },
}

/** Limits of requests for published pages and previews, per client address. */
export const VISITOR_ALLOWANCE: Allowance = { ...UNLIMITED, burst: 1_000, minute: 1_000 }

/** Limits of requests without a valid key. */
export const KEYLESS_ALLOWANCE: Allowance = ALLOWANCES.standard

/** @param own limits of an enterprise key; those it does not name are unlimited. */
export function allowanceOf(plan: Plan, own: Partial<Allowance> | null): Allowance {
  return plan === 'enterprise' ? { ...UNLIMITED, ...own } : ALLOWANCES[plan]
}

/**
 * The highest of these plans; `standard` without any. Of several enterprise keys, each window has the highest limit
 * that one of them has.
 */
export function largestPlan(plans: readonly KeyPlan[]): KeyPlan {
  const rank = Math.max(...plans.map(({ plan }) => RANKS.indexOf(plan)))
  const plan = RANKS[rank]
  if (plan === undefined) return { plan: 'standard', limits: null }
  const ofPlan = plans.filter((one) => one.plan === plan).map(({ limits }) => limits)
  return { plan, limits: ofPlan.reduce(higherLimits) }
}

/** A window without a limit in one of them has none. */
function higherLimits(one: KeyPlan['limits'], other: KeyPlan['limits']): KeyPlan['limits'] {
  if (one === null || other === null) return null
  const windows = (Object.keys(one) as (keyof Allowance)[]).filter((name) => other[name] !== undefined)
  return Object.fromEntries(windows.map((name) => [name, Math.max(one[name] ?? 0, other[name] ?? 0)]))
}
