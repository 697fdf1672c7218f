import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * Time after which the waits of a request end, in milliseconds from the arrival of its body. A request that changes
 * something is answered within 15 s: the rest is for storing and sending the answer.
 */
export const WAITS_MS = 14_000

/** The time of one request. All of its waits share it: for connections, locks, the end of a release. */
export interface AnswerTime {
  /** Time until its waits end, in milliseconds; infinite for a request that may take any time. */
  leftMs(): number
  /** Runs work whose time does not count, such as receiving a body. */
  excluding<Result>(work: () => Promise<Result>): Promise<Result>
  /** Removes the limit: the request takes as long as its body, or the store, needs. */
  lift(): void
  /** Processor time that it has used in all processes, in milliseconds: see `processor-time.ts`. */
  processorMs: number
}

const current = new AsyncLocalStorage<AnswerTime>()

/** @param monotonic a clock in milliseconds. */
export function createAnswerTime(monotonic: () => number): AnswerTime {
  let endsAt = monotonic() + WAITS_MS
  let excludedSince: number | null = null
  return {
    leftMs: () => endsAt - (excludedSince ?? monotonic()),
    async excluding(work) {
      excludedSince = monotonic()
      try {
        return await work()
      } finally {
        endsAt += monotonic() - excludedSince
        excludedSince = null
      }
    },
    lift() {
      endsAt = Number.POSITIVE_INFINITY
    },
    processorMs: 0,
  }
}

/** The time of a request that may take any time. */
export function unlimitedAnswerTime(): AnswerTime {
  return {
    leftMs: () => Number.POSITIVE_INFINITY,
    excluding: (work) => work(),
    lift() {},
    processorMs: 0,
  }
}

/** Runs the work of a request. Everything that it waits for asks `leftToWait`. */
export function withinAnswerTime<Result>(time: AnswerTime, work: () => Result): Result {
  return current.run(time, work)
}

/** The request of the calling code; undefined outside of requests. */
export function requestOfCaller(): AnswerTime | undefined {
  return current.getStore()
}

/** Runs work that a request starts for others as well, such as working off a queue. */
export function outsideOfRequests<Result>(work: () => Result): Result {
  return current.exit(work)
}

/** @returns a function that runs work in the time of the calling code, from wherever it is called. */
export function ownAnswerTime(): <Result>(work: () => Result) => Result {
  const time = current.getStore()
  return (work) => (time === undefined ? current.exit(work) : current.run(time, work))
}

/** Time for which the request of the calling code may wait, in milliseconds, at least 0; infinite outside of requests. */
export function leftToWait(): number {
  return Math.max(0, current.getStore()?.leftMs() ?? Number.POSITIVE_INFINITY)
}

/** Returns the time that the request of the calling code has used, in milliseconds; 0 outside of requests. */
export function waitedMs(): number {
  const leftMs = leftToWait()
  return leftMs === Number.POSITIVE_INFINITY ? 0 : WAITS_MS - leftMs
}

/** Calls `AnswerTime.excluding` for the request of the calling code. */
export function excludedFromAnswerTime<Result>(work: () => Promise<Result>): Promise<Result> {
  return current.getStore()?.excluding(work) ?? work()
}

/** Calls `AnswerTime.lift` for the request of the calling code. */
export function liftAnswerTime(): void {
  current.getStore()?.lift()
}
