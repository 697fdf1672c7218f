import type { Middleware } from 'koa'
import type { Logger } from 'pino'
import { UnavailableError } from '../../domain/errors.ts'
import {
  type AnswerTime,
  createAnswerTime,
  unlimitedAnswerTime,
  withinAnswerTime,
} from '../../platform/answer-time.ts'
import { sleep } from '../../platform/sleep.ts'

/** Methods of requests that change something. Reads end with the time of their query. */
const CHANGING: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])
/** Time after the last wait of a request in which it can still be answered as it ended. */
const ENDING_MS = 750
/** Seconds after which a client may try again: what holds the database, such as a migration, is brief. */
const RETRY_AFTER_S = 5

export interface AnswerTimePorts {
  readonly log: Logger
  /** A monotonic clock in milliseconds. */
  readonly monotonic: () => number
}

/**
 * Answers each request that changes something within 15 s after its body has arrived, even while it still waits. Waits
 * that use `leftToWait` end by themselves before and report more.
 *
 * @throws {UnavailableError} when the request has not ended in time. It may still take effect.
 */
export function answerInTime({ log, monotonic }: AnswerTimePorts): Middleware {
  return async (ctx, next) => {
    if (!CHANGING.has(ctx.method)) return withinAnswerTime(unlimitedAnswerTime(), next)
    const time = createAnswerTime(monotonic)
    const ended = new AbortController()
    const handled = withinAnswerTime(time, next)
    try {
      const isLate = await Promise.race([handled.then(() => false), isOver(time, ended.signal)])
      if (!isLate) return
      handled.catch((error) => {
        log.error(
          { err: error, request_id: ctx.state['requestId'] },
          'A request failed after it was answered.',
        )
      })
      throw new UnavailableError(TOO_LATE, RETRY_AFTER_S)
    } finally {
      // Work that the request started, such as a purge, continues without a limit.
      time.lift()
      ended.abort()
    }
  }
}

/** Resolves with true when the time is over; with false when `ended` is aborted before. */
async function isOver(time: AnswerTime, ended: AbortSignal): Promise<boolean> {
  while (!ended.aborted) {
    const leftMs = time.leftMs() + ENDING_MS
    if (leftMs <= 0) return true
    // A lifted limit is infinite, which no timer is; a body that arrives moves the end.
    await sleep(Math.min(leftMs, LONGEST_SLEEP_MS), ended)
  }
  return false
}

const LONGEST_SLEEP_MS = 15_000

const TOO_LATE =
  'The request could not be completed in time, because the database is busy or locked. It may still take effect: look before you repeat it, or repeat it with the same Idempotency-Key.'
