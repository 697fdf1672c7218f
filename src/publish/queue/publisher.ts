import { setTimeout as pause } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { DryRun } from '../../domain/dry-run.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { ProjectId, ReleaseId } from '../../domain/ids.ts'
import type { AnyRelease, Release } from '../../domain/release.ts'
import type { Timers } from '../../domain/timers.ts'
import { LeaseLost } from '../ledger/leases.ts'
import type { PhaseTimes } from '../phases.ts'
import { dryRun } from '../pipeline/dry-run.ts'
import type { PublishPorts } from '../ports.ts'
import { removeOrphanedAssets } from '../recovery/orphaned-assets.ts'
import { purge } from '../recovery/purge.ts'
import { createDeadlines } from './deadlines.ts'
import { createDrain, STORE_FAILED } from './drain.ts'
import { createLeaseHolder, type LeaseHolderPorts } from './lease-holder.ts'

/** Ended releases that are remembered. */
const RECENT = 1_000
const SWEEP_MS = 2_000
const POLL_MS = 200
/** How soon a project is asked for again that somebody else leads, or led: what keeps an index leads it for a moment only. */
const ASK_FIRST_MS = 15
/** Twice as long after each time, up to this. */
const ASK_MS = 250
/** How often a project that somebody else leads is asked for before its turn is no longer waited for. */
const PUT_OFF_AFTER = 40

/** How a release ended. Without its content, as a thousand are remembered. */
export type ReleaseEnd = Pick<AnyRelease, 'id' | 'state' | 'outcome' | 'failure' | 'finishedAt'> & {
  /** Of the batch it went live with; null when it did not, or did elsewhere. */
  readonly times: PhaseTimes | null
}

/** A release that somebody waits for, and the request they do so with. */
export interface AwaitedRelease {
  readonly id: ReleaseId
  readonly projectId: ProjectId
  readonly requestId?: string | undefined
}

/** A release that is live. */
export type LiveRelease = ReleaseEnd & {
  /** Milliseconds that this caller waited. */
  readonly waitedMs: number
}

export type PublisherPorts = PublishPorts &
  LeaseHolderPorts & {
    readonly timers: Timers
    /** Called with how releases ended, and how long what took of those that went live together. */
    readonly onSettled?: (ended: readonly ReleaseEnd[], times: PhaseTimes | null) => void
  }

/** Finishes accepted releases, one leader a project, and recovers what an earlier process left. */
export interface Publisher {
  /**
   * Resolves when the release is live.
   *
   * @throws {ServiceError} why it was refused, or `internal_error` when the store failed or took too
   *   long (12 s, the time in the queue included); what was live is then live still or being put back,
   *   and this release never goes live.
   */
  finish(release: AwaitedRelease): Promise<LiveRelease>
  /** The same without a deadline, for work that nobody waits for: it lasts as long as the store does something. */
  finishInBackground(release: AwaitedRelease): Promise<ReleaseEnd>
  /**
   * What a publish would do; nothing is written and nothing waited for.
   *
   * @throws {ServiceError} why it would be refused.
   */
  plan(release: Release): Promise<DryRun>
  /**
   * Remove a deleted project from the CDN; resolves when that is done, or put off until the store answers or
   * whoever else leads the project has ended.
   */
  purge(projectId: ProjectId): Promise<void>
  /**
   * Remove assets that nothing live has named for a day; resolves when that is done, or put off since
   * somebody else leads the project for long.
   */
  removeOrphanedAssets(projectId: ProjectId): Promise<void>
  /** Begin to look for unfinished releases, now and every few seconds. */
  start(): void
  /** Resolves when nothing is under way any more; unfinished releases wait for the next start. */
  stop(): Promise<void>
}

export function createPublisher(ports: PublisherPorts): Publisher {
  const { releaseQueue, log, monotonic, onSettled = () => {} } = ports
  /** Several may wait for one release: a request, the same one sent again, a job. */
  const waiters = new Map<ReleaseId, Set<Waiter>>()
  /** A release may end before anybody asks for it. */
  const recent = new LRUCache<ReleaseId, ReleaseEnd>({ max: RECENT })
  const leading = new Map<ProjectId, { done: Promise<void>; again: boolean }>()
  const leaseHolder = createLeaseHolder(ports)
  /** Deleted projects whose objects are still to be removed. */
  const buried = new Set<ProjectId>()
  /** Projects with assets that may have to go. */
  const untidy = new Set<ProjectId>()
  /** Looks at the ledger that nobody waits for but a stop. */
  const looking = new Set<Promise<void>>()
  const asking = new Map<ProjectId, { readonly timer: NodeJS.Timeout; readonly pause: number }>()
  const sweeping: NodeJS.Timeout[] = []
  const deadlines = createDeadlines({ ...ports, refuse: refuseWaiting })
  const drain = createDrain({ ...ports, deadlines, settle, requestsFor })
  let stopping = false

  return {
    async finish(release) {
      const callOff = deadlines.watch(release.id)
      const asked = monotonic()
      try {
        return { ...liveOrThrow(await end(release)), waitedMs: monotonic() - asked }
      } finally {
        callOff()
      }
    },

    async finishInBackground(release) {
      return liveOrThrow(await end(release))
    },

    plan: (release) => dryRun(release, ports),

    purge: (projectId) => leadFor(projectId, buried),

    removeOrphanedAssets: (projectId) => leadFor(projectId, untidy),

    start() {
      look(sweep)
      sweeping.push(setInterval(() => look(sweep), SWEEP_MS))
    },

    async stop() {
      stopping = true
      for (const timer of sweeping) clearInterval(timer)
      for (const { timer } of asking.values()) clearTimeout(timer)
      while (looking.size + leading.size > 0)
        await Promise.all([...looking, ...[...leading.values()].map(({ done }) => done)])
    },
  }

  /** Resolves when what the project is noted down for has been done, has failed, or is put off. */
  async function leadFor(projectId: ProjectId, noted: Set<ProjectId>): Promise<void> {
    noted.add(projectId)
    lead(projectId)
    for (let asked = 0; asked < PUT_OFF_AFTER && !stopping; asked++) {
      await leading.get(projectId)?.done
      if (!noted.has(projectId)) return
      const later = asking.get(projectId)
      // Another may lead the project for a moment, such as whoever writes its search index.
      if (later !== undefined) await pause(later.pause)
      else if (!leading.has(projectId)) return
    }
  }

  /** The release once it has ended, here or elsewhere. */
  async function end({ id, projectId, requestId }: AwaitedRelease): Promise<ReleaseEnd> {
    const done = recent.get(id)
    if (done !== undefined) return done
    const waiting = waiters.get(id) ?? new Set()
    waiters.set(id, waiting)
    let tell: (end: ReleaseEnd) => void = () => {}
    const ended = new Promise<ReleaseEnd>((resolve) => (tell = resolve))
    const waiter: Waiter = { tell, requestId }
    waiting.add(waiter)
    lead(projectId)
    const polling = setInterval(() => look(() => lookFor(id, projectId)), POLL_MS)
    try {
      return await ended
    } finally {
      clearInterval(polling)
      waiting.delete(waiter)
      if (waiting.size === 0) waiters.delete(id)
    }
  }

  function look(at: () => Promise<void>): void {
    const done = at().finally(() => looking.delete(done))
    looking.add(done)
  }

  async function sweep(): Promise<void> {
    try {
      for (const projectId of await releaseQueue.listTombstones()) buried.add(projectId)
      for (const projectId of new Set([...(await releaseQueue.unfinishedProjects()), ...buried]))
        lead(projectId)
    } catch (error) {
      log.error({ err: error }, 'Looking for unfinished releases failed; trying again soon.')
    }
  }

  /** Another instance may be the one that ends the release. */
  async function lookFor(id: ReleaseId, projectId: ProjectId): Promise<void> {
    if (stopping || leading.has(projectId)) return
    try {
      const release = await releaseQueue.find(id)
      if (release !== null && release.state !== 'queued' && release.state !== 'claimed') settle([release])
      else lead(projectId)
    } catch (error) {
      log.error({ err: error, release: id }, 'Looking for the end of a release failed; trying again.')
    }
  }

  async function refuseWaiting(id: ReleaseId): Promise<boolean> {
    try {
      const refused = await releaseQueue.refuse(id, STORE_FAILED)
      if (refused !== null) settle([refused])
      return refused !== null
    } catch (error) {
      log.error({ err: error, release: id }, 'A release that waited too long was not refused; trying again.')
      return false
    }
  }

  function requestsFor(releases: readonly ReleaseId[]): readonly string[] {
    const waiting = releases.flatMap((id) => [...(waiters.get(id) ?? [])])
    return waiting.flatMap(({ requestId }) => (requestId === undefined ? [] : [requestId]))
  }

  function settle(ended: readonly AnyRelease[], times: PhaseTimes | null = null): void {
    const ends = ended.map(
      ({ id, state, outcome, failure, finishedAt }): ReleaseEnd => ({
        id,
        state,
        outcome,
        failure,
        finishedAt,
        times,
      }),
    )
    for (const end of ends) {
      recent.set(end.id, end)
      for (const { tell } of waiters.get(end.id) ?? []) tell(end)
    }
    onSettled(ends, times)
  }

  /** Works the project's queue off, unless that is being done already: then once more after it. */
  function lead(projectId: ProjectId): void {
    const running = leading.get(projectId)
    if (running !== undefined) {
      running.again = true
      return
    }
    if (stopping) return
    const state = { done: Promise.resolve(), again: false }
    leading.set(projectId, state)
    state.done = takeAndDrain(projectId, state)
      .catch((error) => {
        if (!(error instanceof LeaseLost))
          log.error({ err: error, project: projectId }, 'Publishing stopped; trying again soon.')
      })
      .finally(() => {
        leading.delete(projectId)
        // Somebody came while the lease was given back.
        if (state.again) lead(projectId)
      })
  }

  async function takeAndDrain(projectId: ProjectId, state: { again: boolean }): Promise<void> {
    const lease = await leaseHolder.take(projectId)
    if (lease === null) return askAgain(projectId)
    clearTimeout(asking.get(projectId)?.timer)
    asking.delete(projectId)
    await leaseHolder.holdDuring(lease, async () => {
      do {
        state.again = false
        await drain(lease)
      } while (state.again && !stopping)
      if (buried.has(projectId)) {
        await deadlines.within([], (storage) => purge(lease, { ...ports, storage }))
        buried.delete(projectId)
      }
      if (untidy.delete(projectId)) {
        await deadlines.within([], (storage) => removeOrphanedAssets(lease, { ...ports, storage }))
      }
    })
  }

  function askAgain(projectId: ProjectId): void {
    const last = asking.get(projectId)
    clearTimeout(last?.timer)
    const pause = last === undefined ? ASK_FIRST_MS : Math.min(2 * last.pause, ASK_MS)
    asking.set(projectId, { timer: setTimeout(() => lead(projectId), pause), pause })
  }
}

interface Waiter extends Pick<AwaitedRelease, 'requestId'> {
  readonly tell: (end: ReleaseEnd) => void
}

function liveOrThrow(end: ReleaseEnd): ReleaseEnd {
  if (end.state === 'live') return end
  const { name, message } = end.failure ?? STORE_FAILED
  throw new ServiceError(name, message)
}
