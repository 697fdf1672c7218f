import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { DryRun } from '../../domain/dry-run.ts'
import { ServiceError, UnavailableError } from '../../domain/errors.ts'
import type { ProjectId, ReleaseId } from '../../domain/ids.ts'
import { DEADLINE_MS, type Release, type ReleaseFailure } from '../../domain/release.ts'
import type { Timers } from '../../domain/timers.ts'
import { leftToWait, outsideOfRequests, WAITS_MS } from '../../platform/answer-time.ts'
import { every, type Repetition } from '../../platform/every.ts'
import { ownPayment, type Pay } from '../../platform/processor-time.ts'
import { withDeadline } from '../../platform/with-deadline.ts'
import { RENDER_DEADLINE_MS, renderedTooLate } from '../../renderer/renderer.ts'
import { type Lease, LeaseLost } from '../ledger/leases.ts'
import type { ReleaseStatus } from '../ledger/release-queue.ts'
import type { PhaseTimes } from '../phases.ts'
import { dryRun } from '../pipeline/dry-run.ts'
import type { PublishPorts } from '../ports.ts'
import { removeOrphanedAssets } from '../recovery/orphaned-assets.ts'
import { purge } from '../recovery/purge.ts'
import { createDeadlines } from './deadlines.ts'
import { createDrain, STORE_FAILED } from './drain.ts'
import { createLeaseHolder, type LeaseHolderPorts } from './lease-holder.ts'

/** Projects whose queue this process works off at once before a sweep starts further ones: each reads its releases. */
const MAX_SWEPT = 32
/** Number of cached ended releases. */
const MAX_ENDED = 1_000
const SWEEP_MS = 2_000
const POLL_MS = 200
/** First retry after failing to get the project's lease, in ms. Short, because index writers hold it only briefly. */
const LEASE_RETRY_MS = 15
/** The retry interval doubles up to this. */
const LEASE_RETRY_MAX_MS = 250
/** Number of retries until a purge or cleanup leaves the work to a later sweep. */
const MAX_LEASE_RETRIES = 40

/** Time before the end of a request's waits at which its release is refused, or goes on: what decides it may take as long. */
const DECIDING_MS = 2_000
/** For the last attempt to store that a release goes on, whose request is answered then in any case. */
const LAST_ATTEMPT_MS = 300

/** Seconds after which a publish may be tried again that failed because of the database. */
const RETRY_AFTER_S = 5

/** End of a release without its snapshot, so that a thousand fit in the cache. */
export type ReleaseEnd = ReleaseStatus & {
  /** Phases of the batch it went live with; null when it failed, or another process published it. */
  readonly times: PhaseTimes | null
}

/** A release whose end a caller awaits. */
export interface AwaitedRelease {
  readonly id: ReleaseId
  readonly projectId: ProjectId
  readonly requestId?: string | undefined
}

/** End of a live release. */
export type LiveRelease = ReleaseEnd & {
  /** Time this caller waited, in milliseconds. */
  readonly waitedMs: number
}

export type PublisherPorts = PublishPorts &
  LeaseHolderPorts & {
    readonly timers: Timers
    /** How often it looks for unfinished releases; 2 s unless given. */
    readonly sweepMs?: number
    /**
     * For a process that leaves publishing to others: called when there is work in a project. It then only waits for the
     * end of releases, and refuses those whose deadline passes.
     */
    readonly delegate?: (projectId: ProjectId) => void
    /** Called when releases end; with phase times when they went live in one batch. */
    readonly onSettled?: (ended: readonly ReleaseEnd[], times: PhaseTimes | null) => void
  }

/** Publishes accepted releases under the lease of their project, and recovers unfinished ones of other processes. */
export interface Publisher {
  /**
   * Publishes the release. Resolves when it is live, or with null when it goes on in the background: a job then follows
   * it (`jobOfRelease`). The deadline is 12 s, queueing included, or less when the request has waited before. When nothing
   * decides the release by the end of the request's waits, because the process that publishes it has died or the database
   * takes no writes, it goes on too: whichever process can publish next ends it.
   *
   * @throws {ServiceError} with the reason of a refusal, `service_unavailable` when the database failed, or
   *   `internal_error` when the store failed, or took nothing when the deadline passed. The previous version then stays
   *   live or is being restored, and this release never goes live.
   */
  finish(release: AwaitedRelease): Promise<LiveRelease | null>
  /** As `finish`, without a deadline: the release may take as long as the store completes calls. */
  finishInBackground(release: AwaitedRelease): Promise<ReleaseEnd>
  /**
   * Plans the publish of a release without executing it.
   *
   * @throws {ServiceError} with the reason of a refusal; `service_unavailable` when the page could not be rendered in
   *   time.
   */
  plan(release: Release): Promise<DryRun>
  /**
   * Removes a deleted project from the CDN. Resolves when that is done, or when the store fails or another holder
   * keeps the lease; later sweeps then retry.
   */
  purge(projectId: ProjectId): Promise<void>
  /**
   * Removes assets that have been orphaned for a day. Resolves when that is done, or when another holder keeps the
   * lease.
   */
  removeOrphanedAssets(projectId: ProjectId): Promise<void>
  /** Starts looking for unfinished releases, now and every 2 s. */
  start(): void
  /** Works off the queue of a project now, because another process has accepted a release. */
  wake(projectId: ProjectId): void
  /** Resolves when no work is running. Unfinished releases stay queued for the next start. */
  stop(): Promise<void>
}

export function createPublisher(ports: PublisherPorts): Publisher {
  const { releaseQueue, log, timers, monotonic, delegate, sweepMs = SWEEP_MS, onSettled = () => {} } = ports
  /** A release may have several waiters: a request, a repetition of it, a job. */
  const waiters = new Map<ReleaseId, Set<Waiter>>()
  /** Ended releases, possibly before their waiter arrived. */
  const ended = new LRUCache<ReleaseId, ReleaseEnd>({ max: MAX_ENDED })
  /** Projects whose queue this process is working off. */
  const draining = new Map<ProjectId, { done: Promise<void>; again: boolean }>()
  const leaseHolder = createLeaseHolder(ports)
  /** Deleted projects whose objects have to be removed. */
  const pendingPurges = new Set<ProjectId>()
  /** Projects whose orphaned assets have to be removed. */
  const pendingCleanups = new Set<ProjectId>()
  /** Background reads of the ledger; `stop` waits for them. */
  const backgroundReads = new Set<Promise<void>>()
  /** Projects whose lease another holder has. */
  const leaseRetries = new Map<ProjectId, { readonly timer: NodeJS.Timeout; readonly pause: number }>()
  /** Projects found by a sweep and not started yet. */
  let found: readonly ProjectId[] = []
  let sweeping: Repetition | null = null
  /** Releases in the background whose rows do not say so yet. */
  const undecided = new Set<ReleaseId>()
  let deciding: Repetition | null = null
  const deadlines = createDeadlines({ ...ports, expire, continueInBackground })
  const drain = createDrain({ ...ports, deadlines, settle, requestsFor, payFor })
  let stopping = false

  return {
    async finish(release) {
      const waitMs = Math.min(leftToWait(), WAITS_MS)
      const callOff = deadlines.watch(release.id, Math.max(0, Math.min(DEADLINE_MS, waitMs - DECIDING_MS)))
      const cancel = timers.after(waitMs, () => outsideOfRequests(() => continueUndecided(release.id)))
      const asked = monotonic()
      try {
        const end = await endOf(release, true)
        return end && { ...liveOrThrow(end), waitedMs: monotonic() - asked }
      } finally {
        callOff()
        cancel()
      }
    },

    async finishInBackground(release) {
      const end = await endOf(release, false)
      if (end === null) throw new Error(`A job does not wait any more for release ${release.id}.`)
      return liveOrThrow(end)
    },

    plan(release) {
      const deadline = { timers, ms: RENDER_DEADLINE_MS, tooLate: renderedTooLate }
      return withDeadline(deadline, (signal) => dryRun(release, { ...ports, turn: { urgent: true, signal } }))
    },

    purge: (projectId) => runPending(projectId, pendingPurges),

    removeOrphanedAssets: (projectId) => runPending(projectId, pendingCleanups),

    start() {
      if (delegate !== undefined) return
      void inBackground(sweep)
      void inBackground(removeLeftMedia)
      sweeping = every(sweepMs, () => inBackground(sweep))
    },

    wake: startDraining,

    async stop() {
      stopping = true
      await sweeping?.stop()
      await deciding?.stop()
      for (const { timer } of leaseRetries.values()) clearTimeout(timer)
      while (backgroundReads.size + draining.size > 0)
        await Promise.all([...backgroundReads, ...[...draining.values()].map(({ done }) => done)])
    },
  }

  /** Resolves when the pending work of the project is done, has failed, or is left to a later sweep. */
  async function runPending(projectId: ProjectId, pending: Set<ProjectId>): Promise<void> {
    if (delegate !== undefined) return untilPurged(projectId)
    pending.add(projectId)
    startDraining(projectId)
    for (let attempt = 0; attempt < MAX_LEASE_RETRIES && !stopping; attempt++) {
      await draining.get(projectId)?.done
      if (!pending.has(projectId)) return
      const retry = leaseRetries.get(projectId)
      // Another holder may have the lease briefly, such as the job that writes the search index.
      if (retry !== undefined) await sleep(retry.pause)
      else if (!draining.has(projectId)) return
    }
  }

  /** Resolves when another process has removed a deleted project, or after as long as `runPending` takes at most. */
  async function untilPurged(projectId: ProjectId): Promise<void> {
    delegate?.(projectId)
    for (let attempt = 0; attempt < MAX_LEASE_RETRIES && !stopping; attempt++) {
      if (!(await releaseQueue.listTombstones()).includes(projectId)) return
      await sleep(LEASE_RETRY_MAX_MS)
    }
  }

  /**
   * Resolves when the release has ended, in this process or in another; for a request also when it goes on in the
   * background, with null.
   */
  async function endOf(
    { id, projectId, requestId }: AwaitedRelease,
    isRequest: boolean,
  ): Promise<ReleaseEnd | null> {
    const known = ended.get(id)
    if (known !== undefined) return known
    const waiting = waiters.get(id) ?? new Set()
    waiters.set(id, waiting)
    let resolveEnd: Waiter['resolve'] = () => {}
    const end = new Promise<ReleaseEnd | null>((resolve) => (resolveEnd = resolve))
    const waiter: Waiter = { resolve: resolveEnd, isRequest, requestId, pay: ownPayment() }
    waiting.add(waiter)
    startDraining(projectId)
    const polling = every(POLL_MS, () => inBackground(() => pollEnd(id, projectId)))
    try {
      return await end
    } finally {
      void polling.stop()
      waiting.delete(waiter)
      if (waiting.size === 0) waiters.delete(id)
    }
  }

  function inBackground(read: () => Promise<void>): Promise<void> {
    const done = read().finally(() => backgroundReads.delete(done))
    backgroundReads.add(done)
    return done
  }

  /** Starts on the projects that were found last, a few at once, before it looks for others: all of them get a turn. */
  async function sweep(): Promise<void> {
    try {
      if (found.length === 0) {
        for (const projectId of await releaseQueue.listTombstones()) pendingPurges.add(projectId)
        found = [...new Set([...(await releaseQueue.unfinishedProjects()), ...pendingPurges])]
      }
      const next = found.slice(0, Math.max(0, MAX_SWEPT - draining.size))
      found = found.slice(next.length)
      // A project that another holder leads has a retry of its own, which doubles its pauses.
      for (const projectId of next) if (!leaseRetries.has(projectId)) startDraining(projectId)
    } catch (error) {
      log.error({ err: error }, 'Looking for unfinished releases failed; retrying shortly.')
    }
  }

  /** A process that died right after the commit of a publish in Data Mode has left them. */
  async function removeLeftMedia(): Promise<void> {
    try {
      for (const projectId of await ports.liveState.projectsWithExposedMedia()) {
        pendingCleanups.add(projectId)
        startDraining(projectId)
      }
    } catch (error) {
      log.error({ err: error }, 'Looking for files that are no longer public failed; it is tried again.')
    }
  }

  /** Checks for an end of the release by another process. */
  async function pollEnd(id: ReleaseId, projectId: ProjectId): Promise<void> {
    if (stopping || draining.has(projectId)) return
    try {
      const release = (await releaseQueue.findStatus(id)) ?? purged(id)
      if (release.state === 'queued' || release.state === 'claimed') {
        if (delegate === undefined) startDraining(projectId)
        if (release.deadlineAt === null) answerRequests([id])
      } else answerEnds(endsOf([release], null))
    } catch (error) {
      log.error({ err: error, release: id }, 'Polling the state of a release failed; retrying shortly.')
    }
  }

  async function expire(id: ReleaseId): Promise<boolean> {
    try {
      const expired = await releaseQueue.expire(id, STORE_FAILED)
      if (expired === 'continues') answerRequests([id])
      else if (expired !== null) settle([expired])
      return expired !== null
    } catch (error) {
      log.error(
        { err: error, release: id },
        'A release past its deadline could neither be refused nor continued; retrying shortly.',
      )
      return false
    }
  }

  function requestsFor(releases: readonly ReleaseId[]): readonly string[] {
    const waiting = releases.flatMap((id) => [...(waiters.get(id) ?? [])])
    return waiting.flatMap(({ requestId }) => (requestId === undefined ? [] : [requestId]))
  }

  /** A job pays for nothing: turns and the limits of jobs bound it. */
  function payFor(id: ReleaseId): Pay | undefined {
    return [...(waiters.get(id) ?? [])].find(({ isRequest }) => isRequest)?.pay
  }

  async function continueInBackground(lease: Lease, releases: readonly ReleaseId[]): Promise<void> {
    await releaseQueue.continueInBackground(lease, releases)
    answerRequests(releases)
  }

  /** Answers the requests of an undecided release, also while the database takes no writes. */
  async function continueUndecided(id: ReleaseId): Promise<void> {
    undecided.add(id)
    await Promise.race([decide(), sleep(LAST_ATTEMPT_MS)])
    answerRequests([id])
    if (undecided.size > 0) deciding ??= every(sweepMs, decide)
  }

  /** Stores that undecided releases go on. A release that ends meanwhile stays as it ended. */
  async function decide(): Promise<void> {
    const releases = [...undecided]
    try {
      await releaseQueue.continueInBackground(null, releases)
      for (const id of releases) undecided.delete(id)
      if (undecided.size > 0) return
      void deciding?.stop()
      deciding = null
    } catch (error) {
      log.error(
        { err: error, releases },
        'It could not be stored that releases go on in the background; retrying shortly.',
      )
    }
  }

  /** Ends the wait of requests for releases in the background. */
  function answerRequests(releases: readonly ReleaseId[]): void {
    for (const id of releases)
      for (const { isRequest, resolve } of waiters.get(id) ?? []) if (isRequest) resolve(null)
  }

  /** Resolves waiters of releases ended by this process. */
  function settle(releases: readonly ReleaseStatus[], times: PhaseTimes | null = null): void {
    const ends = endsOf(releases, times)
    answerEnds(ends)
    onSettled(ends, times)
  }

  function answerEnds(ends: readonly ReleaseEnd[]): void {
    for (const end of ends) {
      ended.set(end.id, end)
      for (const { resolve } of waiters.get(end.id) ?? []) resolve(end)
    }
  }

  /** Works off the project's queue. While that is already running, it runs once more afterwards. */
  function startDraining(projectId: ProjectId): void {
    if (delegate !== undefined) {
      delegate(projectId)
      return
    }
    const running = draining.get(projectId)
    if (running !== undefined) {
      running.again = true
      return
    }
    if (stopping) return
    const state = { done: Promise.resolve(), again: false }
    draining.set(projectId, state)
    state.done = outsideOfRequests(() => takeAndDrain(projectId, state))
      .catch((error) => {
        if (!(error instanceof LeaseLost))
          log.error(
            { err: error, project: projectId },
            'Working off the release queue failed; retrying shortly.',
          )
      })
      .finally(() => {
        draining.delete(projectId)
        // A release was accepted while the lease was given back.
        if (state.again) startDraining(projectId)
      })
  }

  async function takeAndDrain(projectId: ProjectId, state: { again: boolean }): Promise<void> {
    const lease = await leaseHolder.take(projectId)
    if (lease === null) return retryLease(projectId)
    clearTimeout(leaseRetries.get(projectId)?.timer)
    leaseRetries.delete(projectId)
    await leaseHolder.holdDuring(lease, async (held) => {
      do {
        state.again = false
        await drain(held)
      } while (state.again && !stopping)
      if (pendingPurges.has(projectId)) {
        await deadlines.within(held, [], (storage) => purge(lease, { ...ports, storage }))
        pendingPurges.delete(projectId)
      }
      if (pendingCleanups.delete(projectId)) {
        await deadlines.within(held, [], (storage) => removeOrphanedAssets(lease, { ...ports, storage }))
      }
    })
  }

  function retryLease(projectId: ProjectId): void {
    const last = leaseRetries.get(projectId)
    clearTimeout(last?.timer)
    const pause = last === undefined ? LEASE_RETRY_MS : Math.min(2 * last.pause, LEASE_RETRY_MAX_MS)
    leaseRetries.set(projectId, { timer: setTimeout(() => startDraining(projectId), pause), pause })
  }
}

function endsOf(releases: readonly ReleaseStatus[], times: PhaseTimes | null): readonly ReleaseEnd[] {
  return releases.map(({ id, state, outcome, failure, finishedAt, deadlineAt }) => ({
    id,
    state,
    outcome,
    failure,
    finishedAt,
    deadlineAt,
    times,
  }))
}

/** End of a release deleted with its project by another process. */
function purged(id: ReleaseId): ReleaseStatus {
  return { id, state: 'failed', outcome: null, failure: PURGED, finishedAt: null, deadlineAt: null }
}

const PURGED: ReleaseFailure = {
  name: 'not_found',
  message: 'The project was deleted while the request waited.',
}

interface Waiter extends Pick<AwaitedRelease, 'requestId'> {
  /** True for a request, which waits for a limited time; false for a job. */
  readonly isRequest: boolean
  readonly pay: Pay
  readonly resolve: (end: ReleaseEnd | null) => void
}

function liveOrThrow(end: ReleaseEnd): ReleaseEnd {
  if (end.state === 'live') return end
  const { name, message } = end.failure ?? STORE_FAILED
  if (name === 'service_unavailable') throw new UnavailableError(message, RETRY_AFTER_S)
  throw new ServiceError(name, message)
}
