import type { Timers } from '../domain/timers.ts'
import { untilAborted } from './concurrency.ts'

export interface Deadline {
  readonly timers: Timers
  /** Time for the work, in milliseconds. */
  readonly ms: number
  /** The error after that time. */
  readonly tooLate: () => Error
  /** Aborts the work as well. */
  readonly gone?: AbortSignal
}

/** Settles as the work does, or rejects when its time is over. The work should then end, since its signal is aborted. */
export async function withDeadline<Result>(
  { timers, ms, tooLate, gone }: Deadline,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const late = new AbortController()
  const cancel = timers.after(ms, () => late.abort(tooLate()))
  const signal = gone === undefined ? late.signal : AbortSignal.any([gone, late.signal])
  try {
    return await untilAborted(work(signal), signal)
  } finally {
    cancel()
  }
}
