import { performance } from 'node:perf_hooks'
import type { Logger } from 'pino'
import type { Connections } from '../db/connections.ts'
import { createRateAccounts, type RateAccounts } from '../db/rate-accounts.ts'
import type { Database } from '../db/repositories.ts'
import { createMemoryLimits } from '../limits/in-memory.ts'
import type { RateLimits } from '../limits/rate-limits.ts'
import { paceRefusals } from '../limits/refusal-pace.ts'
import { createSharedLimits } from '../limits/shared.ts'
import { systemTimers } from '../platform/clock.ts'
import type { Config } from './config.ts'

export interface RateLimitSettings {
  readonly config: Config
  readonly db: Database
  readonly connections: Connections
  /** Current time, ISO 8601 UTC. */
  readonly now: () => string
  readonly monotonic: () => number
  readonly log: Pick<Logger, 'error'>
}

/** Counts requests in this process, on PostgreSQL together with all others. `rateAccounts` is null in a process alone. */
export function openRateLimits({ config, db, connections, now, monotonic, log }: RateLimitSettings): {
  readonly limits: RateLimits
  readonly rateAccounts: RateAccounts | null
} {
  const localLimits = createMemoryLimits({
    now: () => Date.parse(now()),
    usage: {
      requests: (of) => db.read.usage.requests(of),
      add: (usages) => db.write(({ usage }) => usage.add(usages)),
    },
    accountFactor: config.accountRateFactor,
    onFailure: (error) =>
      log.error(
        { err: error },
        'The number of requests per month could not be stored; it is stored again later.',
      ),
  })

  const rateAccounts = config.database.kind === 'sqlite' ? null : createRateAccounts(connections.writer)
  const unpacedLimits =
    rateAccounts === null
      ? localLimits
      : createSharedLimits({
          accounts: rateAccounts,
          local: localLimits,
          accountFactor: config.accountRateFactor,
          monotonic,
          onFailure: (error) =>
            log.error(
              { err: error },
              'Requests could not be counted for all processes. This one counted them alone.',
            ),
        })
  // Real time, as for other pauses: with the timers of a test, a rejection would wait for ever.
  const limits = paceRefusals(unpacedLimits, { monotonic: () => performance.now(), timers: systemTimers })
  return { limits, rateAccounts }
}
