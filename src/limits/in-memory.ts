import type { WindowUsage } from '../domain/rate-limit.ts'
import type { KeyMonth } from '../domain/usage.ts'
import { noAccountCounts } from './account-counts.ts'
import {
  allowanceFor,
  budgetTogether,
  charge,
  decide,
  monthOf,
  newAccount,
  shownUsage,
  standing,
  type Together,
  usedOf,
} from './decide.ts'
import { createExpiringMap } from './expiring-map.ts'
import { createMonotonicClock } from './monotonic-clock.ts'
import { createMonthCounts } from './month-counts.ts'
import type { CountedRequest, Decision, KeySubject, LimitStatus, RateLimits } from './rate-limits.ts'
import { noTimestamps } from './sliding-window.ts'
import type { UsageStore } from './usage-store.ts'
import { HOUR_MS, MINUTE_MS } from './window-lengths.ts'

export interface MemoryLimitsOptions {
  /** Current time in Unix milliseconds. Setting the clock back neither opens nor lengthens a window. */
  readonly now: () => number
  readonly usage: UsageStore
  /** Budget of all keys and sessions of an account together, as a multiple of its largest plan; 0 for no limit. */
  readonly accountFactor: number
  /** Called when the monthly counts could not be stored. They are stored again later. */
  readonly onFailure: (error: unknown) => void
}

/** Most addresses whose calls are counted. Visits have the same bound. */
const MAX_ADDRESSES = 25_000

/**
 * Rate limits within one process.
 *
 * A subject takes 8 to 16 bytes of memory for each request accepted in the last hour if its plan has an hourly
 * limit, else in the last minute. The number of requests that the process can answer bounds the total.
 */
export function createMemoryLimits({
  now,
  usage,
  accountFactor,
  onFailure,
}: MemoryLimitsOptions): RateLimits {
  const steady = createMonotonicClock()
  const months = createMonthCounts(usage, onFailure)
  const budgets = { calls: createBudget(HOUR_MS), visits: createBudget(MINUTE_MS) }

  return { take, charge: chargeNow, peek: look, usage: used, close: () => months.close() }

  function take(request: CountedRequest): Decision | Promise<Decision> {
    const unix = now()
    const month = monthOf(request, unix)
    if (month !== null && months.find(month) === null) return months.load(month).then(() => take(request))
    return decideNow(request, month, unix)
  }

  function decideNow(request: CountedRequest, month: KeyMonth | null, unix: number): Decision {
    const { subject, budget } = request
    const time = steady(unix)
    const account = budgets[budget][subject.kind].get(subject.id, time)
    const counted = month === null ? null : (months.find(month) ?? 0)
    const together = togetherOf(request, time)
    const { waitMs: _, ...decision } = decide(account, together, request, counted, { time, unix })
    if (decision.refusal === null && month !== null) months.add(month)
    return decision
  }

  function chargeNow(request: CountedRequest, more: number): LimitStatus {
    const { subject, budget } = request
    const unix = now()
    const time = steady(unix)
    const account = budgets[budget][subject.kind].get(subject.id, time)
    const month = monthOf(request, unix)
    const counted = month === null ? null : (months.find(month) ?? 0)
    return charge(account, togetherOf(request, time), request, counted, more, { time, unix })
  }

  function togetherOf(request: Pick<CountedRequest, 'subject' | 'budget'>, time: number): Together | null {
    const budget = budgetTogether(request, accountFactor)
    if (budget === null) return null
    return {
      counts: budgets[request.budget].together.get(budget.id, time),
      allowance: budget.allowance,
    }
  }

  function look(request: Pick<CountedRequest, 'subject' | 'budget'>): LimitStatus {
    const { subject, budget } = request
    const unix = now()
    const all = budgets[budget][subject.kind].find(subject.id)?.all ?? noTimestamps()
    return standing(all, allowanceFor(request), { time: steady(unix), unix })
  }

  async function used(subject: KeySubject): Promise<WindowUsage> {
    const unix = now()
    const month = monthOf({ subject, budget: 'calls' }, unix)
    if (month !== null && months.find(month) === null) await months.load(month)
    const account = budgets.calls.key.find(subject.id) ?? newAccount()
    const counts = {
      ...usedOf(account, steady(unix)),
      month: month === null ? 0 : (months.find(month) ?? 0),
    }
    return shownUsage(counts, subject.allowance)
  }
}

/** @param keepMs for how long requests of keys, sessions and accounts count at most. */
function createBudget(keepMs: number) {
  const createMap = () => createExpiringMap({ keepMs, max: Infinity, create: newAccount })
  return {
    key: createMap(),
    session: createMap(),
    user: createMap(),
    address: createExpiringMap({ keepMs: MINUTE_MS, max: MAX_ADDRESSES, create: newAccount }),
    together: createExpiringMap({ keepMs, max: Infinity, create: noAccountCounts }),
  }
}
