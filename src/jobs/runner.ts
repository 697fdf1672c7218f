import { setMaxListeners } from 'node:events'
import type { JobId } from '../domain/ids.ts'
import { createLeaseWatch, RENEWAL_MS } from '../platform/lease-watch.ts'
import { sleep } from '../platform/sleep.ts'
import { inSpan } from '../platform/spans.ts'
import type { JobKind } from './job-kind.ts'
import { type ClaimedJob, type JobDatabase, JobLeaseLost } from './job-queue.ts'

/** Interval at which the runner polls the queue. */
const POLL_MS = 1_000
/** Shortest time between two polls. Each poll takes one query per kind, and many short jobs can end within it. */
const MIN_POLL_GAP_MS = 50

export interface RunnerPorts {
  readonly db: JobDatabase
  readonly kinds: readonly JobKind[]
  /** Identifies this process; unique among all processes that ever ran jobs. */
  readonly holder: string
  /** Current time, ISO 8601 UTC; decides when a job is due. */
  readonly now: () => string
  /** A monotonic clock in milliseconds; decides when a lease is abandoned. */
  readonly monotonic: () => number
  readonly log: {
    error(fields: Readonly<Record<string, unknown>>, message: string): void
  }
}

/** Runs jobs of the queue in this process, concurrently with runners in other processes. */
export interface JobRunner {
  /** Starts polling, now and every second. */
  start(): void
  /** Polls now, because a job may have become due. */
  wake(): void
  /** Claims no more jobs. Resolves when none is running and no query is pending. */
  stop(): Promise<void>
}

export function createJobRunner({ db, kinds, holder, now, monotonic, log }: RunnerPorts): JobRunner {
  const running = new Map<JobId, Promise<void>>()
  const runningOf = new Map(kinds.map((kind) => [kind, 0]))
  const watch = createLeaseWatch<JobId>(monotonic)
  const stopping = new AbortController()
  // One listener per running job: Node warns of a leak above ten.
  setMaxListeners(0, stopping.signal)
  let timer: NodeJS.Timeout | null = null
  let polling: Promise<void> | null = null
  let pollAgain = false
  let lastRenewal = Number.NEGATIVE_INFINITY

  return {
    start() {
      timer = setInterval(poll, POLL_MS)
      poll()
    },

    wake() {
      poll()
    },

    async stop() {
      stopping.abort()
      while (polling !== null || running.size > 0) await Promise.all([polling, ...running.values()])
      if (timer !== null) clearInterval(timer)
    },
  }

  /** Runs one poll at a time; calls during a poll lead to one more after it. */
  function poll(): void {
    if (polling !== null) {
      pollAgain = true
      return
    }
    // While jobs run, their leases still have to be renewed.
    if (stopping.signal.aborted && running.size === 0) return
    pollAgain = false
    polling = pollOnce()
      .catch((error) => log.error({ err: error }, 'Polling the job queue failed; retrying shortly.'))
      .then(() => sleep(MIN_POLL_GAP_MS, stopping.signal))
      .finally(() => {
        polling = null
        if (pollAgain) poll()
      })
  }

  /** Renews and expires leases once a second at most, because renewing is a write that delays other writes. */
  async function pollOnce(): Promise<void> {
    const renewalIsDue = monotonic() - lastRenewal >= RENEWAL_MS
    if (renewalIsDue) lastRenewal = monotonic()
    if (renewalIsDue && running.size > 0) await renewLeases()
    if (stopping.signal.aborted) return
    if (renewalIsDue) await expireAbandoned()
    for (const kind of kinds) await claimDue(kind)
  }

  async function renewLeases(): Promise<void> {
    await db.write(({ jobs }) => jobs.renew(holder, [...running.keys()]))
  }

  /** Claims due jobs up to the kind's concurrency. */
  async function claimDue(kind: JobKind): Promise<void> {
    const room = kind.concurrency - (runningOf.get(kind) ?? 0)
    if (room <= 0 || stopping.signal.aborted) return
    if (!(await db.read.jobs.isDue(kind, holder, now()))) return
    // Claims of a lane all read the same jobs.
    const claim = { alone: `claim ${kind.name}` }
    for (const claimed of await db.write(({ jobs }) => jobs.claim(kind, holder, room, now()), claim)) {
      runningOf.set(kind, (runningOf.get(kind) ?? 0) + 1)
      running.set(claimed.job.id, runClaimed(kind, claimed))
    }
  }

  async function runClaimed(kind: JobKind, claimed: ClaimedJob): Promise<void> {
    const { id } = claimed.job
    try {
      await runOnce(kind, claimed)
    } catch (error) {
      if (!(error instanceof JobLeaseLost)) await recordFailure(kind, claimed, error)
    } finally {
      running.delete(id)
      runningOf.set(kind, (runningOf.get(kind) ?? 0) - 1)
      poll()
    }
  }

  async function runOnce(kind: JobKind, { job, lease }: ClaimedJob): Promise<void> {
    // The job has used up its attempts, and the last of them ended with the process.
    if (job.attempts > kind.attempts) return giveUp(kind, { job, lease })
    const end = await inSpan(`job ${kind.name}`, { 'quoin.job': job.id }, () =>
      kind.run(job, lease, stopping.signal),
    )
    if (end === 'ended') return
    await db.write(({ jobs }) => {
      if (end === null) return jobs.requeue(lease, now())
      if ('dueAt' in end) return jobs.postpone(lease, end.dueAt, end.kind)
      return kind.deleteWhenDone ? jobs.delete(lease) : jobs.finish(lease, end, now())
    })
  }

  async function recordFailure(kind: JobKind, { job, lease }: ClaimedJob, error: unknown): Promise<void> {
    log.error({ err: error, job: job.id, kind: kind.name }, 'A job failed.')
    try {
      const current = await db.read.jobs.find(job.id)
      if (current === null) return
      if (current.attempts >= kind.attempts) return await giveUp(kind, { job: current, lease })
      const dueAt = new Date(Date.parse(now()) + kind.backoff(current.attempts)).toISOString()
      await db.write(({ jobs }) => jobs.postpone(lease, dueAt))
    } catch (unrecorded) {
      // The lease is no longer renewed, so another runner will expire it.
      if (!(unrecorded instanceof JobLeaseLost))
        log.error({ err: unrecorded, job: job.id }, 'The failure of a job could not be recorded.')
    }
  }

  async function giveUp(kind: JobKind, { job, lease }: ClaimedJob): Promise<void> {
    log.error({ job: job.id, kind: kind.name }, 'A job ran out of attempts and was marked as failed.')
    await db.write(({ jobs }) => jobs.finish(lease, kind.faultsOf(job), now()))
  }

  /** Expires leases of other holders that are no longer renewed. */
  async function expireAbandoned(): Promise<void> {
    const others = (await db.read.jobs.running()).filter(({ id }) => !running.has(id))
    watch.retain(new Set(others.map(({ id }) => id)))
    for (const lease of others)
      if (watch.isAbandoned(lease.id, lease)) await db.write(({ jobs }) => jobs.expire(lease))
  }
}
