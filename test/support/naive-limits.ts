import { KEYLESS_ALLOWANCE, VISITOR_ALLOWANCE } from '../../src/domain/plan-allowance.ts'
import type { Refusal } from '../../src/domain/rate-limit.ts'
import type { CountedRequest, Standing } from '../../src/limits/rate-limits.ts'

/** What may be answered: where several windows open at the same moment, any of them may be named. */
export interface NaiveDecision {
  readonly standing: Standing
  readonly refusals: readonly (Refusal | null)[]
}

interface Seen {
  readonly who: string
  readonly endpoint: CountedRequest['endpoint']
  readonly at: number
}

interface Window {
  readonly name: Refusal['window']
  readonly limit: number
  readonly lengthMs: number
  readonly moments: readonly number[]
}

/**
 * Limits as one would write them without a thought for time or memory: every accepted request in one
 * list, which is searched from end to end. What other limits are compared with.
 */
export function createNaiveLimits() {
  const seen: Seen[] = []
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
      const mine = () => seen.filter((one) => one.who === who)
      const all = mine().map(({ at }) => at)
      const alike = mine().filter((one) => one.endpoint === endpoint)

      const windows: Window[] = [
        { name: 'burst', limit: burst, lengthMs: 10_000, moments: all },
        { name: 'minute', limit: minute, lengthMs: 60_000, moments: all },
        { name: 'hour', limit: hour, lengthMs: 3_600_000, moments: all },
      ]
      if (endpoint !== null) {
        const moments = alike.map(({ at }) => at)
        windows.push({ name: 'endpoint', limit: allowance[endpoint], lengthMs: 60_000, moments })
      }
      const waits = windows.map((window) => ({ ...window, waitMs: slidingWait(window, now) }))
      const used = months.get(month) ?? 0
      if (used >= allowance.month) {
        const waitMs = untilNextMonth(unix)
        waits.push({ name: 'month', limit: allowance.month, waitMs, lengthMs: waitMs, moments: [] })
      }

      const longest = Math.max(...waits.map(({ waitMs }) => waitMs))
      if (longest === 0) {
        seen.push({ who, endpoint, at: now })
        months.set(month, used + 1)
      }
      const isCounted = Math.min(burst, minute, hour) < Infinity
      const counted = isCounted ? mine().map(({ at }) => at) : []
      const inMinute = counted.filter((at) => at > now - 60_000)
      return {
        standing: {
          limit: minute,
          remaining: Math.max(0, minute - inMinute.length),
          resetAt: inMinute.length === 0 ? unix : unix + Math.min(...inMinute) + 60_000 - now,
          burstLimit: burst,
          burstRemaining: Math.max(0, burst - counted.filter((at) => at > now - 10_000).length),
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

/** The shortest wait after which fewer than the limit are left: always one at which some moment leaves. */
function slidingWait({ limit, lengthMs, moments }: Window, now: number): number {
  const fits = (at: number) => moments.filter((moment) => moment > at - lengthMs).length < limit
  const candidates = [now, ...moments.map((moment) => moment + lengthMs)].filter((at) => at >= now)
  return Math.min(...candidates.filter(fits)) - now
}

function untilNextMonth(unix: number): number {
  const month = new Date(unix).toISOString().slice(0, 7)
  const next = new Date(`${month}-01T00:00:00Z`)
  next.setUTCMonth(next.getUTCMonth() + 1)
  return next.getTime() - unix
}
