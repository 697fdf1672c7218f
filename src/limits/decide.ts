import { KEYLESS_ALLOWANCE, VISITOR_ALLOWANCE } from '../domain/plan-allowance.ts'
import type { Allowance, LimitedEndpoint, Refusal, WindowUsage } from '../domain/rate-limit.ts'
import type { KeyMonth } from '../domain/usage.ts'
import {
  type AccountCounts,
  accountWindows,
  countInAccount,
  isUnlimitedAccount,
  scarcestWindow,
} from './account-counts.ts'
import type { AccountBudget, CountedRequest, Decision, LimitStatus, WindowStatus } from './rate-limits.ts'
import {
  add,
  countAfter,
  dropUntil,
  newest,
  noTimestamps,
  oldestAfter,
  type Timestamps,
} from './sliding-window.ts'
import { BURST_MS, HOUR_MS, MINUTE_MS } from './window-lengths.ts'

/* Decides about requests of one subject. Where its account is stored, and what the time is, is left to the callers. */

/** The counted requests of one subject. */
export interface Account {
  readonly all: Timestamps
  readonly endpoints: { [Endpoint in LimitedEndpoint]?: Timestamps }
}

/** Requests of all keys and sessions of a user, with their budget. */
export interface Together {
  readonly counts: AccountCounts
  readonly allowance: Allowance
}

/** The state of a window before a request. */
interface Window {
  readonly name: Refusal['window']
  readonly span?: Refusal['span']
  readonly limit: number
  /** Time until the request fits; 0 if it does. */
  readonly waitMs: number
}

/** A decision, and for how long the same request would be refused; 0 when it was accepted. */
export type TimedDecision = Decision & { readonly waitMs: number }

export interface Moment {
  /** Unix time in milliseconds. */
  readonly unix: number
  /** The same by a clock that never runs backwards. */
  readonly time: number
}

/**
 * Counts the request in the account, or refuses it.
 *
 * @param together null where the request counts for no user.
 * @param monthRequests the requests of the month so far; null when the month is unlimited.
 */
export function decide(
  account: Account,
  together: Together | null,
  request: CountedRequest,
  monthRequests: number | null,
  { time, unix }: Moment,
): TimedDecision {
  const allowance = allowanceFor(request)
  dropUntil(account.all, time - retentionMs(allowance))
  const windows = slidingWindows(account, request.endpoint, allowance, time)
  if (monthRequests !== null) windows.push(monthWindow(monthRequests, allowance.month, unix))
  if (together !== null)
    for (const window of accountWindows(together.counts, together.allowance, time))
      windows.push({ name: 'account', ...window })
  const { refusal, waitMs } = longestWait(windows)
  if (refusal === null) {
    count(account, request.endpoint, allowance, time)
    if (together !== null) countInAccount(together.counts, together.allowance, time)
  }
  const isCounted = monthRequests !== null && refusal === null
  const month = isCounted ? monthRequests + 1 : monthRequests
  const status = statusOf(account, together, request, month, { time, unix })
  return { ...status, windows: status.windows.map((one) => openedBy(one, refusal)), refusal, waitMs }
}

/** A client that waits until the exceeded window is open has waited for as long as the rejection says. */
function openedBy(window: WindowStatus, refusal: Refusal | null): WindowStatus {
  return window.name === refusal?.window ? { ...window, resetMs: refusal.retryAfter * 1_000 } : window
}

/** Counts an accepted request as this many more. */
export function charge(
  account: Account,
  together: Together | null,
  request: CountedRequest,
  monthRequests: number | null,
  more: number,
  moment: Moment,
): LimitStatus {
  const allowance = allowanceFor(request)
  if (together !== null) countInAccount(together.counts, together.allowance, moment.time, more)
  if (retentionMs(allowance) > 0) for (let i = 0; i < more; i++) add(account.all, moment.time)
  return statusOf(account, together, request, monthRequests, moment)
}

/** Reports whether no window limits the request. */
export function isUnlimited(request: CountedRequest, factor: number): boolean {
  const allowance = allowanceFor(request)
  const endpoint = request.endpoint === null ? Infinity : allowance[request.endpoint]
  const isKept = retentionMs(allowance) > 0 || allowance.month < Infinity || endpoint < Infinity
  return !isKept && budgetTogether(request, factor) === null
}

/**
 * Returns the user of the request, and the budget of all keys and sessions of that user together. Null without a user,
 * or without a limit.
 *
 * @param factor of the windows of the largest plan; 0 for no limit.
 */
export function budgetTogether(
  request: Pick<CountedRequest, 'subject' | 'budget'>,
  factor: number,
): AccountBudget | null {
  const { subject, budget } = request
  if (factor === 0 || (subject.kind !== 'key' && subject.kind !== 'session')) return null
  const { id } = subject.account
  const one = budget === 'visits' ? VISITOR_ALLOWANCE : subject.account.allowance
  const { burst, minute, hour } = one
  const allowance = { ...one, burst: factor * burst, minute: factor * minute, hour: factor * hour }
  return isUnlimitedAccount(allowance) ? null : { id, allowance }
}

export function usedOf(
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

/** Returns the usage of each limit of a key; null where there is no limit. */
export function shownUsage(
  counts: Readonly<Record<keyof Allowance, number>>,
  allowance: Allowance,
): WindowUsage {
  const shown = Object.entries(counts).map(([name, count]) => [
    name,
    allowance[name as keyof Allowance] === Infinity ? null : count,
  ])
  return Object.fromEntries(shown)
}

export function newAccount(): Account {
  return { all: noTimestamps(), endpoints: {} }
}

export function allowanceFor({ subject, budget }: Pick<CountedRequest, 'subject' | 'budget'>): Allowance {
  if (budget === 'visits') return VISITOR_ALLOWANCE
  return subject.kind === 'key' ? subject.allowance : KEYLESS_ALLOWANCE
}

/** The month to count in; null if it is unlimited, so that nothing is read or written. */
export function monthOf(request: Pick<CountedRequest, 'subject' | 'budget'>, unix: number): KeyMonth | null {
  const { subject } = request
  if (subject.kind !== 'key' || allowanceFor(request).month === Infinity) return null
  return { keyId: subject.id, month: new Date(unix).toISOString().slice(0, 7) }
}

/** Returns how long a subject's requests count; 0 if none of these windows is limited. */
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

/**
 * Returns the window that opens last. After waiting for it, a client is not rejected by another one. Null if all are
 * open.
 */
function longestWait(windows: readonly Window[]): Pick<TimedDecision, 'refusal' | 'waitMs'> {
  const { name, span, limit, waitMs } = windows.reduce((one, other) =>
    other.waitMs > one.waitMs ? other : one,
  )
  if (waitMs === 0) return { waitMs, refusal: null }
  const refusal = { window: name, limit, retryAfter: Math.ceil(waitMs / 1000) }
  return { waitMs, refusal: span === undefined ? refusal : { ...refusal, span } }
}

function count(account: Account, endpoint: LimitedEndpoint | null, allowance: Allowance, time: number): void {
  if (retentionMs(allowance) > 0) add(account.all, time)
  if (endpoint === null || allowance[endpoint] === Infinity) return
  const moments = account.endpoints[endpoint] ?? noTimestamps()
  dropUntil(moments, time - MINUTE_MS)
  add(moments, time)
  account.endpoints[endpoint] = moments
}

/** The status of a subject by its own requests alone. */
export function standing(all: Timestamps, allowance: Allowance, { time, unix }: Moment): LimitStatus {
  const { burst, minute, hour } = allowance
  const oldest = oldestAfter(all, time - MINUTE_MS)
  return {
    limit: minute,
    remaining: Math.max(0, minute - countAfter(all, time - MINUTE_MS)),
    resetAt: oldest === null ? unix : unix + (oldest + MINUTE_MS - time),
    burstLimit: burst,
    burstRemaining: Math.max(0, burst - countAfter(all, time - BURST_MS)),
    windows: [
      slidingStatus('burst', all, burst, BURST_MS, time),
      slidingStatus('minute', all, minute, MINUTE_MS, time),
      slidingStatus('hour', all, hour, HOUR_MS, time),
    ].filter(isLimited),
  }
}

function statusOf(
  account: Account,
  together: Together | null,
  request: CountedRequest,
  monthRequests: number | null,
  moment: Moment,
): LimitStatus {
  const { time, unix } = moment
  const allowance = allowanceFor(request)
  const own = standing(account.all, allowance, moment)
  const more: WindowStatus[] = []
  if (monthRequests !== null)
    more.push({
      name: 'month',
      limit: allowance.month,
      remaining: Math.max(0, allowance.month - monthRequests),
      lengthMs: null,
      resetMs: nextMonth(unix) - unix,
    })
  if (request.endpoint !== null) {
    const moments = account.endpoints[request.endpoint] ?? noTimestamps()
    more.push(slidingStatus('endpoint', moments, allowance[request.endpoint], MINUTE_MS, time))
  }
  const scarcest = together && scarcestWindow(together.counts, together.allowance, time)
  if (scarcest !== null) more.push({ name: 'account', ...scarcest })
  return { ...own, windows: [...own.windows, ...more.filter(isLimited)] }
}

function slidingStatus(
  name: WindowStatus['name'],
  moments: Timestamps,
  limit: number,
  lengthMs: number,
  time: number,
): WindowStatus {
  const oldest = oldestAfter(moments, time - lengthMs)
  return {
    name,
    limit,
    remaining: Math.max(0, limit - countAfter(moments, time - lengthMs)),
    lengthMs,
    resetMs: oldest === null ? 0 : oldest + lengthMs - time,
  }
}

function isLimited({ limit }: WindowStatus): boolean {
  return limit < Infinity
}
