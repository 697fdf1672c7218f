import { KEYLESS_ALLOWANCE, VISITOR_ALLOWANCE } from '../../src/domain/plan-allowance.ts'
import type { Refusal } from '../../src/domain/rate-limit.ts'
import type { CountedRequest, LimitStatus, WindowStatus } from '../../src/limits/rate-limits.ts'

/** The allowed answers. When several windows open at the same time, any of them may be named. */
export interface NaiveDecision {
  readonly standing: LimitStatus
  readonly refusals: readonly (Refusal | null)[]
}

interface AcceptedRequest {
  readonly who: string
  readonly endpoint: CountedRequest['endpoint']
  readonly at: number
}

interface Window {
  readonly name: Refusal['window']
  readonly limit: number
  readonly lengthMs: number
  readonly times: readonly number[]
}

/**
 * The simplest implementation of rate limits: all accepted requests in one list, searched from end to end. The
 * reference for the other implementations.
 */
export function createNaiveLimits() {
  const accepted: AcceptedRequest[] = []
  const months = new Map<string, number>()
  let now = 0
  let lastUnix: number | null = null

  return {
    take({ subject, budget, endpoint }: CountedRequest, unix: number): NaiveDecision {
      now += Math.max(0, unix - (lastUnix ?? unix))
      lastUnix = unix
      const allowance =
        budget === 'visits'
          ? VISITOR_ALLOWANCE
          : subject.kind === 'key'
            ? subject.allowance
            : KEYLESS_ALLOWANCE
      const { burst, minute, hour } = allowance
      const who = `${subject.kind} ${subject.id} ${budget}`
      const month = `${who} ${new Date(unix).toISOString().slice(0, 7)}`
      const mine = () => accepted.filter((one) => one.who === who)
      const all = mine().map(({ at }) => at)
      const alike = mine().filter((one) => one.endpoint === endpoint)

      const windows: Window[] = [
        { name: 'burst', limit: burst, lengthMs: 10_000, times: all },
        { name: 'minute', limit: minute, lengthMs: 60_000, times: all },
        { name: 'hour', limit: hour, lengthMs: 3_600_000, times: all },
      ]
      if (endpoint !== null) {
        const times = alike.map(({ at }) => at)
        windows.push({ name: 'endpoint', limit: allowance[endpoint], lengthMs: 60_000, times })
      }
      const waits = windows.map((window) => ({ ...window, waitMs: slidingWait(window, now) }))
      const used = months.get(month) ?? 0
      if (used >= allowance.month) {
        const waitMs = untilNextMonth(unix)
        waits.push({ name: 'month', limit: allowance.month, waitMs, lengthMs: waitMs, times: [] })
      }

      const longest = Math.max(...waits.map(({ waitMs }) => waitMs))
      if (longest === 0) {
        accepted.push({ who, endpoint, at: now })
        months.set(month, used + 1)
      }
      const isCounted = Math.min(burst, minute, hour) < Infinity
      const counted = isCounted ? mine().map(({ at }) => at) : []
      const inMinute = counted.filter((at) => at > now - 60_000)
      const mineAlike = mine().filter((one) => endpoint !== null && one.endpoint === endpoint)
      const limitedWindows = () => {
        const sliding = [
          naiveStatus('burst', burst, 10_000, counted, now),
          naiveStatus('minute', minute, 60_000, counted, now),
          naiveStatus('hour', hour, 3_600_000, counted, now),
        ]
        const ofMonth = {
          name: 'month' as const,
          limit: allowance.month,
          remaining: Math.max(0, allowance.month - (months.get(month) ?? 0)),
          lengthMs: null,
          resetMs: untilNextMonth(unix),
        }
        const ofEndpoint =
          endpoint === null
            ? []
            : [
                naiveStatus(
                  'endpoint',
                  allowance[endpoint],
                  60_000,
                  mineAlike.map(({ at }) => at),
                  now,
                ),
              ]
        return [...sliding, ofMonth, ...ofEndpoint].filter(({ limit }) => limit < Infinity)
      }
      return {
        standing: {
          limit: minute,
          remaining: Math.max(0, minute - inMinute.length),
          resetAt: inMinute.length === 0 ? unix : unix + Math.min(...inMinute) + 60_000 - now,
          burstLimit: burst,
          burstRemaining: Math.max(0, burst - counted.filter((at) => at > now - 10_000).length),
          windows: limitedWindows(),
        },
        refusals:
          longest === 0
            ? [null]
            : waits
                .filter(({ waitMs }) => waitMs === longest)
                .map(({ name, limit }) => ({ window: name, limit, retryAfter: Math.ceil(longest / 1000) })),
      }
    },
  }
}

/** The shortest wait after which the window holds fewer requests than the limit. */
function slidingWait({ limit, lengthMs, times }: Window, now: number): number {
  const fits = (at: number) => times.filter((time) => time > at - lengthMs).length < limit
  const candidates = [now, ...times.map((time) => time + lengthMs)].filter((at) => at >= now)
  return Math.min(...candidates.filter(fits)) - now
}

/** A window as it is after the request. */
function naiveStatus(
  name: WindowStatus['name'],
  limit: number,
  lengthMs: number,
  times: readonly number[],
  now: number,
): WindowStatus {
  const inWindow = times.filter((at) => at > now - lengthMs)
  return {
    name,
    limit,
    remaining: Math.max(0, limit - inWindow.length),
    lengthMs,
    resetMs: inWindow.length === 0 ? 0 : Math.min(...inWindow) + lengthMs - now,
  }
}

function untilNextMonth(unix: number): number {
  const month = new Date(unix).toISOString().slice(0, 7)
  const next = new Date(`${month}-01T00:00:00Z`)
  next.setUTCMonth(next.getUTCMonth() + 1)
  return next.getTime() - unix
}
