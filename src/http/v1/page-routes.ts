import Router from '@koa/router'
import type { Caller } from '../../domain/caller.ts'
import { assertPermitted } from '../../services/access.ts'
import type { PageService } from '../../services/pages/pages.ts'
import { DEFAULT_OPTIONS, type PublishingService } from '../../services/publishing/publishing.ts'
import { type ApiState, param, queryOf, type Representation } from '../api.ts'
import { answerContinued, type ContinuedReleasePorts } from '../continued-release.ts'
import { readPageRef } from '../legacy-bodies.ts'
import { assertMatch } from '../middleware/entity-tags.ts'
import { parseQuery } from '../parse.ts'
import { readJson } from '../read-json.ts'
import { enveloped, envelopedList } from './envelope.ts'
import { ListPages, readCreatePage, readUpdatePage } from './page-schemas.ts'
import {
  presentPage,
  presentPageItem,
  presentPending,
  presentPublished,
  presentUnpublished,
} from './present.ts'

export interface PageRoutePorts extends ContinuedReleasePorts {
  readonly pages: PageService
  readonly publishing: PublishingService
  readonly themes: readonly string[]
}

const EVERY_PAGE = {
  tag: null,
  type: null,
  status: null,
  subroute: null,
  slug: null,
  createdAfter: null,
  createdBefore: null,
  updatedAfter: null,
  updatedBefore: null,
}

export function pageRoutes({ pages, publishing, themes, jobs }: PageRoutePorts): Router<ApiState> {
  const router = new Router<ApiState>({ prefix: '/v1/pages' })
  router.use(answerContinued({ jobs }, (job) => enveloped(presentPending(job))))

  router.get('/', async (ctx) => {
    const { project_id: project, limit, offset, tag = null } = parseQuery(ListPages, queryOf(ctx))
    const paging = { sort: 'created_at', order: 'desc', limit, offset } as const
    const listed = await pages.list(ctx.state.caller, project, { ...EVERY_PAGE, tag }, paging)
    ctx.body = envelopedList(listed, offset, presentPageItem)
  })

  router.post('/', async (ctx) => {
    const body = await readJson(ctx)
    const project = body['project_id']
    if (typeof project !== 'string') {
      // Without a project id there is nothing to look up: validation reports the missing field.
      assertPermitted(ctx.state.caller, ['write'])
      readCreatePage(body, themes, 'standard')
    }
    const { page } = await pages.create(ctx.state.caller, String(project), ({ project: { hosting } }) =>
      readCreatePage(body, themes, hosting.slugs),
    )
    ctx.status = 201
    ctx.state.version = page.version
    ctx.body = enveloped(presentPage(page))
  })

  router.post('/publish', async (ctx) => {
    const page = readPageRef(ctx.state.caller, await readJson(ctx))
    ctx.state.current = currentPage(ctx.state.caller, page)
    const published = await publishing.publish(ctx.state.caller, page, ({ version }) => {
      assertMatch(ctx, version)
      return DEFAULT_OPTIONS
    })
    ctx.state.version = published.page.version
    ctx.body = enveloped(presentPublished(published))
  })

  router.post('/unpublish', async (ctx) => {
    const ref = readPageRef(ctx.state.caller, await readJson(ctx))
    ctx.state.current = currentPage(ctx.state.caller, ref)
    const { page } = await publishing.unpublish(ctx.state.caller, ref, ({ version }) =>
      assertMatch(ctx, version),
    )
    ctx.state.version = page.version
    ctx.body = enveloped(presentUnpublished(page))
  })

  router.get('/:id', async (ctx) => {
    const { page } = await pages.get(ctx.state.caller, param(ctx.params, 'id'))
    ctx.state.version = page.version
    ctx.body = enveloped(presentPage(page))
  })

  router.put('/:id', async (ctx) => {
    const body = await readJson(ctx)
    const ref = param(ctx.params, 'id')
    ctx.state.current = currentPage(ctx.state.caller, ref)
    const { page } = await pages.update(
      ctx.state.caller,
      ref,
      ['write'],
      (stored, _, { project: { hosting } }) => {
        assertMatch(ctx, stored.version)
        return readUpdatePage(body, stored, themes, hosting.slugs)
      },
    )
    ctx.state.version = page.version
    ctx.body = enveloped(presentPage(page))
  })

  return router

  /** Reads a page as `GET /v1/pages/:id` answers it, for any caller who may change it. */
  function currentPage(caller: Caller, ref: string): () => Promise<Representation> {
    return async () => {
      const { page } = await pages.get({ ...caller, permissions: ['read'] }, ref)
      return { version: page.version, body: enveloped(presentPage(page)) }
    }
  }
}
