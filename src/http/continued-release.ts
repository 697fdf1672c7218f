import type { RouterContext } from '@koa/router'
import { prefixed } from '../domain/ids.ts'
import type { Job } from '../domain/job.ts'
import type { JobService } from '../services/jobs/jobs.ts'
import { ReleaseContinues } from '../services/publishing/await-release.ts'
import type { ApiState } from './api.ts'

export interface ContinuedReleasePorts {
  readonly jobs: JobService
}

/**
 * Answers 202, with a job in `Location`, where a release goes on longer than its request may wait.
 *
 * @param present the body, of the job that follows the release.
 */
export function answerContinued(
  { jobs }: ContinuedReleasePorts,
  present: (job: Job, ctx: RouterContext<ApiState>) => object | Promise<object>,
) {
  return async (ctx: RouterContext<ApiState>, next: () => Promise<unknown>): Promise<void> => {
    try {
      await next()
    } catch (error) {
      if (!(error instanceof ReleaseContinues)) throw error
      const job = await jobs.following(error)
      const body = await present(job, ctx)
      ctx.status = 202
      ctx.set('Location', `/jobs/${prefixed('job', job.id)}`)
      ctx.body = body
    }
  }
}

/** Of 202: the release goes on longer than its request may wait. */
export const CONTINUES =
  'Publishing takes longer than a request may wait, as with large files, a slow store or a locked database: it goes on, and the job of the answer says how it ends. Until then what was live stays live.'
