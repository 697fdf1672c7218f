import type { ReleaseId } from '../../domain/ids.ts'
import { type AnyRelease, DEADLINE_MS } from '../../domain/release.ts'
import type { CancelTimer, Timers } from '../../domain/timers.ts'
import type { Storage } from '../../storage/storage.ts'
import type { HeldLease } from './held-lease.ts'
import { withStallTimeout } from './stall-timeout.ts'

/** Time that a batch gets at least, however long its releases were queued. */
const MIN_BATCH_MS = 2_000
/** Time after a deadline by which its request has been answered, or its process has died. */
const ANSWERED_MS = 3_000
const RECHECK_MS = 200

export interface DeadlinePorts {
  readonly timers: Timers
  /** A monotonic clock in milliseconds. */
  readonly monotonic: () => number
  /** Current time, ISO 8601 UTC. Deadlines of requests to other processes are compared with it. */
  readonly now: () => string
  readonly storage: Storage
  /** Ends a release that is still queued. False when it was claimed already, or when refusing failed. */
  readonly refuse: (id: ReleaseId) => Promise<boolean>
}

/**
 * One deadline per awaited release, over its time in the queue and all stages and attempts of its upload. Work
 * on the store without a deadline is aborted when the store completes no call for a minute.
 */
export interface Deadlines {
  /** Starts the deadline. When it passes, a queued release is refused, and the batch of a claimed one is aborted. */
  watch(id: ReleaseId): CancelTimer
  /**
   * Runs work on the store under a lease. It is aborted when the lease is lost.
   *
   * @param releases the releases that the work is for; it is aborted when the deadline of one of them passes,
   *   whichever process has the request that awaits it.
   * @param work receives the storage to use, whose calls are aborted with the work, and the signal that aborts them.
   */
  within<T>(
    held: HeldLease,
    releases: readonly Pick<AnyRelease, 'id' | 'deadlineAt'>[],
    work: (storage: Storage, signal: AbortSignal) => Promise<T>,
  ): Promise<T>
}

interface Batch {
  readonly startedAt: number
  readonly controller: AbortController
}

export function createDeadlines({ timers, monotonic, now, storage, refuse }: DeadlinePorts): Deadlines {
  const batchOf = new Map<ReleaseId, Batch>()

  return {
    watch(id) {
      let cancel: CancelTimer = () => {}
      let isWatching = true
      const expireIn = (ms: number) => {
        cancel = timers.after(ms, async () => {
          if (!(await expire(id)) && isWatching) expireIn(RECHECK_MS)
        })
      }
      expireIn(DEADLINE_MS)
      return () => {
        isWatching = false
        cancel()
      }
    },

    async within(held, releases, work) {
      const batch = { startedAt: monotonic(), controller: new AbortController() }
      const abort = () => batch.controller.abort(held.signal.reason)
      held.signal.addEventListener('abort', abort)
      for (const { id } of releases) batchOf.set(id, batch)
      const leftMs = Math.min(...releases.map(remainingMs))
      const cancel = Number.isFinite(leftMs) ? timers.after(leftMs, () => giveUp(batch)) : () => {}
      try {
        const { controller } = batch
        return await work(withStallTimeout(held.guard(storage), controller, timers), controller.signal)
      } finally {
        cancel()
        held.signal.removeEventListener('abort', abort)
        for (const { id } of releases) batchOf.delete(id)
      }
    },
  }

  /** True when the release was refused or its batch aborted; false when it has to be tried again. */
  async function expire(id: ReleaseId): Promise<boolean> {
    const batch = batchOf.get(id)
    if (batch === undefined) return refuse(id)
    if (monotonic() - batch.startedAt < MIN_BATCH_MS) return false
    giveUp(batch)
    return true
  }

  function giveUp({ controller }: Batch): void {
    controller.abort(new Error(`The publish exceeded its deadline of ${DEADLINE_MS / 1000} s.`))
  }

  /** Time until the batch of a release is given up. Bounded, because clocks of machines may differ. */
  function remainingMs({ deadlineAt }: Pick<AnyRelease, 'deadlineAt'>): number {
    if (deadlineAt === null) return Number.POSITIVE_INFINITY
    const leftMs = Date.parse(deadlineAt) - Date.parse(now())
    if (leftMs < -ANSWERED_MS) return Number.POSITIVE_INFINITY
    return Math.min(Math.max(leftMs, MIN_BATCH_MS), DEADLINE_MS)
  }
}
