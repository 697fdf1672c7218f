import type { ServiceError } from '../../domain/errors.ts'
import { projectName } from '../../fields/values.ts'
import { param, queryOf } from '../../http/api.ts'
import { CreateProject } from '../../http/bodies/project-schemas.ts'
import { parseBody } from '../../http/parse.ts'
import { controlOf, typed } from '../frame/controls.ts'
import { pagerOf, sliceOf } from '../frame/paging.ts'
import { attempt, problemOf, withFaults } from '../frame/problem.ts'
import type { DashboardContext, DashboardRouter, ViewPorts } from '../ports.ts'
import { projectPath } from './project-frame.ts'

const PATH = '/dashboard/projects'

/** The list of projects, and the form of a new one. */
export function projectViews(router: DashboardRouter, { frame, projects }: ViewPorts): void {
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
    frame.show(ctx, 'projects', {
      title: words.projects.title,
      actions: [{ href: `${PATH}/new`, name: words.projects.create, isPrimary: true }],
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

  router.get('/projects/new', async (ctx) => showNew(ctx, null))

  router.post('/projects/new', async (ctx) => {
    await attempt(
      async () => {
        const { project } = await projects.create(ctx.state.caller, () => {
          const { name } = parseBody(CreateProject, { name: ctx.state.form.get('name') })
          return { name, slugs: 'standard' }
        })
        frame.goTo(ctx, projectPath(project), 'projectCreated')
      },
      (error) => showNew(ctx, error),
    )
  })

  function showNew(ctx: DashboardContext, error: ServiceError | null): void {
    const control = {
      ...controlOf({ name: 'name', schema: projectName }, '', words),
      hint: words.projects.nameHint,
      isRequired: true,
    }
    const controls = withFaults(typed([control], ctx.state.form), error ?? { fields: [] })
    frame.show(ctx, 'project-new', {
      title: words.projects.create,
      crumbs: [{ href: PATH, name: words.projects.title }],
      problem: error && problemOf(error, words, controls),
      controls,
    })
  }
}

/** The project of a path. */
export function projectRef(ctx: DashboardContext): string {
  return param(ctx.params, 'project')
}
