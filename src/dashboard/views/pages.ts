import { ANY_PAGE } from '../../db/repositories/pages.ts'
import { ServiceError } from '../../domain/errors.ts'
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

/** The list of a project's pages, and the publish of chosen pages. */
export function pageListViews(router: DashboardRouter, ports: ViewPorts): void {
  const { frame, pages, bulkPublishing } = ports
  const { words } = frame
  const { showList, choiceOf } = createPageList(ports)

  router.get('/projects/:project/pages', (ctx) => showList(ctx, null))

  // Pages that the editor offers as links.
  router.get('/projects/:project/pages/find', async (ctx) => {
    const search = (queryOf(ctx).get('q') ?? '').slice(0, 200)
    const paging = { sort: 'updated_at', order: 'desc', limit: FOUND, offset: 0 } as const
    const filter = { ...ANY_PAGE, search: search || null }
    const { items, home } = await pages.list(ctx.state.caller, projectRef(ctx), filter, paging)
    ctx.body = items.map((page) => ({ title: page.title, path: publicUrlPath(page, home.siteRoutes) }))
  })

  router.post('/projects/:project/pages/publish', async (ctx) => {
    const { caller, form } = ctx.state
    await attempt(
      async () => {
        const selection = form.get('which') === 'stale' ? 'stale' : await choiceOf(ctx)
        const job = await bulkPublishing.publish(caller, projectRef(ctx), () => ({
          selection,
          strict: false,
        }))
        frame.goTo(ctx, projectPath({ id: job.projectId }, `/jobs/${prefixed('job', job.id)}`))
      },
      (error) => showList(ctx, problemOf(error, words)),
    )
  })
}

/**
 * Reads the filter of a list. Its forms have the query of the list, so that an act on all of it finds the same pages.
 */
export function pageFilter(query: URLSearchParams) {
  const search = (query.get('q') ?? '').slice(0, 200)
  return {
    ...ANY_PAGE,
    search: search || null,
    status: PAGE_STATUSES.find((one) => one === query.get('status')) ?? null,
    type: PAGE_TYPES.find((one) => one === query.get('type')) ?? null,
  }
}

/** An act in progress on all pages of the list. It continues when the user confirms. */
export interface Continuation {
  readonly act: string
  /** Number of pages at the start of the list that are done or were rejected. */
  readonly from: number
}

/** The list of pages. A rejected act on chosen pages shows it too. */
export function createPageList({ frame, pages, reviews }: ViewPorts) {
  const { words } = frame

  return { showList, choiceOf }

  /**
   * Returns the ticked pages, or all that match the filter of the list.
   *
   * @throws {ServiceError} `conflict` for none, `precondition_failed` when another number of pages matches now.
   */
  async function choiceOf(ctx: DashboardContext) {
    const { caller, form } = ctx.state
    if (form.get('which') !== 'matching') {
      const chosen = [...new Set(form.all('page'))]
      if (chosen.length === 0) throw new ServiceError('conflict', words.pages.nothingChosen)
      return chosen
    }
    const matching = pageFilter(queryOf(ctx))
    const paging = { sort: 'created_at', order: 'asc', limit: 1, offset: 0 } as const
    const { total } = await pages.list(caller, projectRef(ctx), matching, paging)
    if (form.get('of') !== String(total))
      throw new ServiceError('precondition_failed', words.pages.otherNumber(total))
    return { matching }
  }

  async function showList(
    ctx: DashboardContext,
    problem: Problem | null,
    continuation: Continuation | null = null,
  ): Promise<void> {
    const query = queryOf(ctx)
    const paging = { sort: 'updated_at', order: 'desc', ...sliceOf(query) } as const
    const filter = pageFilter(query)
    const { search, status, type } = filter
    const list = await pages.list(ctx.state.caller, projectRef(ctx), filter, paging)
    const { project } = list.home
    const proposed = await reviews.proposed(ctx.state.caller, projectRef(ctx))
    const path = projectPath(project, '/pages')
    query.delete('done')
    frame.show(ctx, 'pages', {
      title: words.pages.title,
      ...projectFrame(project, 'pages', words),
      problem,
      actions: may(ctx.state.standing ?? null, 'write')
        ? [{ href: `${path}/new`, name: words.pages.create, isPrimary: true }]
        : [],
      path,
      query: query.size === 0 ? '' : `?${query}`,
      continuation,
      proposed: proposed.length,
      reviewPath: projectPath(project, '/review'),
      search: search ?? '',
      status,
      type,
      statuses: PAGE_STATUSES,
      types: PAGE_TYPES,
      isFiltered: search !== null || status !== null || type !== null,
      pager: pagerOf(path, query, list.items.length, list.total),
      rows: list.items.map((page) => pageRow(page, list)),
    })
  }
}
