import type { Plan } from './caller.ts'
import type { Allowance } from './rate-limit.ts'

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
