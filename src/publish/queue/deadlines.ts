import type { ReleaseId } from '../../domain/ids.ts'
import { type AnyRelease, DEADLINE_MS } from '../../domain/release.ts'
import type { CancelTimer, Timers } from '../../domain/timers.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Lease } from '../ledger/leases.ts'
import type { HeldLease } from './held-lease.ts'
import { withStallTimeout } from './stall-timeout.ts'

/** Shortest time of a batch, however long its releases were queued. */
const MIN_BATCH_MS = 2_000
/** Time after a deadline until its request was answered, or its process has died. */
const ANSWERED_MS = 3_000
const RECHECK_MS = 200
/** A store that has taken something within this time is slow, not broken. Longer than an attempt of a call. */
const MOVING_MS = 5_000

export interface DeadlinePorts {
  readonly timers: Timers
  /** A monotonic clock in milliseconds. */
  readonly monotonic: () => number
  /** Current time, ISO 8601 UTC. Deadlines of requests to other processes are compared with it. */
  readonly now: () => string
  readonly storage: Storage
  /**
   * Decides about a release that no batch of this process has: ends it, or answers its request. False when that has to
   * be tried again.
   */
  readonly expire: (id: ReleaseId) => Promise<boolean>
  /**
   * Lets claimed releases go on without a deadline, and answers their requests. Called again for a later request of the
   * same release.
   */
  readonly continueInBackground: (lease: Lease, releases: readonly ReleaseId[]) => Promise<void>
}

/**
 * One deadline per awaited release, over its time in the queue and all stages and attempts of its upload. Work
 * on the store without a deadline is aborted when nothing moves for a minute.
 */
export interface Deadlines {
  /**
   * Starts a deadline of this many milliseconds. When it passes, a queued release is refused. The batch of a claimed one is
   * aborted, or continues in the background when it is uploading to a store that is only slow.
   */
  watch(id: ReleaseId, ms: number): CancelTimer
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
    work: (storage: Storage, signal: AbortSignal, upload: UploadProgress) => Promise<T>,
  ): Promise<T>
}

/** What work says of its upload. Calls of its storage say by themselves that they move. */
export interface UploadProgress {
  started(): void
  /** Called after a read of bytes to be uploaded. */
  moved(): void
}

interface Batch {
  readonly startedAt: number
  readonly controller: AbortController
  readonly lease: Lease
  readonly releases: readonly ReleaseId[]
  isUploading: boolean
  /** Time of the last progress of the upload; null before the first. */
  movedAt: number | null
  /** True when it goes on in the background, or always was there. */
  isInBackground: boolean
}

export function createDeadlines(ports: DeadlinePorts): Deadlines {
  const { timers, monotonic, now, storage } = ports
  const batchOf = new Map<ReleaseId, Batch>()

  return {
    watch(id, ms) {
      let cancel: CancelTimer = () => {}
      let isWatching = true
      const expireIn = (afterMs: number) => {
        cancel = timers.after(afterMs, async () => {
          if (!(await expire(id)) && isWatching) expireIn(RECHECK_MS)
        })
      }
      expireIn(ms)
      return () => {
        isWatching = false
        cancel()
      }
    },

    async within(held, releases, work) {
      const batch: Batch = {
        startedAt: monotonic(),
        controller: new AbortController(),
        lease: held.lease,
        releases: releases.map(({ id }) => id),
        isUploading: false,
        movedAt: null,
        isInBackground: releases.every(({ deadlineAt }) => deadlineAt === null),
      }
      const onMove = () => {
        if (batch.isUploading) batch.movedAt = monotonic()
      }
      const abort = () => batch.controller.abort(held.signal.reason)
      held.signal.addEventListener('abort', abort)
      for (const { id } of releases) batchOf.set(id, batch)
      const leftMs = Math.min(...releases.map(remainingMs))
      const cancel = Number.isFinite(leftMs) ? timers.after(leftMs, () => endWait(batch)) : () => {}
      try {
        const { controller } = batch
        const watched = withStallTimeout(held.guard(storage), controller, timers, onMove)
        const started = () => {
          batch.isUploading = true
        }
        return await work(watched, controller.signal, { started, moved: onMove })
      } finally {
        cancel()
        held.signal.removeEventListener('abort', abort)
        for (const { id } of releases) batchOf.delete(id)
      }
    },
  }

  /** True when the wait for the release has ended; false when it has to be tried again. */
  async function expire(id: ReleaseId): Promise<boolean> {
    const batch = batchOf.get(id)
    if (batch === undefined) return ports.expire(id)
    if (monotonic() - batch.startedAt < MIN_BATCH_MS) return false
    await endWait(batch)
    return true
  }

  /** Lets the batch go on in the background when it can be expected to end well; else aborts it. */
  async function endWait(batch: Batch): Promise<void> {
    const { controller, lease, releases, movedAt } = batch
    const isMoving = movedAt !== null && monotonic() - movedAt < MOVING_MS
    try {
      if (!batch.isInBackground && !isMoving)
        throw new Error(`The publish exceeded its deadline of ${DEADLINE_MS / 1000} s.`)
      batch.isInBackground = true
      await ports.continueInBackground(lease, releases)
    } catch (error) {
      controller.abort(error)
    }
  }

  /** Time until the batch of a release is given up. Bounded, because clocks of machines may differ. */
  function remainingMs({ deadlineAt }: Pick<AnyRelease, 'deadlineAt'>): number {
    if (deadlineAt === null) return Number.POSITIVE_INFINITY
    const leftMs = Date.parse(deadlineAt) - Date.parse(now())
    if (leftMs < -ANSWERED_MS) return Number.POSITIVE_INFINITY
    return Math.min(Math.max(leftMs, MIN_BATCH_MS), DEADLINE_MS)
  }
}
