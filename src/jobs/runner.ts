import { setMaxListeners } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../db/repositories.ts'
import type { JobId } from '../domain/ids.ts'
import type { JobKind } from './job-kind.ts'
import { type HeldJob, type HeldState, HoldLost } from './job-queue.ts'

/** How often the queue is looked at, and a holder shows that it lives. */
const LOOK_MS = 1_000
/** Between two looks at the least: each takes a query for every kind of job, and of short jobs many end in this time. */
const PAUSE_MS = 50
/** A job whose beat stands still for so long, by our own clock, is anybody's again. */
const STILL_MS = 4_000

export interface RunnerPorts {
  readonly db: Database
  readonly kinds: readonly JobKind[]
  /** Names this process among all that ever held a job. */
  readonly holder: string
  /** Current time, ISO 8601 UTC: for when a job is due. */
  readonly now: () => string
  /** A monotonic clock in milliseconds: for who lives. */
  readonly monotonic: () => number
  readonly log: {
    error(fields: Readonly<Record<string, unknown>>, message: string): void
  }
}

/** Does the jobs of the queue in this process, beside other processes that do the same. */
export interface JobRunner {
  /** Begin to look for jobs, now and every second. */
  start(): void
  /** There may be something to do: look at once. */
  wake(): void
  /** Begin no job any more; resolves when none runs and the database is asked nothing. */
  stop(): Promise<void>
}

export function createJobRunner({ db, kinds, holder, now, monotonic, log }: RunnerPorts): JobRunner {
  const running = new Map<JobId, Promise<void>>()
  const runningOf = new Map(kinds.map((kind) => [kind, 0]))
  const lastSeen = new Map<JobId, HeldState & { readonly since: number }>()
  const stopping = new AbortController()
  // As many listen as there are jobs: Node would take more than ten for a leak.
  setMaxListeners(0, stopping.signal)
  let timer: NodeJS.Timeout | null = null
  let looking: Promise<void> | null = null
  let again = false
  let lastLife = Number.NEGATIVE_INFINITY

  return {
    start() {
      timer = setInterval(look, LOOK_MS)
      look()
    },

    wake() {
      look()
    },

    async stop() {
      stopping.abort()
      while (looking !== null || running.size > 0) await Promise.all([looking, ...running.values()])
      if (timer !== null) clearInterval(timer)
    },
  }

  /** One look at a time; who asks for another meanwhile gets it after this one. */
  function look(): void {
    if (looking !== null) {
      again = true
      return
    }
    // What runs still has to show that it lives.
    if (stopping.signal.aborted && running.size === 0) return
    again = false
    looking = lookOnce()
      .catch((error) => log.error({ err: error }, 'Looking for jobs failed; trying again soon.'))
      .then(() => pause(PAUSE_MS, undefined, { signal: stopping.signal }).catch(() => {}))
      .finally(() => {
        looking = null
        if (again) look()
      })
  }

  /** Who lives is asked and told once a second: a beat is a write that others wait for. */
  async function lookOnce(): Promise<void> {
    const isDue = monotonic() - lastLife >= LOOK_MS
    if (isDue) lastLife = monotonic()
    if (isDue && running.size > 0) await showLife()
    if (stopping.signal.aborted) return
    if (isDue) await freeAbandoned()
    for (const kind of kinds) await fill(kind)
  }

  /** For everything that runs. */
  async function showLife(): Promise<void> {
    await db.write(({ jobs }) => jobs.beat(holder, [...running.keys()]))
  }

  /** Takes what is due, as far as there is room. */
  async function fill(kind: JobKind): Promise<void> {
    const room = kind.concurrency - (runningOf.get(kind) ?? 0)
    if (room <= 0 || stopping.signal.aborted) return
    if (!(await db.read.jobs.isDue(kind, now()))) return
    for (const held of await db.write(({ jobs }) => jobs.take(kind, holder, room, now()))) {
      runningOf.set(kind, (runningOf.get(kind) ?? 0) + 1)
      running.set(held.job.id, carryOut(kind, held))
    }
  }

  async function carryOut(kind: JobKind, held: HeldJob): Promise<void> {
    const { id } = held.job
    try {
      await runOnce(kind, held)
    } catch (error) {
      if (!(error instanceof HoldLost)) await afterFailure(kind, held, error)
    } finally {
      running.delete(id)
      runningOf.set(kind, (runningOf.get(kind) ?? 0) - 1)
      look()
    }
  }

  async function runOnce(kind: JobKind, { job, hold }: HeldJob): Promise<void> {
    // It was begun as often as it may, and each time the process died over it.
    if (job.attempts > kind.attempts) return giveUp(kind, { job, hold })
    const end = await kind.run(job, hold, stopping.signal)
    if (end === 'ended') return
    await db.write(({ jobs }) => {
      if (end === null) return jobs.giveBack(hold)
      if ('dueAt' in end) return jobs.postpone(hold, end.dueAt, end.kind)
      return kind.isForgotten ? jobs.forget(hold) : jobs.finish(hold, end, now())
    })
  }

  async function afterFailure(kind: JobKind, { job, hold }: HeldJob, error: unknown): Promise<void> {
    log.error({ err: error, job: job.id, kind: kind.name }, 'A job failed.')
    try {
      const present = await db.read.jobs.find(job.id)
      if (present === null) return
      if (present.attempts >= kind.attempts) return await giveUp(kind, { job: present, hold })
      const dueAt = new Date(Date.parse(now()) + kind.backoff(present.attempts)).toISOString()
      await db.write(({ jobs }) => jobs.postpone(hold, dueAt))
    } catch (unnoted) {
      // Its beat stands still from now on, so that it will be freed.
      if (!(unnoted instanceof HoldLost))
        log.error({ err: unnoted, job: job.id }, 'The failure of a job could not be noted.')
    }
  }

  async function giveUp(kind: JobKind, { job, hold }: HeldJob): Promise<void> {
    log.error({ job: job.id, kind: kind.name }, 'A job is given up.')
    await db.write(({ jobs }) => jobs.finish(hold, kind.faultsOf(job), now()))
  }

  /** Frees jobs whose holders showed no life for a while. */
  async function freeAbandoned(): Promise<void> {
    const others = (await db.read.jobs.held()).filter(({ id }) => !running.has(id))
    const ids = new Set(others.map(({ id }) => id))
    for (const id of lastSeen.keys()) if (!ids.has(id)) lastSeen.delete(id)
    for (const state of others) {
      if (!standsStill(state)) continue
      lastSeen.delete(state.id)
      await db.write(({ jobs }) => jobs.free(state))
    }
  }

  function standsStill(state: HeldState): boolean {
    const last = lastSeen.get(state.id)
    if (last === undefined || last.fence !== state.fence || last.beat !== state.beat) {
      lastSeen.set(state.id, { ...state, since: monotonic() })
      return false
    }
    return monotonic() - last.since >= STILL_MS
  }
}
