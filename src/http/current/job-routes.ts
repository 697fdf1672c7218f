import Router from '@koa/router'
import type { JobService } from '../../services/jobs/jobs.ts'
import type { BulkPublishingService } from '../../services/publishing/bulk-publishing.ts'
import type { SchedulingService } from '../../services/publishing/scheduling.ts'
import { type ApiState, listMeta, param, queryOf } from '../api.ts'
import { answerWithList } from '../list-answer.ts'
import { parseQuery } from '../parse.ts'
import { readJson } from '../read-json.ts'
import { ListJobs, ListSchedule, readPublishPages, STATES_OF } from './job-schemas.ts'
import { answerWithJob, presentJob, presentScheduled } from './present-job.ts'

export interface JobRoutePorts {
  readonly jobs: JobService
  readonly bulkPublishing: BulkPublishingService
  readonly scheduling: SchedulingService
}

/** Routes of jobs and schedules. */
export function jobRoutes({ jobs, bulkPublishing, scheduling }: JobRoutePorts): Router<ApiState> {
  const router = new Router<ApiState>()

  router.post('/projects/:id/publish', async (ctx) => {
    const body = await readJson(ctx)
    const { caller } = ctx.state
    answerWithJob(
      ctx,
      await bulkPublishing.publish(caller, param(ctx.params, 'id'), () => readPublishPages(body)),
    )
  })

  router.get('/projects/:id/schedule', async (ctx) => {
    const slice = parseQuery(ListSchedule, queryOf(ctx))
    const { items, total } = await scheduling.list(ctx.state.caller, param(ctx.params, 'id'), slice)
    answerWithList(ctx, items, presentScheduled, (shown) => listMeta(slice, shown, total))
  })

  router.get('/projects/:id/jobs', async (ctx) => {
    const { status, ...slice } = parseQuery(ListJobs, queryOf(ctx))
    const states = status === undefined ? null : STATES_OF[status]
    const { items, total } = await jobs.list(ctx.state.caller, param(ctx.params, 'id'), states, slice)
    answerWithList(ctx, items, presentJob, (shown) => listMeta(slice, shown, total))
  })

  router.get('/jobs/:id', async (ctx) => {
    ctx.body = { data: presentJob(await jobs.get(ctx.state.caller, param(ctx.params, 'id'))) }
  })

  router.delete('/jobs/:id', async (ctx) => {
    ctx.body = { data: presentJob(await jobs.cancel(ctx.state.caller, param(ctx.params, 'id'))) }
  })

  return router
}
