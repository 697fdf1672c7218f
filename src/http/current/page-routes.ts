import Router, { type RouterContext } from '@koa/router'
import type { Caller } from '../../domain/caller.ts'
import { prefixed } from '../../domain/ids.ts'
import type { Job } from '../../domain/job.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { Page } from '../../domain/page.ts'
import type { PublicAddresses } from '../../domain/project.ts'
import type { Right } from '../../domain/roles.ts'
import { assertPermitted } from '../../services/access.ts'
import type { PageList, PageService } from '../../services/pages/pages.ts'
import type { PublishingService } from '../../services/publishing/publishing.ts'
import type { SchedulingService } from '../../services/publishing/scheduling.ts'
import { type ApiState, listMeta, param, queryOf, type Representation } from '../api.ts'
import { GetPage, ListPages, readCreatePage, readListPages, readUpdatePage } from '../bodies/page-schemas.ts'
import {
  DeletePageQuery,
  isSchedule,
  ListReleases,
  PublishQuery,
  readNoFields,
  readPublish,
  readRollBack,
  readSchedule,
} from '../bodies/publish-schemas.ts'
import { answerContinued, type ContinuedReleasePorts } from '../continued-release.ts'
import { answerWithList } from '../list-answer.ts'
import { assertMatch } from '../middleware/entity-tags.ts'
import { parseQuery } from '../parse.ts'
import { readJson, readOptionalJson } from '../read-json.ts'
import {
  linkToPublic,
  presentCreatedPage,
  presentDryRun,
  presentFrontMatter,
  presentPage,
  presentPageItem,
  presentPageItemWithContent,
  presentPublished,
  presentRelease,
  presentUnpublished,
  presentUnscheduled,
  presentUpdatedPage,
  shownContent,
} from './present.ts'
import { answerWithJob, presentJob } from './present-job.ts'

export interface PageRoutePorts extends ContinuedReleasePorts {
  readonly pages: PageService
  readonly publishing: PublishingService
  readonly scheduling: SchedulingService
  readonly addresses: PublicAddresses
  readonly themes: readonly string[]
  /** Current time, ISO 8601 UTC. */
  readonly now: () => string
}

export function pageRoutes({
  pages,
  publishing,
  scheduling,
  addresses,
  themes,
  jobs,
  now,
}: PageRoutePorts): Router<ApiState> {
  const router = new Router<ApiState>({ prefix: '/pages' })
  router.use(answerContinued({ jobs }, presentContinued))

  router.get('/', async (ctx) => {
    const query = parseQuery(ListPages, queryOf(ctx))
    const project = query.project_id
    const { filter, paging, meta } = readListPages(query)
    const { caller } = ctx.state
    if (query.include_content) {
      const list = await pages.listWithContent(caller, project, filter, paging)
      await ctx.state.pace?.(ctx.state.held.working())
      answer(list, (page) => presentPageItemWithContent(page, list))
    } else {
      const list = await pages.list(caller, project, filter, paging)
      answer(list, (page) => presentPageItem(page, list))
    }

    function answer<Item>({ items, total, home }: PageList<Item>, present: (item: Item) => object) {
      const filters = { project_id: prefixed('proj', home.project.id), ...meta }
      answerWithList(ctx, items, present, (shown) => ({ ...listMeta(paging, shown, total), filters }))
    }
  })

  router.post('/', async (ctx) => {
    const body = await readJson(ctx)
    const project = body['project_id']
    if (typeof project !== 'string') {
      // Without a project id there is nothing to look up: validation reports the missing field.
      assertPermitted(ctx.state.caller, ['write'])
      readCreatePage(body, themes, 'standard')
    }
    const created = await pages.create(ctx.state.caller, String(project), ({ project: { hosting } }) =>
      readCreatePage(body, themes, hosting.slugs),
    )
    ctx.status = 201
    ctx.state.version = created.page.version
    ctx.body = { data: presentCreatedPage(created, addresses) }
  })

  router.get('/:id', async (ctx) => {
    const query = parseQuery(GetPage, queryOf(ctx))
    const found = await pages.get(ctx.state.caller, param(ctx.params, 'id'))
    const show = { sections: query.include_sections, markdown: query.include_markdown }
    ctx.state.version = found.page.version
    ctx.set('Link', linkToPublic(found, addresses))
    if (query.format === 'markdown') {
      ctx.type = 'text/markdown; charset=utf-8'
      ctx.body = await pages.document(found, shownContent(found.page, show), presentFrontMatter(found))
    } else {
      ctx.body = { data: presentPage(found, show) }
    }
  })

  router.put('/:id', async (ctx) => {
    const body = await readJson(ctx)
    compareWithPage(ctx)
    const updated = await pages.update(
      ctx.state.caller,
      param(ctx.params, 'id'),
      needsOf(body),
      (page, shown, { project: { hosting } }) => {
        assertMatch(ctx, page.version)
        return readUpdatePage(body, page, shown, themes, hosting.slugs)
      },
    )
    ctx.state.version = updated.page.version
    ctx.body = { data: presentUpdatedPage(updated) }
  })

  router.delete('/:id', async (ctx) => {
    compareWithPage(ctx)
    const { redirect_to: redirectTo = null } = parseQuery(DeletePageQuery, queryOf(ctx))
    const readWish = ({ version }: Page) => {
      assertMatch(ctx, version)
      return { redirectTo }
    }
    const { page, lostAddresses } = await publishing.remove(
      ctx.state.caller,
      param(ctx.params, 'id'),
      readWish,
    )
    ctx.body = { data: { id: prefixed('page', page.id), deleted: true, lost_addresses: lostAddresses } }
  })

  router.post('/:id/publish', async (ctx) => {
    const body = await readOptionalJson(ctx)
    const { dry_run: isDryRun, timings: showTimings } = parseQuery(PublishQuery, queryOf(ctx))
    const page = param(ctx.params, 'id')
    compareWithPage(ctx)
    if (isSchedule(body) && !isDryRun) return schedule(ctx, page, body)
    const readWish = ({ version }: Page) => {
      assertMatch(ctx, version)
      return readPublish(body)
    }
    if (isDryRun) {
      ctx.body = { data: presentDryRun(await publishing.plan(ctx.state.caller, page, readWish)) }
    } else {
      const published = await publishing.publish(ctx.state.caller, page, readWish)
      ctx.state.version = published.page.version
      ctx.body = { data: presentPublished(published, showTimings) }
    }
  })

  router.get('/:id/releases', async (ctx) => {
    const slice = parseQuery(ListReleases, queryOf(ctx))
    const { items, total } = await publishing.history(ctx.state.caller, param(ctx.params, 'id'), slice)
    answerWithList(ctx, items, presentRelease, (shown) => listMeta(slice, shown, total))
  })

  router.post('/:id/rollback', async (ctx) => {
    const body = await readJson(ctx)
    compareWithPage(ctx)
    const published = await publishing.rollBack(ctx.state.caller, param(ctx.params, 'id'), ({ version }) => {
      assertMatch(ctx, version)
      return readRollBack(body)
    })
    ctx.state.version = published.page.version
    ctx.body = { data: presentPublished(published) }
  })

  router.post('/:id/unpublish', async (ctx) => {
    const body = await readOptionalJson(ctx)
    compareWithPage(ctx)
    const { page, unpublishedAt } = await publishing.unpublish(
      ctx.state.caller,
      param(ctx.params, 'id'),
      ({ version }) => {
        assertMatch(ctx, version)
        readNoFields(body)
      },
    )
    ctx.state.version = page.version
    ctx.body = { data: presentUnpublished(page, unpublishedAt) }
  })

  return router

  /** An update is stored already, and answered with the page as it is until the release has ended. */
  async function presentContinued(job: Job, ctx: RouterContext<ApiState>): Promise<object> {
    if (ctx.method !== 'PUT') return { data: presentJob(job) }
    const { reserve: _, ...known } = ctx.state.caller
    const found = await pages.get({ ...known, permissions: ['read'] }, job.subject ?? '')
    ctx.state.version = found.page.version
    return { data: presentUpdatedPage(found) }
  }

  function compareWithPage(ctx: RouterContext<ApiState>): void {
    ctx.state.current = currentPage(pages, ctx.state.caller, param(ctx.params, 'id'))
  }

  async function schedule(ctx: RouterContext<ApiState>, ref: string, body: JsonObject): Promise<void> {
    const { page, job } = await scheduling.schedule(ctx.state.caller, ref, ({ version }) => {
      assertMatch(ctx, version)
      return readSchedule(body, now())
    })
    if (job === null) ctx.body = { data: presentUnscheduled(page) }
    else answerWithJob(ctx, job)
  }
}

/** Reads a page as `GET /pages/:id` answers it, for any caller who may change it. */
export function currentPage(pages: PageService, caller: Caller, ref: string): () => Promise<Representation> {
  return async () => {
    const found = await pages.get({ ...caller, permissions: ['read'] }, ref)
    return { version: found.page.version, body: { data: presentPage(found) } }
  }
}

/** Rights that an update needs: `status` needs `publish`, every other field needs `write`. */
function needsOf(body: JsonObject): readonly Right[] {
  const names = Object.keys(body)
  const writes = names.length === 0 || names.some((name) => name !== 'status')
  return [
    ...(writes ? (['write'] as const) : []),
    ...(names.includes('status') ? (['publish'] as const) : []),
  ]
}
