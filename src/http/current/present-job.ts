import type { Context } from 'koa'
import { prefixed } from '../../domain/ids.ts'
import type { Job, JobState } from '../../domain/job.ts'

const STATUSES: Readonly<Record<JobState, string>> = {
  queued: 'queued',
  running: 'running',
  succeeded: 'succeeded',
  failed: 'failed',
  cancelled: 'failed',
}

export function presentJob(job: Job) {
  return {
    id: prefixed('job', job.id),
    status: STATUSES[job.state],
    total: job.total,
    done: job.done,
    failed: job.failed.map(({ pageId, message }) => ({ page_id: prefixed('page', pageId), message })),
    created_at: job.createdAt,
    finished_at: job.finishedAt,
  }
}

/** What was asked for will be done: where to see how far it has come. */
export function answerWithJob(ctx: Context, job: Job): void {
  ctx.status = 202
  ctx.set('Location', `/jobs/${prefixed('job', job.id)}`)
  ctx.body = { data: presentJob(job) }
}
