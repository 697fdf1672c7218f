import { param, queryOf } from '../../http/api.ts'
import { pagerOf, sliceOf } from '../frame/paging.ts'
import type { DashboardContext, DashboardRouter, ViewPorts } from '../ports.ts'
import { projectPath } from './project-frame.ts'

const PATH = '/dashboard/projects'

/** The list of projects. A user without any is led to creating the first one. */
export function projectViews(router: DashboardRouter, { frame, projects, offers }: ViewPorts): void {
  const { words } = frame

  router.get('/projects', async (ctx) => {
    const query = queryOf(ctx)
    const search = (query.get('q') ?? '').slice(0, 100)
    const filter = {
      status: null,
      domain: null,
      createdAfter: null,
      createdBefore: null,
      search: search || null,
    }
    const paging = { sort: 'updated_at', order: 'desc', ...sliceOf(query) } as const
    const { items, total } = await projects.list(ctx.state.caller, filter, paging)
    const waiting = await offers.count(ctx.state.caller)
    if (total === 0 && waiting === 0 && search === '' && ctx.state.caller.canCreateProjects)
      return frame.goTo(ctx, '/dashboard/start')
    frame.show(ctx, 'projects', {
      title: words.projects.title,
      actions: ctx.state.caller.canCreateProjects
        ? [{ href: '/dashboard/start', name: words.projects.create, isPrimary: true }]
        : [],
      waiting: waiting === 0 ? null : words.offers.waiting(waiting),
      search,
      pager: pagerOf(PATH, query, items.length, total),
      items: items.map(({ project, pageCount }) => ({
        href: projectPath(project),
        name: project.name,
        status: project.status,
        pages: words.projects.pages(pageCount),
        host: project.hosting.customDomain ?? project.hosting.subdomain,
        updatedAt: project.updatedAt,
      })),
    })
  })
}

/** The project of a path. */
export function projectRef(ctx: DashboardContext): string {
  return param(ctx.params, 'project')
}
