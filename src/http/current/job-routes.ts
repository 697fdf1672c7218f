import Router from '@koa/router'
import type { BulkPublishingService } from '../../services/bulk-publishing.ts'
import type { JobService } from '../../services/jobs.ts'
import { type ApiState, param } from '../api.ts'
import { readJson } from '../read-json.ts'
import { readPublishPages } from './job-schemas.ts'
import { answerWithJob, presentJob } from './present-job.ts'

export interface JobRoutePorts {
  readonly jobs: JobService
  readonly bulkPublishing: BulkPublishingService
}

/** Work that takes longer than a request. */
export function jobRoutes({ jobs, bulkPublishing }: JobRoutePorts): Router<ApiState> {
  const router = new Router<ApiState>()

  router.post('/projects/:id/publish', async (ctx) => {
    const body = await readJson(ctx)
    const { caller } = ctx.state
    answerWithJob(
      ctx,
      await bulkPublishing.publish(caller, param(ctx.params, 'id'), () => readPublishPages(body)),
    )
  })

  router.get('/jobs/:id', async (ctx) => {
    ctx.body = { data: presentJob(await jobs.get(ctx.state.caller, param(ctx.params, 'id'))) }
  })

  return router
}
