import { type PageId, prefixed } from '../../domain/ids.ts'
import { type Job, type JobState, type JobWarnings, scheduledAt } from '../../domain/job.ts'
import { isJsonObject } from '../../domain/json.ts'
import type { JobService } from '../../services/jobs/jobs.ts'
import type { ReleaseContinues } from '../../services/publishing/await-release.ts'
import { type ApiAnswer, type ApiRequest, accepted } from '../endpoint.ts'

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
    scheduled_at: scheduledAt(job),
    // Only at the end, because clients poll a running job.
    ...(job.finishedAt !== null && job.warnings.total > 0 && presentWarnings(job.warnings)),
  }
}

function presentWarnings({ total, told }: JobWarnings) {
  const warnings = told.map(({ pageId, code, at, message, written }) => ({
    page_id: prefixed('page', pageId),
    code,
    at,
    message,
    ...(written !== undefined && { written }),
  }))
  return { warnings, warning_count: total }
}

/** @param job a scheduled publish; its subject is the page. */
export function presentScheduled(job: Job) {
  const { id, subject, dueAt, payload } = job
  return {
    page_id: prefixed('page', subject as PageId),
    publish_at: scheduledAt(job) ?? dueAt,
    strict: isJsonObject(payload) && payload['strict'] === true,
    job_id: prefixed('job', id),
  }
}

export function jobAnswer(job: Job): ApiAnswer {
  return accepted(job, { data: presentJob(job) })
}

/** Answers with the job of a release that continues after its request. */
export async function continueAsJob(
  release: ReleaseContinues,
  _: ApiRequest,
  { jobs }: { readonly jobs: JobService },
): Promise<ApiAnswer> {
  return jobAnswer(await jobs.following(release))
}
