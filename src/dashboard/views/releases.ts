import { prefixed } from '../../domain/ids.ts'
import { putsLive } from '../../domain/release.ts'
import { queryOf } from '../../http/api.ts'
import { readRollBack } from '../../http/bodies/publish-schemas.ts'
import { pagerOf, sliceOf } from '../frame/paging.ts'
import { attempt, type Problem, problemOf } from '../frame/problem.ts'
import type { DashboardContext, DashboardRouter, ViewPorts } from '../ports.ts'
import { ofProject } from './page-edit.ts'
import { pageFrame, ref } from './page-editor.ts'
import { pagePath } from './page-rows.ts'

const RELEASES = '/projects/:project/pages/:page/releases'

/** What was live at the address of a page, and the way back to it. */
export function releaseViews(router: DashboardRouter, ports: ViewPorts): void {
  const { frame, pages, publishing } = ports
  const { words } = frame
  const isOfProject = ofProject(ports)

  router.get(RELEASES, isOfProject, (ctx) => showReleases(ctx, null))

  router.post('/projects/:project/pages/:page/rollback', isOfProject, async (ctx) => {
    const { caller, form } = ctx.state
    await attempt(
      async () => {
        const { page } = await publishing.rollBack(caller, ref(ctx), () =>
          readRollBack({ release_id: form.get('release') }),
        )
        frame.goTo(ctx, pagePath({ id: page.projectId }, page.id, '/releases'), 'pageRolledBack')
      },
      (error) => showReleases(ctx, problemOf(error, words)),
    )
  })

  async function showReleases(ctx: DashboardContext, problem: Problem | null): Promise<void> {
    const { caller } = ctx.state
    const query = queryOf(ctx)
    const found = await pages.get(caller, ref(ctx))
    const { items, total } = await publishing.history(caller, ref(ctx), sliceOf(query))
    const path = pagePath(found.home.project, found.page.id)
    frame.show(ctx, 'releases', {
      ...pageFrame(found, 'releases', words),
      problem,
      path,
      pager: pagerOf(`${path}/releases`, query, items.length, total),
      releases: items.map((release) => ({
        ...release,
        ref: prefixed('rel', release.id),
        isComparable: release.state === 'live' && putsLive(release),
        isRestorable: !release.isCurrent && release.state === 'live' && putsLive(release),
      })),
    })
  }
}
