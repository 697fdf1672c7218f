import type { Knex } from 'knex'
import { actorText } from '../domain/audit.ts'
import type { JobId, ProjectId } from '../domain/ids.ts'
import { type Job, type JobState, type NewJob, NO_WARNINGS, type PageFailure } from '../domain/job.ts'
import { createJobTurns, type DueJobs } from '../domain/job-turns.ts'
import {
  type ClaimedJob,
  type JobLease,
  JobLeaseLost,
  type JobLeaseState,
  type JobQueue,
  type Lane,
} from '../jobs/job-queue.ts'
import { isPostgres } from './dialect.ts'
import { dueJobs, runningJobs } from './due-jobs.ts'
import { selectInChunks } from './ledger/objects.ts'
import { listed, sliced, totalOf } from './list-slice.ts'

interface JobRow {
  readonly seq: number
  readonly id: JobId
  readonly project_id: ProjectId
  readonly kind: string
  readonly subject: string | null
  readonly payload: string
  readonly state: JobState
  readonly total: number
  readonly done: number
  readonly failed: string
  readonly warnings: string | null
  readonly checkpoint: string | null
  readonly attempts: number
  readonly due_at: string
  readonly holder: string | null
  readonly fence: number
  readonly beat: number
  readonly actor: string | null
  readonly created_at: string
  readonly finished_at: string | null
}

/** Subjects per statement. */
const SUBJECTS_PER_STATEMENT = 200
/** Rows per call of `prune`. */
const PRUNED = 500
/** Rows per insert. */
const ROWS_PER_STATEMENT = 100

/**
 * Reports whether such a job waits. A running one does not count, because it may have read too early. The job cannot
 * start before the transaction ends: on PostgreSQL it could run meanwhile, without what the transaction writes for it.
 *
 * @param dueBy counts only jobs that are due by then.
 */
export async function hasQueuedJob(
  trx: Knex,
  wanted: Partial<Pick<JobRow, 'project_id' | 'kind' | 'payload'>>,
  dueBy?: string,
): Promise<boolean> {
  const queued = trx<JobRow>('jobs').where({ ...wanted, state: 'queued' })
  if (dueBy !== undefined) queued.where('due_at', '<=', dueBy)
  if (isPostgres(trx)) queued.forShare()
  return (await queued.first('id')) !== undefined
}

/** @param db a Knex instance or, inside a transaction, the transaction. */
export function createJobQueue(db: Knex): JobQueue {
  const jobs = () => db<JobRow>('jobs')

  return {
    async enqueue(job) {
      await jobs().insert(toRow(job))
    },

    async enqueueAll(all) {
      for (let start = 0; start < all.length; start += ROWS_PER_STATEMENT)
        await jobs().insert(all.slice(start, start + ROWS_PER_STATEMENT).map(toRow))
    },

    async enqueueOnce(job) {
      const queued = await jobs()
        .where({ kind: job.kind, subject: job.subject, state: 'queued' })
        .update({ due_at: db.raw('CASE WHEN due_at > ? THEN ? ELSE due_at END', [job.dueAt, job.dueAt]) })
      if (queued === 0) await jobs().insert(toRow(job))
    },

    async find(id) {
      const row = await jobs().where({ id }).first<JobRow | undefined>()
      return row === undefined ? null : toJob(row)
    },

    async countUnfinished(projectId, kind) {
      const count = await jobs()
        .where({ project_id: projectId, kind })
        .whereIn('state', ['queued', 'running'])
        .count({ total: '*' })
        .first()
      return Number(count?.['total'])
    },

    async hasDue(projectId, kinds, now) {
      const found = await jobs()
        .where({ project_id: projectId })
        .whereIn('kind', [...kinds])
        .where((active) =>
          active
            .where({ state: 'running' })
            .orWhere((due) => due.where({ state: 'queued' }).where('due_at', '<=', now)),
        )
        .first('id')
      return found !== undefined
    },

    async findUnfinished(kind, subjects) {
      const found: Job[] = []
      for (let start = 0; start < subjects.length; start += SUBJECTS_PER_STATEMENT) {
        const rows = await jobs()
          .where({ kind })
          .whereIn('subject', subjects.slice(start, start + SUBJECTS_PER_STATEMENT))
          .whereIn('state', ['queued', 'running'])
          .select<JobRow[]>()
        found.push(...rows.map(toJob))
      }
      return found
    },

    async listQueued(projectId, kind, slice) {
      const waiting = () => jobs().where({ project_id: projectId, kind, state: 'queued' })
      const rows: readonly JobRow[] = await sliced(waiting(), ['due_at', 'seq'], 'asc', slice)
      const positions = rows.map(({ due_at: key, seq }) => ({ key, id: seq }))
      return listed(rows.map(toJob), positions, slice, await totalOf(waiting(), slice))
    },

    async isDue(lane, holder, now) {
      // Asked once a second of every lane: jobs that are due later must cost nothing, however many there are.
      const first = jobs().where({ state: 'queued', kind: lane.name }).where('due_at', '<=', now).first('id')
      if ((await first) === undefined) return false
      const due = await dueJobs(db, lane, now)
      if (due.length === 0) return false
      return createJobTurns(await runningJobs(db, lane, holder), lane).next(due) !== null
    },

    async claim(lane, holder, limit, now) {
      const turns = createJobTurns(await runningJobs(db, lane, holder), lane)
      const due = new Map<DueJobs, JobRow[] | null>()
      for (const jobs of await dueJobs(db, lane, now)) due.set(jobs, null)
      const claimed: ClaimedJob[] = []
      while (claimed.length < limit) {
        const next = turns.next(due.keys())
        if (next === null) break
        const rows = due.get(next) ?? (await rowsOf(next, lane, limit, now))
        due.set(next, rows)
        const row = rows.shift()
        if (row === undefined) due.delete(next)
        else {
          const job = await claimRow(row, holder)
          if (job !== null) claimed.push(job)
          if (job !== null) turns.start(next)
        }
      }
      return claimed
    },

    async renew(holder, ids) {
      await jobs()
        .where({ state: 'running', holder })
        .whereIn('id', [...ids])
        .increment('beat', 1)
    },

    async list({ projectId, kinds, states }, slice) {
      const matching = () => {
        const query = jobs()
        if (projectId !== null) query.where({ project_id: projectId })
        if (kinds !== null) query.whereIn('kind', [...kinds])
        if (states !== null) query.whereIn('state', [...states])
        return query
      }
      const heads: readonly JobHead[] = await sliced(matching(), ['seq'], 'desc', slice).select(
        'id',
        'seq',
        db.raw(`${LENGTH} AS length`),
      )
      const ids = fitting(heads).map(({ id }) => id)
      const rows = await selectInChunks(ids, (chunk) => jobs().whereIn('id', chunk).select<JobRow[]>())
      const items = rows.toSorted((a, b) => b.seq - a.seq).map(toJob)
      const positions = heads.map(({ seq: key, id }) => ({ key, id }))
      return listed(items, positions, slice, await totalOf(matching(), slice))
    },

    async retry(id, now) {
      const fromStart = { ...WAITING, attempts: 0, due_at: now }
      const hurried = await jobs().where({ id, state: 'queued' }).update(fromStart)
      if (hurried > 0) return true
      const begun = { ...fromStart, done: 0, failed: '[]', warnings: null, finished_at: null }
      return (await jobs().where({ id, state: 'failed' }).update(begun)) > 0
    },

    async countByKind(now) {
      const isDue = "state = 'queued' AND due_at <= ?"
      return jobs()
        .whereIn('state', ['queued', 'running'])
        .groupBy('kind')
        .orderBy('kind')
        .select({
          kind: 'kind',
          running: db.raw("sum(CASE WHEN state = 'running' THEN 1 ELSE 0 END)"),
          due: db.raw(`sum(CASE WHEN ${isDue} THEN 1 ELSE 0 END)`, [now]),
          waiting: db.raw("sum(CASE WHEN state = 'queued' AND due_at > ? THEN 1 ELSE 0 END)", [now]),
          dueSince: db.raw(`min(CASE WHEN ${isDue} THEN due_at END)`, [now]),
        })
    },

    async running() {
      return jobs().where({ state: 'running' }).select<JobLeaseState[]>('id', 'fence', 'beat')
    },

    async expire({ id, fence, beat }) {
      const freed = await jobs()
        .where({ id, fence, beat, state: 'running' })
        .update({ ...WAITING })
      return freed > 0
    },

    async recordProgress(lease, { done, failed, warnings, checkpoint }) {
      await change(lease, {
        done,
        failed: JSON.stringify(failed),
        ...(warnings !== undefined && { warnings: JSON.stringify(warnings) }),
        checkpoint: checkpoint === null ? null : JSON.stringify(checkpoint),
        attempts: db.raw('CASE WHEN done < ? THEN 1 ELSE attempts END', [done]),
      })
    },

    async finish(lease, failed, now) {
      await change(lease, {
        state: failed.length === 0 ? 'succeeded' : 'failed',
        done: db.raw('total'),
        failed: JSON.stringify(failed),
        ...ENDED,
        finished_at: now,
      })
    },

    async delete({ id, holder, fence }) {
      const deleted = await jobs().where({ id, holder, fence, state: 'running' }).delete()
      if (deleted === 0) throw leaseLost(id)
    },

    async postpone(lease, dueAt, kind) {
      await change(lease, { ...WAITING, due_at: dueAt, ...(kind !== undefined && { kind }) })
    },

    async requeue(lease, now) {
      await change(lease, { ...WAITING, due_at: now, attempts: db.raw('attempts - 1') })
    },

    async cancel(kind, subjects, faultOf, now) {
      for (let start = 0; start < subjects.length; start += SUBJECTS_PER_STATEMENT) {
        const rows = await jobs()
          .where({ kind })
          .whereIn('subject', subjects.slice(start, start + SUBJECTS_PER_STATEMENT))
          .whereIn('state', ['queued', 'running'])
          .whereNull('checkpoint')
          .select<JobRow[]>()
        for (const row of rows) await cancelOne(row, faultOf(toJob(row)), now)
      }
    },

    async deleteQueued(projectId, kind) {
      await jobs().where({ project_id: projectId, kind, state: 'queued' }).delete()
    },

    async cancelJob(id, failed, now) {
      await jobs()
        .where({ id })
        .whereIn('state', ['queued', 'running'])
        .update({
          state: 'cancelled',
          ...ENDED,
          fence: db.raw('fence + 1'),
          done: db.raw('total'),
          failed: JSON.stringify(failed),
          finished_at: now,
        })
    },

    async prune(endedBefore) {
      const ended = jobs().where('finished_at', '<', endedBefore).limit(PRUNED).select('id')
      return (await jobs().whereIn('id', ended).delete()) === PRUNED
    },
  }

  /** The due jobs of one owner in the order in which they became due. */
  function rowsOf(
    { project, subject }: DueJobs,
    { name: kind, perSubject }: Lane,
    limit: number,
    now: string,
  ): Promise<JobRow[]> {
    const due = jobs()
      .where({ state: 'queued', kind, ...(perSubject === undefined ? { project_id: project } : { subject }) })
      .where('due_at', '<=', now)
      .orderBy(['due_at', 'seq'])
      .limit(Math.min(limit, perSubject ?? limit))
      .select<JobRow[]>()
    // A job that is being cancelled or retried is for the next claim.
    return isPostgres(db) ? due.forUpdate().skipLocked() : due
  }

  /** Claims a job; null when another runner claimed it first. */
  async function claimRow(row: JobRow, holder: string): Promise<ClaimedJob | null> {
    const fence = row.fence + 1
    const running = { state: 'running', holder, fence, attempts: row.attempts + 1 } as const
    const changed = await jobs()
      .where({ id: row.id, state: 'queued', fence: row.fence })
      .update({ ...running, beat: 0 })
    return changed === 0 ? null : { job: toJob({ ...row, ...running }), lease: { id: row.id, holder, fence } }
  }

  async function cancelOne(
    { id, total, fence }: JobRow,
    fault: PageFailure | null,
    now: string,
  ): Promise<void> {
    if (fault === null) return
    const ended = { state: 'cancelled', ...ENDED, fence: fence + 1, finished_at: now } as const
    await jobs()
      .where({ id })
      .update({ ...ended, done: total, failed: JSON.stringify([fault]) })
  }

  async function change({ id, holder, fence }: JobLease, changes: object): Promise<void> {
    const changed = await jobs().where({ id, holder, fence, state: 'running' }).update(changes)
    if (changed === 0) throw leaseLost(id)
  }
}

/** Characters of the rows that a list reads at most. A job of 10,000 pages may have a million. */
const MAX_LISTED = 4 * 2 ** 20
/** Characters of the columns that grow with the number of pages. */
const LENGTH =
  "length(payload) + length(failed) + length(coalesce(warnings, '')) + length(coalesce(checkpoint, ''))"

interface JobHead extends Pick<JobRow, 'id' | 'seq'> {
  readonly length: number
}

/** The first jobs that fit together, at least one. */
function fitting(heads: readonly JobHead[]): readonly JobHead[] {
  let total = 0
  const end = heads.findIndex(({ length }, index) => {
    total += length
    return total > MAX_LISTED && index > 0
  })
  return end === -1 ? heads : heads.slice(0, end)
}

const WAITING = { state: 'queued', holder: null } as const

/** Clears the columns that only a resumed job needs. */
const ENDED = { holder: null, checkpoint: null } as const

function leaseLost(id: JobId): JobLeaseLost {
  return new JobLeaseLost(`The lease of job ${id} is no longer valid.`)
}

function toRow(job: NewJob) {
  return {
    id: job.id,
    project_id: job.projectId,
    kind: job.kind,
    subject: job.subject,
    payload: JSON.stringify(job.payload),
    state: 'queued',
    total: job.total,
    failed: '[]',
    due_at: job.dueAt,
    actor: job.actor === undefined ? null : actorText(job.actor),
    created_at: job.createdAt,
  } as const
}

function toJob(row: JobRow): Job {
  return {
    id: row.id,
    projectId: row.project_id,
    kind: row.kind,
    subject: row.subject,
    payload: JSON.parse(row.payload),
    state: row.state,
    total: row.total,
    done: row.done,
    failed: JSON.parse(row.failed),
    warnings: row.warnings === null ? NO_WARNINGS : JSON.parse(row.warnings),
    checkpoint: row.checkpoint === null ? null : JSON.parse(row.checkpoint),
    attempts: row.attempts,
    dueAt: row.due_at,
    actor: row.actor === null ? null : JSON.parse(row.actor),
    createdAt: row.created_at,
    finishedAt: row.finished_at,
  }
}
