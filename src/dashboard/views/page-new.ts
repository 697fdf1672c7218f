import { z } from 'zod'
import type { ServiceError } from '../../domain/errors.ts'
import { defaultLocale } from '../../domain/locale.ts'
import { PAGE_TYPES } from '../../domain/page.ts'
import { PAGE_FIELDS } from '../../fields/page-fields.ts'
import { readCreatePage } from '../../http/bodies/page-schemas.ts'
import { pageType } from '../../http/page-fields.ts'
import { type Control, controlOf, typed } from '../frame/controls.ts'
import { may } from '../frame/frame.ts'
import { attempt, problemOf, withFaults } from '../frame/problem.ts'
import { suggestedSlug } from '../frame/suggested-slug.ts'
import type { DashboardContext, DashboardRouter, ViewPorts } from '../ports.ts'
import { pageBody } from './page-form.ts'
import { pagePath } from './page-rows.ts'
import { projectFrame, projectPath } from './project-frame.ts'
import { projectRef } from './projects.ts'

/** The form of a new page. */
export function pageNewViews(router: DashboardRouter, ports: ViewPorts): void {
  const { frame, projects, pages, themes } = ports
  const { words } = frame

  router.get('/projects/:project/pages/new', (ctx) => showNew(ctx, null))

  router.post('/projects/:project/pages/new', async (ctx) => {
    const { caller, form } = ctx.state
    await attempt(
      async () => {
        const controls = typed(newControls(), form).map((control) =>
          control.name === 'slug' && control.value.trim() === ''
            ? { ...control, value: suggestedSlug(form.get('title')) }
            : control,
        )
        const { page, home } = await pages.create(caller, projectRef(ctx), ({ project }) =>
          readCreatePage({ ...pageBody(controls), project_id: project.id }, themes, project.hosting.slugs),
        )
        if (form.get('next') !== 'publish')
          return frame.goTo(ctx, pagePath(home.project, page.id), 'pageCreated')
        frame.goTo(ctx, pagePath(home.project, page.id, '/publish'))
      },
      (error) => showNew(ctx, error),
    )
  })

  async function showNew(ctx: DashboardContext, error: ServiceError | null): Promise<void> {
    const { project, settings } = await projects.get(ctx.state.caller, projectRef(ctx))
    const controls = withFaults(typed(newControls(), ctx.state.form), error ?? { fields: [] }, words)
    frame.show(ctx, 'page-new', {
      title: words.page.createTitle,
      crumbs: [
        ...projectFrame(project, 'pages', words).crumbs,
        { href: projectPath(project, '/pages'), name: words.pages.title },
      ],
      isWriting: true,
      pageLang: defaultLocale(settings.settings.locales)?.code ?? '',
      problem: error && problemOf(error, words, controls),
      path: projectPath(project, '/pages'),
      projectPath: projectPath(project),
      script: may(ctx.state.standing ?? null, 'write') ? 'editor' : null,
      controls,
    })
  }

  function newControls(): readonly Control[] {
    const type = controlOf({ name: 'type', schema: pageType, options: PAGE_TYPES }, 'article', words)
    return [
      {
        ...controlOf({ name: 'title', schema: PAGE_FIELDS.title, kind: 'title' }, '', words),
        isRequired: true,
      },
      controlOf({ name: 'markdown_content', schema: z.string(), kind: 'markdown' }, '', words),
      type,
      { ...controlOf({ name: 'slug', schema: PAGE_FIELDS.slug }, '', words), hint: words.page.slugHint },
      controlOf({ name: 'subroute', schema: PAGE_FIELDS.subroute }, '', words),
    ]
  }
}
