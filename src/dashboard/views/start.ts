import type { ServiceError } from '../../domain/errors.ts'
import { fieldFailure } from '../../domain/field-errors.ts'
import { projectName } from '../../fields/values.ts'
import { readCreatePage } from '../../http/bodies/page-schemas.ts'
import { CreateProject } from '../../http/bodies/project-schemas.ts'
import { parseBody } from '../../http/parse.ts'
import { controlOf, typed } from '../frame/controls.ts'
import { attempt, problemOf, withFaults } from '../frame/problem.ts'
import { readStarts } from '../frame/starts.ts'
import type { DashboardContext, DashboardRouter, ViewPorts } from '../ports.ts'
import { pagePath } from './page-rows.ts'

/** The first site of an account, and every further one: a start to choose, a name, and the first page to edit. */
export function startViews(router: DashboardRouter, ports: ViewPorts): void {
  const { frame, projects, pages, themes, projectReader, dashboard } = ports
  const { words } = frame
  const starts = readStarts(dashboard.folders.templates)

  router.get('/start', (ctx) => showStart(ctx, null))

  router.post('/start', (ctx) =>
    attempt(
      async () => {
        const { caller, form } = ctx.state
        const start = starts.find(({ name }) => name === form.get('start'))
        if (start === undefined)
          throw fieldFailure('validation_error', [{ path: 'start', message: words.start.unknown }])
        const { project } = await projects.create(caller, () => {
          const { name } = parseBody(CreateProject, { name: form.get('name') })
          return { name, slugs: 'standard' }
        })
        await projects.updateSettings(caller, project.id, () =>
          projectReader.readSettings(start.settings, [], 'standard'),
        )
        const created = []
        for (const page of start.pages)
          created.push(
            await pages.create(caller, project.id, () =>
              readCreatePage({ subroute: '', ...page, project_id: project.id }, themes, 'standard'),
            ),
          )
        const [first] = created
        if (first === undefined) throw new Error(`The start ${start.name} has no page.`)
        const isOfSections = first.page.config['sections'] !== undefined
        frame.goTo(ctx, pagePath(project, first.page.id, isOfSections ? '/sections' : ''), 'projectStarted')
      },
      (error) => showStart(ctx, error),
    ),
  )

  async function showStart(ctx: DashboardContext, error: ServiceError | null): Promise<void> {
    const { caller, form } = ctx.state
    const control = {
      ...controlOf({ name: 'name', schema: projectName }, '', words),
      label: words.start.name,
      hint: words.projects.nameHint,
      isRequired: true,
    }
    const controls = withFaults(typed([control], form), error ?? { fields: [] }, words)
    const none = { status: null, domain: null, createdAfter: null, createdBefore: null }
    const paging = { sort: 'created_at', order: 'asc', limit: 1, offset: 0 } as const
    const { total } = await projects.list(caller, none, paging)
    frame.show(ctx, 'start', {
      title: total === 0 ? words.start.title : words.projects.create,
      crumbs: total === 0 ? [] : [{ href: '/dashboard/projects', name: words.projects.title }],
      problem: error && problemOf(error, words, controls),
      controls,
      isFirst: total === 0,
      chosen: form.get('start') || starts[0]?.name,
      starts: starts.map(({ name }) => ({ name, ...words.start.starts[name] })),
    })
  }
}
