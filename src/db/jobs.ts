import type { Knex } from 'knex'
import type { JobId, ProjectId } from '../domain/ids.ts'
import type { Job, JobFault, JobState } from '../domain/job.ts'
import { type HeldJob, type HeldState, type Hold, HoldLost, type JobQueue } from '../jobs/job-queue.ts'

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
  readonly checkpoint: string | null
  readonly attempts: number
  readonly due_at: string
  readonly holder: string | null
  readonly fence: number
  readonly beat: number
  readonly created_at: string
  readonly finished_at: string | null
}

/** Subjects named by one statement. */
const SUBJECTS_A_STATEMENT = 200

/** @param db a Knex instance or, inside a transaction, the transaction. */
export function createJobQueue(db: Knex): JobQueue {
  const jobs = () => db<JobRow>('jobs')

  return {
    async enqueue(job) {
      await jobs().insert({
        id: job.id,
        project_id: job.projectId,
        kind: job.kind,
        subject: job.subject,
        payload: JSON.stringify(job.payload),
        state: 'queued',
        total: job.total,
        failed: '[]',
        due_at: job.dueAt,
        created_at: job.createdAt,
      })
    },

    async find(id) {
      const row = await jobs().where({ id }).first<JobRow | undefined>()
      return row === undefined ? null : toJob(row)
    },

    async unfinished(projectId, kind) {
      const count = await jobs()
        .where({ project_id: projectId, kind })
        .whereIn('state', ['queued', 'running'])
        .count({ total: '*' })
        .first()
      return Number(count?.['total'])
    },

    async waiting(projectId, kind, { limit, offset }) {
      const waiting = () => jobs().where({ project_id: projectId, kind, state: 'queued' })
      const rows = await waiting().orderBy(['due_at', 'seq']).limit(limit).offset(offset).select<JobRow[]>()
      const count = await waiting().count({ total: '*' }).first()
      return { items: rows.map(toJob), total: Number(count?.['total']) }
    },

    async isDue(kind, now) {
      return (await due(kind, now).first('id')) !== undefined
    },

    async take(kind, holder, limit, now) {
      const rows = await due(kind, now).orderBy(['due_at', 'seq']).limit(limit).select<JobRow[]>()
      const begun = await Promise.all(rows.map((row) => begin(row, holder)))
      return begun.filter((taken) => taken !== null)
    },

    async beat(holder, ids) {
      await jobs()
        .where({ state: 'running', holder })
        .whereIn('id', [...ids])
        .increment('beat', 1)
    },

    async held() {
      return jobs().where({ state: 'running' }).select<HeldState[]>('id', 'fence', 'beat')
    },

    async free({ id, fence, beat }) {
      const freed = await jobs()
        .where({ id, fence, beat, state: 'running' })
        .update({ ...WAITING })
      return freed > 0
    },

    async progress(hold, { done, failed, checkpoint }) {
      await change(hold, {
        done,
        failed: JSON.stringify(failed),
        checkpoint: checkpoint === null ? null : JSON.stringify(checkpoint),
        attempts: db.raw('CASE WHEN done < ? THEN 1 ELSE attempts END', [done]),
      })
    },

    async finish(hold, failed, now) {
      await change(hold, {
        state: failed.length === 0 ? 'succeeded' : 'failed',
        done: db.raw('total'),
        failed: JSON.stringify(failed),
        ...ENDED,
        finished_at: now,
      })
    },

    async postpone(hold, dueAt) {
      await change(hold, { ...WAITING, due_at: dueAt })
    },

    async giveBack(hold) {
      await change(hold, { ...WAITING, attempts: db.raw('attempts - 1') })
    },

    async cancel(kind, subjects, faultOf, now) {
      for (let start = 0; start < subjects.length; start += SUBJECTS_A_STATEMENT) {
        const rows = await jobs()
          .where({ kind })
          .whereIn('subject', subjects.slice(start, start + SUBJECTS_A_STATEMENT))
          .whereIn('state', ['queued', 'running'])
          .whereNull('checkpoint')
          .select<JobRow[]>()
        for (const row of rows) await cancelOne(row, faultOf(toJob(row)), now)
      }
    },

    async prune(endedBefore) {
      await jobs().where('finished_at', '<', endedBefore).delete()
    },
  }

  function due(kind: string, now: string) {
    return jobs().where({ state: 'queued', kind }).where('due_at', '<=', now)
  }

  /** Null when somebody else was faster. */
  async function begin(row: JobRow, holder: string): Promise<HeldJob | null> {
    const fence = row.fence + 1
    const begun = { state: 'running', holder, fence, attempts: row.attempts + 1 } as const
    const taken = await jobs()
      .where({ id: row.id, state: 'queued', fence: row.fence })
      .update({ ...begun, beat: 0 })
    return taken === 0 ? null : { job: toJob({ ...row, ...begun }), hold: { id: row.id, holder, fence } }
  }

  async function cancelOne({ id, total, fence }: JobRow, fault: JobFault | null, now: string): Promise<void> {
    if (fault === null) return
    const ended = { state: 'cancelled', ...ENDED, fence: fence + 1, finished_at: now } as const
    await jobs()
      .where({ id })
      .update({ ...ended, done: total, failed: JSON.stringify([fault]) })
  }

  async function change({ id, holder, fence }: Hold, changes: object): Promise<void> {
    const changed = await jobs().where({ id, holder, fence, state: 'running' }).update(changes)
    if (changed === 0) throw new HoldLost(`Job ${id} is no longer ours.`)
  }
}

const WAITING = { state: 'queued', holder: null } as const

/** What only somebody who goes on with it needs. */
const ENDED = { holder: null, checkpoint: null } as const

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
    checkpoint: row.checkpoint === null ? null : JSON.parse(row.checkpoint),
    attempts: row.attempts,
    dueAt: row.due_at,
    createdAt: row.created_at,
    finishedAt: row.finished_at,
  }
}
