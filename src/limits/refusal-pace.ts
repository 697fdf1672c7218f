import type { Timers } from '../domain/timers.ts'
import { createExpiringMap } from './expiring-map.ts'
import type { RateLimits, Subject } from './rate-limits.ts'

/** Time from one rejection of an account or address to its next one. */
const EVERY_MS = 50
/** Longest wait of a rejection. */
const MAX_WAIT_MS = 2_000
/** Accounts and addresses whose rejections are spaced. Those rejected longest ago are forgotten first. */
const MAX_CLIENTS = 10_000

export interface RefusalPacePorts {
  /** A monotonic clock in milliseconds. */
  readonly monotonic: () => number
  readonly timers: Pick<Timers, 'sleep'>
}

/**
 * Spaces the rejections of an account or an address. A client that repeats rejected requests as fast as it can then
 * takes little of the main thread. The first rejection is answered at once. A waiting rejection keeps its connection,
 * so the limit on connections bounds their number.
 */
export function paceRefusals(limits: RateLimits, { monotonic, timers }: RefusalPacePorts): RateLimits {
  const paces = createExpiringMap({ keepMs: MAX_WAIT_MS, max: MAX_CLIENTS, create: () => ({ nextAt: 0 }) })

  return {
    ...limits,

    take(request) {
      const decision = limits.take(request)
      if (decision instanceof Promise) return decision.then((made) => paced(request.subject, made))
      return paced(request.subject, decision)
    },
  }

  function paced<Made extends { readonly refusal: unknown }>(
    subject: Subject,
    decision: Made,
  ): Made | Promise<Made> {
    if (decision.refusal === null) return decision
    const now = monotonic()
    const pace = paces.get(clientOf(subject), now)
    const waitMs = Math.min(Math.max(0, pace.nextAt - now), MAX_WAIT_MS)
    pace.nextAt = now + waitMs + EVERY_MS
    return waitMs === 0 ? decision : timers.sleep(waitMs).then(() => decision)
  }
}

function clientOf(subject: Subject): string {
  if (subject.kind === 'address') return `address ${subject.id}`
  return `user ${subject.kind === 'user' ? subject.id : subject.account.id}`
}
