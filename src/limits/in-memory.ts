import type { WindowUsage } from '../domain/rate-limit.ts'
import type { KeyMonth } from '../domain/usage.ts'
import {
  allowanceFor,
  charge,
  decide,
  HOUR_MS,
  MINUTE_MS,
  monthOf,
  newAccount,
  shownUsage,
  standing,
  usedOf,
} from './decide.ts'
import { createExpiringMap } from './expiring-map.ts'
import { createMonotonicClock } from './monotonic-clock.ts'
import { createMonthCounts } from './month-counts.ts'
import type { CountedRequest, Decision, LimitStatus, RateLimits, Subject } from './rate-limits.ts'
import { noTimestamps } from './sliding-window.ts'
import type { UsageStore } from './usage-store.ts'

export interface MemoryLimitsOptions {
  /** Current time in Unix milliseconds. Setting the clock back neither opens nor lengthens a window. */
  readonly now: () => number
  readonly usage: UsageStore
  /** Called when the monthly counts could not be stored. They are stored again later. */
  readonly onFailure: (error: unknown) => void
}

/** Most addresses whose calls are counted, and as many whose visits are. */
const MAX_ADDRESSES = 25_000

/**
 * Rate limits within one process.
 *
 * A subject takes 8 to 16 bytes of memory for each request accepted in the last hour if its plan has an hourly
 * limit, else in the last minute. The number of requests that the process can answer bounds the total.
 */
export function createMemoryLimits({ now, usage, onFailure }: MemoryLimitsOptions): RateLimits {
  const steady = createMonotonicClock()
  const months = createMonthCounts(usage, onFailure)
  const accounts = {
    calls: {
      key: createExpiringMap({ keepMs: HOUR_MS, max: Infinity, create: newAccount }),
      address: createExpiringMap({ keepMs: MINUTE_MS, max: MAX_ADDRESSES, create: newAccount }),
    },
    visits: {
      key: createExpiringMap({ keepMs: MINUTE_MS, max: Infinity, create: newAccount }),
      address: createExpiringMap({ keepMs: MINUTE_MS, max: MAX_ADDRESSES, create: newAccount }),
    },
  }

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
    const account = accounts[budget][subject.kind].get(subject.id, time)
    const counted = month === null ? null : (months.find(month) ?? 0)
    const { waitMs: _, ...decision } = decide(account, request, counted, { time, unix })
    if (decision.refusal === null && month !== null) months.add(month)
    return decision
  }

  function chargeNow(request: Pick<CountedRequest, 'subject' | 'budget'>, more: number): LimitStatus {
    const { subject, budget } = request
    const unix = now()
    const time = steady(unix)
    return charge(accounts[budget][subject.kind].get(subject.id, time), request, more, { time, unix })
  }

  function look(request: Pick<CountedRequest, 'subject' | 'budget'>): LimitStatus {
    const { subject, budget } = request
    const unix = now()
    const all = accounts[budget][subject.kind].find(subject.id)?.all ?? noTimestamps()
    return standing(all, allowanceFor(request), { time: steady(unix), unix })
  }

  async function used(subject: Extract<Subject, { kind: 'key' }>): Promise<WindowUsage> {
    const unix = now()
    const month = monthOf({ subject, budget: 'calls' }, unix)
    if (month !== null && months.find(month) === null) await months.load(month)
    const account = accounts.calls.key.find(subject.id) ?? newAccount()
    const counts = {
      ...usedOf(account, steady(unix)),
      month: month === null ? 0 : (months.find(month) ?? 0),
    }
    return shownUsage(counts, subject.allowance)
  }
}
