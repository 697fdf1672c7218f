import Router from '@koa/router'
import { type PageId, prefixed } from '../../domain/ids.ts'
import type { Job } from '../../domain/job.ts'
import type { PageService } from '../../services/pages/pages.ts'
import type { DataModeService } from '../../services/publishing/data-mode.ts'
import { DEFAULT_OPTIONS, type PublishingService } from '../../services/publishing/publishing.ts'
import { type ApiState, param } from '../api.ts'
import { answerContinued, type ContinuedReleasePorts } from '../continued-release.ts'
import { presentDataModeAction, readDataModeAction, readPageRef } from '../legacy-bodies.ts'
import { assertMatch } from '../middleware/entity-tags.ts'
import { readJson } from '../read-json.ts'
import { currentPage } from './page-routes.ts'

export interface UnprefixedRoutePorts extends ContinuedReleasePorts {
  readonly pages: PageService
  readonly publishing: PublishingService
  readonly dataMode: DataModeService
}

/**
 * Legacy operations without an equivalent on the current surface, for clients that drop only the `/v1`: legacy bodies
 * and data, in the envelope and with the ids of the current surface.
 */
export function unprefixedRoutes({
  pages,
  publishing,
  dataMode,
  jobs,
}: UnprefixedRoutePorts): Router<ApiState> {
  const router = new Router<ApiState>()
  const continued = answerContinued({ jobs }, presentPending)

  router.post('/pages/publish', continued, async (ctx) => {
    const ref = readPageRef(ctx.state.caller, await readJson(ctx))
    ctx.state.current = currentPage(pages, ctx.state.caller, ref)
    const { page, outcome } = await publishing.publish(ctx.state.caller, ref, ({ version }) => {
      assertMatch(ctx, version)
      return DEFAULT_OPTIONS
    })
    ctx.state.version = page.version
    ctx.body = {
      data: { page_id: prefixed('page', page.id), status: 'published', published_at: outcome.publishedAt },
    }
  })

  router.post('/pages/unpublish', continued, async (ctx) => {
    const ref = readPageRef(ctx.state.caller, await readJson(ctx))
    ctx.state.current = currentPage(pages, ctx.state.caller, ref)
    const { page } = await publishing.unpublish(ctx.state.caller, ref, ({ version }) =>
      assertMatch(ctx, version),
    )
    ctx.state.version = page.version
    ctx.body = { data: { page_id: prefixed('page', page.id), status: 'unpublished' } }
  })

  router.get('/projects/:id/data-mode', async (ctx) => {
    const { enabled, enabledAt } = await dataMode.status(ctx.state.caller, param(ctx.params, 'id'))
    ctx.body = { data: { enabled, enabled_at: enabledAt } }
  })

  router.post('/projects/:id/data-mode', async (ctx) => {
    const body = await readJson(ctx)
    const changed = await dataMode.change(ctx.state.caller, param(ctx.params, 'id'), () =>
      readDataModeAction(body),
    )
    ctx.state.secret = changed.contentKey !== null
    ctx.body = { data: presentDataModeAction(changed) }
  })

  return router
}

function presentPending({ id, subject }: Job): object {
  return {
    data: { page_id: prefixed('page', subject as PageId), status: 'pending', job_id: prefixed('job', id) },
  }
}
