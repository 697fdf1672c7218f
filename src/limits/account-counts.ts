import type { Allowance } from '../domain/rate-limit.ts'
import { BURST_MS, HOUR_MS, MINUTE_MS } from './window-lengths.ts'

/**
 * The requests that all keys and sessions of one account have sent, in slots: a list of single times would have up to
 * 250,000 of them. A slot counts whole until its last request has left a window, so that no window ever holds more than
 * its limit. A window may open later than it could, by the length of a slot at most. Mutable, because every request
 * changes it.
 */
export interface AccountCounts {
  readonly seconds: Slot[]
  readonly minutes: Slot[]
}

/** When the last request of a slot was counted, and the requests in it. Slots are in ascending order. */
type Slot = [last: number, requests: number]

type Windows = Pick<Allowance, 'burst' | 'minute' | 'hour'>

/** A full window of an account, or an open one. */
export interface AccountWindow {
  readonly span: keyof Windows
  readonly limit: number
  /** Time until a request fits; 0 if it does. */
  readonly waitMs: number
}

/** State of a window of an account. */
export interface AccountStatus {
  readonly limit: number
  readonly remaining: number
  readonly lengthMs: number
  /** Time until its oldest slot leaves it; 0 without any. */
  readonly resetMs: number
}

const SECOND_MS = 1_000

export function noAccountCounts(): AccountCounts {
  return { seconds: [], minutes: [] }
}

/** The windows of an account whose keys and sessions have this allowance together. */
export function accountWindows(
  { seconds, minutes }: AccountCounts,
  { burst, minute, hour }: Windows,
  time: number,
): readonly AccountWindow[] {
  return [
    { span: 'burst', limit: burst, waitMs: wait(seconds, burst, BURST_MS, time) },
    { span: 'minute', limit: minute, waitMs: wait(seconds, minute, MINUTE_MS, time) },
    { span: 'hour', limit: hour, waitMs: wait(minutes, hour, HOUR_MS, time) },
  ]
}

/** The most used of the limited windows; null if none is limited. */
export function scarcestWindow(
  { seconds, minutes }: AccountCounts,
  { burst, minute, hour }: Windows,
  time: number,
): AccountStatus | null {
  const windows = [
    status(seconds, burst, BURST_MS, time),
    status(seconds, minute, MINUTE_MS, time),
    status(minutes, hour, HOUR_MS, time),
  ].filter(({ limit }) => limit < Infinity)
  const part = ({ remaining, limit }: AccountStatus) => (limit === 0 ? 0 : remaining / limit)
  const [scarcest = null] = windows.sort((one, other) => part(one) - part(other))
  return scarcest
}

/** @param time not before that of any counted request. */
export function countInAccount(
  { seconds, minutes }: AccountCounts,
  { burst, minute, hour }: Windows,
  time: number,
  requests = 1,
): void {
  if (Math.min(burst, minute) < Infinity) countIn(seconds, requests, SECOND_MS, MINUTE_MS, time)
  if (hour < Infinity) countIn(minutes, requests, MINUTE_MS, HOUR_MS, time)
}

export function isUnlimitedAccount({ burst, minute, hour }: Windows): boolean {
  return Math.min(burst, minute, hour) === Infinity
}

/** A request fits once fewer requests than the limit are in slots that have not left the window. */
function wait(slots: readonly Slot[], limit: number, lengthMs: number, time: number): number {
  if (limit < 1) return lengthMs
  let requests = 0
  for (let index = slots.length - 1; index >= 0; index--) {
    const [last, counted] = slots[index] ?? [time - lengthMs, 0]
    if (last <= time - lengthMs) return 0
    requests += counted
    if (requests >= limit) return last + lengthMs - time
  }
  return 0
}

function status(slots: readonly Slot[], limit: number, lengthMs: number, time: number): AccountStatus {
  const counted = slots.filter(([last]) => last > time - lengthMs)
  const used = counted.reduce((sum, [, requests]) => sum + requests, 0)
  const [oldest] = counted
  return {
    limit,
    remaining: Math.max(0, limit - used),
    lengthMs,
    resetMs: oldest === undefined ? 0 : oldest[0] + lengthMs - time,
  }
}

function countIn(slots: Slot[], requests: number, slotMs: number, keepMs: number, time: number): void {
  const newest = slots.at(-1)
  if (newest !== undefined && Math.floor(newest[0] / slotMs) === Math.floor(time / slotMs)) {
    newest[0] = time
    newest[1] += requests
    return
  }
  const ended = slots.findIndex(([last]) => last > time - keepMs)
  slots.splice(0, ended === -1 ? slots.length : ended)
  slots.push([time, requests])
}
