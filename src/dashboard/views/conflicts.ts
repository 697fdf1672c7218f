import type { StoredConflict } from '../../db/repositories/pushes.ts'
import { ServiceError } from '../../domain/errors.ts'
import { readUpdatePage } from '../../http/bodies/page-schemas.ts'
import type { PageDetails, ShownFields } from '../../services/pages/pages.ts'
import type { PageChange } from '../../services/pages/write-page.ts'
import { attempt, type Problem, problemOf } from '../frame/problem.ts'
import type { DashboardContext, DashboardRouter, ViewPorts } from '../ports.ts'
import { changedFields } from './comparison.ts'
import { ofProject } from './page-edit.ts'
import { pageFrame, ref } from './page-editor.ts'
import { pageControls } from './page-form.ts'
import { pagePath } from './page-rows.ts'
import { projectFrame, projectPath } from './project-frame.ts'
import { projectRef } from './projects.ts'

const CONFLICT = '/projects/:project/pages/:page/conflict'

/** Pages that were changed here and in the files they were pushed from, with both texts. */
export function conflictViews(router: DashboardRouter, ports: ViewPorts): void {
  const { frame, projects, pages, pushConflicts, themes } = ports
  const { words } = frame
  const isOfProject = ofProject(ports)

  router.get('/projects/:project/conflicts', async (ctx) => {
    const { caller } = ctx.state
    const [{ project }, items, total] = await Promise.all([
      projects.get(caller, projectRef(ctx)),
      pushConflicts.list(caller, projectRef(ctx)),
      pushConflicts.count(caller, projectRef(ctx)),
    ])
    frame.show(ctx, 'conflicts', {
      title: words.pushes.conflicts,
      ...projectFrame(project, 'overview', words),
      total,
      conflicts: items.map(({ pageId, path, title }) => ({
        href: pagePath(project, pageId, '/conflict'),
        title,
        path,
      })),
    })
  })

  router.get(CONFLICT, isOfProject, (ctx) => showConflict(ctx, null))

  router.post(CONFLICT, isOfProject, async (ctx) => {
    const { caller, form } = ctx.state
    await attempt(
      async () => {
        const { page, home } = await pages.get(caller, ref(ctx))
        if (form.get('keep') === 'file') await keepFile(ctx)
        else await pushConflicts.keepStored(caller, ref(ctx))
        const left = await pushConflicts.count(caller, projectRef(ctx))
        if (left > 0) frame.goTo(ctx, projectPath(home.project, '/conflicts'), 'conflictSolved')
        else frame.goTo(ctx, pagePath(home.project, page.id), 'conflictSolved')
      },
      (error) => showConflict(ctx, problemOf(error, words)),
    )
  })

  async function keepFile(ctx: DashboardContext): Promise<void> {
    const { caller, form } = ctx.state
    const conflict = await pushConflicts.required(caller, ref(ctx))
    await pages.update(caller, ref(ctx), ['write'], (page, shown, home) => {
      if (String(page.version) !== form.get('version'))
        throw new ServiceError('conflict', words.pushes.editedMeanwhile)
      return changeOf(conflict, { page, home }, shown)
    })
  }

  /** The page with the values of its file. @throws {ServiceError} when it does not take them. */
  function changeOf(
    { folder, path, values }: StoredConflict,
    { page, home }: Pick<PageDetails, 'page' | 'home'>,
    shown: ShownFields,
  ): PageChange {
    if (values === null) throw new ServiceError('conflict', words.pushes.tooLarge)
    const body = { ...values, source: { folder, path } }
    return readUpdatePage(body, page, shown, themes, home.project.hosting.slugs)
  }

  async function showConflict(ctx: DashboardContext, problem: Problem | null): Promise<void> {
    const { caller } = ctx.state
    const found = await pages.get(caller, ref(ctx))
    const conflict = await pushConflicts.ofPage(caller, ref(ctx))
    const { page, home } = found
    frame.show(ctx, 'conflict', {
      ...pageFrame(found, 'edit', words),
      problem,
      path: pagePath(home.project, page.id),
      version: page.version,
      conflict: conflict && {
        path: conflict.path,
        fields: Object.keys(conflict.fields),
        changes: conflict.values === null ? null : changesOf(conflict, found),
      },
    })
  }

  /**
   * The changes from the stored page to the file's. Null if the page does not accept the values of the file any more.
   */
  function changesOf(conflict: StoredConflict, found: PageDetails) {
    try {
      const ofFile = pushConflicts.edited(found, (shown) => changeOf(conflict, found, shown))
      return changedFields(pageControls(found, words), pageControls(ofFile, words))
    } catch (error) {
      if (error instanceof ServiceError) return null
      throw error
    }
  }
}
