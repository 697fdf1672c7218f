import { KEYLESS_ALLOWANCE, VISITOR_ALLOWANCE } from '../domain/plan-allowance.ts'
import type { Allowance, LimitedEndpoint, Refusal, WindowUsage } from '../domain/rate-limit.ts'
import type { KeyMonth } from '../domain/usage.ts'
import { createExpiringMap } from './expiring-map.ts'
import { createMonotonicClock } from './monotonic-clock.ts'
import { createMonthCounts } from './month-counts.ts'
import type { CountedRequest, Decision, LimitStatus, RateLimits, Subject } from './rate-limits.ts'
import {
  add,
  countAfter,
  dropUntil,
  newest,
  noTimestamps,
  oldestAfter,
  type Timestamps,
} from './sliding-window.ts'
import type { UsageStore } from './usage-store.ts'

export interface MemoryLimitsOptions {
  /** Current time in Unix milliseconds. Setting the clock back neither opens nor lengthens a window. */
  readonly now: () => number
  readonly usage: UsageStore
  /** Called when the monthly counts could not be stored. They are stored again later. */
  readonly onFailure: (error: unknown) => void
}

const BURST_MS = 10_000
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

/** Most addresses whose calls are counted, and as many whose visits are. */
const MAX_ADDRESSES = 25_000

/** The counted requests of one subject. */
interface Account {
  readonly all: Timestamps
  readonly endpoints: { [Endpoint in LimitedEndpoint]?: Timestamps }
}

/** The state of a window before a request. */
interface Window {
  readonly name: Refusal['window']
  readonly limit: number
  /** Time until the request fits; 0 if it does. */
  readonly waitMs: number
}

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

  return { take, charge, peek: look, usage: used, close: () => months.close() }

  function take(request: CountedRequest): Decision | Promise<Decision> {
    const unix = now()
    const month = monthOf(request, unix)
    if (month !== null && months.find(month) === null) return months.load(month).then(() => take(request))
    return decide(request, month, unix)
  }

  function decide(request: CountedRequest, month: KeyMonth | null, unix: number): Decision {
    const { subject, budget } = request
    const time = steady(unix)
    const allowance = allowanceFor(request)
    const account = accounts[budget][subject.kind].get(subject.id, time)
    dropUntil(account.all, time - retentionMs(allowance))

    const windows = slidingWindows(account, request.endpoint, allowance, time)
    if (month !== null) windows.push(monthWindow(months.find(month) ?? 0, allowance.month, unix))
    const refusal = longestWait(windows)
    if (refusal === null) {
      count(account, request.endpoint, allowance, time)
      if (month !== null) months.add(month)
    }
    return { ...standing(account.all, allowance, time, unix), refusal }
  }

  function charge(request: Pick<CountedRequest, 'subject' | 'budget'>, more: number): LimitStatus {
    const { subject, budget } = request
    const unix = now()
    const time = steady(unix)
    const allowance = allowanceFor(request)
    const { all } = accounts[budget][subject.kind].get(subject.id, time)
    if (retentionMs(allowance) > 0) for (let i = 0; i < more; i++) add(all, time)
    return standing(all, allowance, time, unix)
  }

  function look(request: Pick<CountedRequest, 'subject' | 'budget'>): LimitStatus {
    const { subject, budget } = request
    const unix = now()
    const all = accounts[budget][subject.kind].find(subject.id)?.all ?? noTimestamps()
    return standing(all, allowanceFor(request), steady(unix), unix)
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
    const shown = Object.entries(counts).map(([name, count]) => [
      name,
      subject.allowance[name as keyof Allowance] === Infinity ? null : count,
    ])
    return Object.fromEntries(shown)
  }
}

function usedOf(
  { all, endpoints }: Account,
  time: number,
): Record<Exclude<keyof Allowance, 'month'>, number> {
  const since = (moments: Timestamps | undefined, lengthMs: number) =>
    moments === undefined ? 0 : countAfter(moments, time - lengthMs)
  return {
    burst: since(all, BURST_MS),
    minute: since(all, MINUTE_MS),
    hour: since(all, HOUR_MS),
    create_page: since(endpoints.create_page, MINUTE_MS),
    update_page: since(endpoints.update_page, MINUTE_MS),
    create_project: since(endpoints.create_project, MINUTE_MS),
  }
}

function newAccount(): Account {
  return { all: noTimestamps(), endpoints: {} }
}

function allowanceFor({ subject, budget }: Pick<CountedRequest, 'subject' | 'budget'>): Allowance {
  if (budget === 'visits') return VISITOR_ALLOWANCE
  return subject.kind === 'key' ? subject.allowance : KEYLESS_ALLOWANCE
}

/** The month to count in; null if it is unlimited, so that nothing is read or written. */
function monthOf(request: Pick<CountedRequest, 'subject' | 'budget'>, unix: number): KeyMonth | null {
  const { subject } = request
  if (subject.kind !== 'key' || allowanceFor(request).month === Infinity) return null
  return { keyId: subject.id, month: new Date(unix).toISOString().slice(0, 7) }
}

/** How long a subject's requests count; 0 if none of these windows is limited. */
function retentionMs({ burst, minute, hour }: Allowance): number {
  if (hour < Infinity) return HOUR_MS
  return Math.min(burst, minute) < Infinity ? MINUTE_MS : 0
}

function slidingWindows(
  { all, endpoints }: Account,
  endpoint: LimitedEndpoint | null,
  allowance: Allowance,
  time: number,
): Window[] {
  const { burst, minute, hour } = allowance
  const windows: Window[] = [
    { name: 'burst', limit: burst, waitMs: slidingWait(all, burst, BURST_MS, time) },
    { name: 'minute', limit: minute, waitMs: slidingWait(all, minute, MINUTE_MS, time) },
    { name: 'hour', limit: hour, waitMs: slidingWait(all, hour, HOUR_MS, time) },
  ]
  if (endpoint !== null) {
    const moments = endpoints[endpoint] ?? noTimestamps()
    const limit = allowance[endpoint]
    windows.push({ name: 'endpoint', limit, waitMs: slidingWait(moments, limit, MINUTE_MS, time) })
  }
  return windows
}

/** A request fits once the limit-th newest request has left the window. */
function slidingWait(moments: Timestamps, limit: number, lengthMs: number, time: number): number {
  if (limit < 1) return lengthMs
  const blocking = newest(moments, limit)
  return blocking === null ? 0 : Math.max(0, blocking + lengthMs - time)
}

function monthWindow(requests: number, limit: number, unix: number): Window {
  return { name: 'month', limit, waitMs: requests < limit ? 0 : nextMonth(unix) - unix }
}

function nextMonth(unix: number): number {
  const date = new Date(unix)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
}

/** The window that opens last, so that a client which waits for it is not refused by another one. Null if all are open. */
function longestWait(windows: readonly Window[]): Refusal | null {
  const { name, limit, waitMs } = windows.reduce((one, other) => (other.waitMs > one.waitMs ? other : one))
  return waitMs === 0 ? null : { window: name, limit, retryAfter: Math.ceil(waitMs / 1000) }
}

function count(account: Account, endpoint: LimitedEndpoint | null, allowance: Allowance, time: number): void {
  if (retentionMs(allowance) > 0) add(account.all, time)
  if (endpoint === null || allowance[endpoint] === Infinity) return
  const moments = account.endpoints[endpoint] ?? noTimestamps()
  dropUntil(moments, time - MINUTE_MS)
  add(moments, time)
  account.endpoints[endpoint] = moments
}

function standing(all: Timestamps, { burst, minute }: Allowance, time: number, unix: number): LimitStatus {
  const oldest = oldestAfter(all, time - MINUTE_MS)
  return {
    limit: minute,
    remaining: Math.max(0, minute - countAfter(all, time - MINUTE_MS)),
    resetAt: oldest === null ? unix : unix + (oldest + MINUTE_MS - time),
    burstLimit: burst,
    burstRemaining: Math.max(0, burst - countAfter(all, time - BURST_MS)),
  }
}
