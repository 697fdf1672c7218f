import { ANY_PAGE } from '../../db/repositories/pages.ts'
import { prefixed } from '../../domain/ids.ts'
import { PAGE_STATUSES, PAGE_TYPES } from '../../domain/page.ts'
import { publicUrlPath } from '../../domain/route.ts'
import { queryOf } from '../../http/api.ts'
import { may } from '../frame/frame.ts'
import { pagerOf, sliceOf } from '../frame/paging.ts'
import type { Problem } from '../frame/problem.ts'
import { attempt, problemOf } from '../frame/problem.ts'
import type { DashboardContext, DashboardRouter, ViewPorts } from '../ports.ts'
import { pageRow } from './page-rows.ts'
import { projectFrame, projectPath } from './project-frame.ts'
import { projectRef } from './projects.ts'

/** Pages that a search for a link finds. */
const FOUND = 10

/** The list of a project's pages, and the publish of those that were chosen in it. */
export function pageListViews(router: DashboardRouter, ports: ViewPorts): void {
  const { frame, pages, bulkPublishing } = ports
  const { words } = frame
  const { showList, nothingChosen } = createPageList(ports)

  router.get('/projects/:project/pages', (ctx) => showList(ctx, null))

  // What the editor offers as links.
  router.get('/projects/:project/pages/find', async (ctx) => {
    const search = (queryOf(ctx).get('q') ?? '').slice(0, 200)
    const paging = { sort: 'updated_at', order: 'desc', limit: FOUND, offset: 0 } as const
    const filter = { ...ANY_PAGE, search: search || null }
    const { items, home } = await pages.list(ctx.state.caller, projectRef(ctx), filter, paging)
    ctx.body = items.map((page) => ({ title: page.title, path: publicUrlPath(page, home.siteRoutes) }))
  })

  router.post('/projects/:project/pages/publish', async (ctx) => {
    const { caller, form } = ctx.state
    const chosen = form.all('page')
    const isStale = form.get('which') === 'stale'
    if (chosen.length === 0 && !isStale) return showList(ctx, nothingChosen())
    await attempt(
      async () => {
        const job = await bulkPublishing.publish(caller, projectRef(ctx), () => (isStale ? 'stale' : chosen))
        frame.goTo(ctx, projectPath({ id: job.projectId }, `/jobs/${prefixed('job', job.id)}`))
      },
      (error) => showList(ctx, problemOf(error, words)),
    )
  })
}

/** The list of pages, which refused acts on those that were chosen show too. */
export function createPageList({ frame, pages, reviews }: ViewPorts) {
  const { words } = frame

  return {
    showList,
    nothingChosen: (): Problem => ({
      status: 422,
      title: words.pages.nothingChosen,
      message: null,
      list: [],
    }),
  }

  async function showList(ctx: DashboardContext, problem: Problem | null): Promise<void> {
    const query = queryOf(ctx)
    const search = (query.get('q') ?? '').slice(0, 200)
    const status = PAGE_STATUSES.find((one) => one === query.get('status')) ?? null
    const type = PAGE_TYPES.find((one) => one === query.get('type')) ?? null
    const paging = { sort: 'updated_at', order: 'desc', ...sliceOf(query) } as const
    const filter = { ...ANY_PAGE, status, type, search: search || null }
    const list = await pages.list(ctx.state.caller, projectRef(ctx), filter, paging)
    const { project } = list.home
    const proposed = await reviews.proposed(ctx.state.caller, projectRef(ctx))
    const path = projectPath(project, '/pages')
    frame.show(ctx, 'pages', {
      title: words.pages.title,
      ...projectFrame(project, 'pages', words),
      problem,
      actions: may(ctx.state.standing ?? null, 'write')
        ? [{ href: `${path}/new`, name: words.pages.create, isPrimary: true }]
        : [],
      path,
      proposed: proposed.length,
      reviewPath: projectPath(project, '/review'),
      search,
      status,
      type,
      statuses: PAGE_STATUSES,
      types: PAGE_TYPES,
      isFiltered: search !== '' || status !== null || type !== null,
      pager: pagerOf(path, query, list.items.length, list.total),
      rows: list.items.map((page) => pageRow(page, list)),
    })
  }
}
