import Router from '@koa/router'
import { assertPermitted } from '../../services/access.ts'
import type { PageService } from '../../services/pages.ts'
import type { PublishingService } from '../../services/publishing.ts'
import { type ApiState, param, queryOf } from '../api.ts'
import { readPageRef } from '../legacy-bodies.ts'
import { assertMatch } from '../middleware/entity-tags.ts'
import { parseQuery } from '../parse.ts'
import { readJson } from '../read-json.ts'
import { enveloped, envelopedList } from './envelope.ts'
import { ListPages, readCreatePage, readUpdatePage } from './page-schemas.ts'
import { presentPage, presentPageItem, presentPublished, presentUnpublished } from './present.ts'

export interface PageRoutePorts {
  readonly pages: PageService
  readonly publishing: PublishingService
  readonly themes: readonly string[]
}

const EVERY_PAGE = {
  type: null,
  status: null,
  subroute: null,
  slug: null,
  createdAfter: null,
  createdBefore: null,
  updatedAfter: null,
  updatedBefore: null,
}

export function pageRoutes({ pages, publishing, themes }: PageRoutePorts): Router<ApiState> {
  const router = new Router<ApiState>({ prefix: '/v1/pages' })

  router.get('/', async (ctx) => {
    const { project_id: project, limit, offset } = parseQuery(ListPages, queryOf(ctx))
    const paging = { sort: 'created_at', order: 'desc', limit, offset } as const
    const listed = await pages.list(ctx.state.caller, project, EVERY_PAGE, paging)
    ctx.body = envelopedList(listed, offset, presentPageItem)
  })

  router.post('/', async (ctx) => {
    const body = await readJson(ctx)
    const project = body['project_id']
    if (typeof project !== 'string') {
      // Without a project id there is nothing to look up: validation reports the missing field.
      assertPermitted(ctx.state.caller, ['write'])
      readCreatePage(body, themes)
    }
    const { page } = await pages.create(ctx.state.caller, String(project), () => readCreatePage(body, themes))
    ctx.status = 201
    ctx.state.version = page.version
    ctx.body = enveloped(presentPage(page))
  })

  router.post('/publish', async (ctx) => {
    const page = readPageRef(ctx.state.caller, await readJson(ctx))
    ctx.body = enveloped(presentPublished(await publishing.publish(ctx.state.caller, page)))
  })

  router.post('/unpublish', async (ctx) => {
    const ref = readPageRef(ctx.state.caller, await readJson(ctx))
    const { page } = await publishing.unpublish(ctx.state.caller, ref)
    ctx.body = enveloped(presentUnpublished(page))
  })

  router.get('/:id', async (ctx) => {
    const { page } = await pages.get(ctx.state.caller, param(ctx.params, 'id'))
    ctx.state.version = page.version
    ctx.body = enveloped(presentPage(page))
  })

  router.put('/:id', async (ctx) => {
    const body = await readJson(ctx)
    const { page } = await pages.update(ctx.state.caller, param(ctx.params, 'id'), ['write'], (stored) => {
      assertMatch(ctx, stored.version)
      return readUpdatePage(body, stored, themes)
    })
    ctx.state.version = page.version
    ctx.body = enveloped(presentPage(page))
  })

  return router
}
