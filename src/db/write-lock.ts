import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Longest wait of a write until it starts, whatever it waits for: other writes of this process, or another process that
 * holds the write lock. As long as a publish may take.
 */
export const WRITE_DEADLINE_MS = 15_000
/**
 * Longest wait of one attempt inside SQLite. It is short: work whose deadline has passed must not keep the only writing
 * connection from the others.
 */
export const LOCK_ATTEMPT_MS = 1_000
/** Pause between attempts: SQLite may refuse a lock without waiting. */
const PAUSE_MS = 20

/** Repeats an attempt while another process holds the write lock. @throws the last error at the deadline. */
export async function withWriteLock<Result>(
  attempt: () => PromiseLike<Result>,
  deadlineMs = WRITE_DEADLINE_MS,
): Promise<Result> {
  const deadline = performance.now() + deadlineMs
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (!isLocked(error) || performance.now() >= deadline) throw error
      await pauseWhileLocked()
    }
  }
}

export function pauseWhileLocked(): Promise<void> {
  return sleep(PAUSE_MS)
}

/**
 * Reports whether an attempt only has to be repeated: the write lock, or the writing connection, was not free in time.
 */
export function isLocked(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return ('code' in error && error.code === 'SQLITE_BUSY') || error.name === 'KnexTimeoutError'
}
