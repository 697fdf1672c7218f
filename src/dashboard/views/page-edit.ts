import type { Middleware } from 'koa'
import { param } from '../../http/api.ts'
import { readUpdatePage } from '../../http/bodies/page-schemas.ts'
import { readSchedule } from '../../http/bodies/publish-schemas.ts'
import type { PageDetails } from '../../services/pages/pages.ts'
import { answerJson, wantsJson } from '../frame/json-answer.ts'
import { attempt } from '../frame/problem.ts'
import { baseOf, formChanges } from '../frame/stored-form.ts'
import type { DashboardContext, DashboardRouter, DashboardState, ViewPorts } from '../ports.ts'
import { assertOfProject, createPageEditor, pathOf, ref } from './page-editor.ts'
import { pageControls, pageUpdate } from './page-form.ts'
import { projectPath } from './project-frame.ts'

const PAGE = '/projects/:project/pages/:page'

/** The form of a page, and the acts on the whole page. */
export function pageEditViews(router: DashboardRouter, ports: ViewPorts): void {
  const { frame, pages, publishing, scheduling, themes, now } = ports
  const editor = createPageEditor(ports)
  const isOfProject = ofProject(ports)

  router.get(PAGE, isOfProject, (ctx) => editor.show(ctx, ref(ctx), { error: null }))

  router.post(PAGE, isOfProject, async (ctx) => {
    const isSaved = await save(ctx)
    if (!isSaved) return
    if (wantsJson(ctx)) return answerSaved(ctx)
    if (ctx.state.form.get('next') === 'publish') frame.goTo(ctx, `${pathOf(ctx)}/publish`)
    else frame.goTo(ctx, pathOf(ctx), 'pageSaved')
  })

  router.post(`${PAGE}/unpublish`, isOfProject, (ctx) =>
    editor.act(ctx, 'pageUnpublished', () => publishing.unpublish(ctx.state.caller, ref(ctx))),
  )

  router.post(`${PAGE}/schedule`, isOfProject, (ctx) => {
    const at = ctx.state.form.get('publish_at')
    return editor.act(ctx, at === '' ? 'pageUnscheduled' : 'pageScheduled', () =>
      scheduling.schedule(ctx.state.caller, ref(ctx), () =>
        // A browser sends the time without a zone; the form says that it is UTC.
        readSchedule({ publish_at: at === '' ? null : /[zZ]$/.test(at) ? at : `${at}Z` }, now()),
      ),
    )
  })

  for (const [name, status, done] of [
    ['archive', 'archived', 'pageArchived'],
    ['restore', 'draft', 'pageRestored'],
  ] as const)
    router.post(`${PAGE}/${name}`, isOfProject, (ctx) =>
      editor.act(ctx, done, () =>
        pages.update(ctx.state.caller, ref(ctx), ['publish'], () => ({ edit: {}, status })),
      ),
    )

  router.post(`${PAGE}/delete`, isOfProject, async (ctx) => {
    await attempt(
      async () => {
        const redirectTo = ctx.state.form.get('redirect_to').trim() || null
        const { page } = await publishing.remove(ctx.state.caller, ref(ctx), () => ({ redirectTo }))
        frame.goTo(ctx, projectPath({ id: page.projectId }, '/pages'), 'pageDeleted')
      },
      (error) => editor.show(ctx, ref(ctx), { error }),
    )
  })

  /** Answers with digests of the stored fields, from which the form of the editor continues. */
  async function answerSaved(ctx: DashboardContext): Promise<void> {
    const stored = pageControls(await pages.get(ctx.state.caller, ref(ctx)), frame.words)
    ctx.body = { base: baseOf(stored) }
  }

  /** Stores the changes in the form. @returns whether it did; otherwise it has answered. */
  async function save(ctx: DashboardContext): Promise<boolean> {
    const { caller, form } = ctx.state
    const changes = formChanges(form, frame.words.page.changed)
    let isSaved = false
    await attempt(
      async () => {
        const current = await pages.get(caller, ref(ctx))
        await pages.update(caller, ref(ctx), ['write'], (page, shown, home) => {
          const mine = changes.read(pageControls(asShown(current, page, shown.now), frame.words))
          return readUpdatePage(pageUpdate(mine, page), page, shown, themes, home.project.hosting.slugs)
        })
        isSaved = true
      },
      (error) =>
        wantsJson(ctx)
          ? answerJson(ctx, error, frame.words)
          : editor.show(ctx, ref(ctx), { error, changes: changes.last() }),
    )
    return isSaved
  }
}

/** The page as it is inside the transaction of a change. */
function asShown(found: PageDetails, page: PageDetails['page'], fields: PageDetails['fields']): PageDetails {
  return { ...found, page, fields }
}

/** Rejects a page of a project other than the path's. */
export function ofProject({ pages }: ViewPorts): Middleware<DashboardState, DashboardContext> {
  return async (ctx, next) => {
    const { home } = await pages.get(ctx.state.caller, ref(ctx))
    assertOfProject(param(ctx.params, 'project'), home.project)
    await next()
  }
}
