import type { Middleware } from 'koa'
import type { Timers } from '../../domain/timers.ts'
import type { FairLimit } from '../../platform/fair-limit.ts'
import type { ApiState } from '../api.ts'

export interface PacePorts {
  /** Turns for parsing bodies and writing answers, one at a time. */
  readonly largeTurns: FairLimit
  readonly pauses: Pick<Timers, 'sleep'>
}

/** Smaller bodies and answers are not paced. */
const LARGE_BYTES = 256 * 1024

/**
 * Time from one large step to the next, per byte. Reading, parsing and writing a mebibyte holds the main thread for
 * about 8 ms, so that large requests take about a fifth of it.
 */
const MS_PER_BYTE = 40 / 1024 ** 2

/**
 * Sets `state.pace`, with which a request waits before it parses a large body or writes a large answer. These steps
 * hold the main thread. A small request needs several turns of the event loop, and would wait for all large steps in
 * each of them. So they run one at a time, with pauses, and accounts take turns.
 */
export function paceLargeRequests({ largeTurns, pauses }: PacePorts): Middleware<ApiState> {
  return (ctx, next) => {
    const { userId } = ctx.state.caller
    ctx.state.pace = async (bytes) => {
      if (bytes < LARGE_BYTES) return
      await new Promise<void>((resolve) => {
        // The turn ends after the pause, and the request continues at its start.
        void largeTurns({ account: userId, project: userId }, () => {
          resolve()
          return pauses.sleep(bytes * MS_PER_BYTE)
        })
      })
    }
    return next()
  }
}
