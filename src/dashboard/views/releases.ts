import { prefixed } from '../../domain/ids.ts'
import { putsLive } from '../../domain/release.ts'
import { queryOf } from '../../http/api.ts'
import { readUpdatePage } from '../../http/bodies/page-schemas.ts'
import { readRollBack } from '../../http/bodies/publish-schemas.ts'
import { pagerOf, sliceOf } from '../frame/paging.ts'
import { attempt, type Problem, problemOf } from '../frame/problem.ts'
import type { DashboardContext, DashboardRouter, ViewPorts } from '../ports.ts'
import { ofProject } from './page-edit.ts'
import { pageFrame, ref } from './page-editor.ts'
import { pageControls, pageUpdate } from './page-form.ts'
import { pagePath } from './page-rows.ts'

/** Fields of where a page is, which the text of an earlier release does not change. */
const ADDRESS: readonly string[] = ['slug', 'subroute', 'redirect_from', 'parent_page', 'nav_order']

const RELEASES = '/projects/:project/pages/:page/releases'

/** The releases of a page, and rollbacks to them. */
export function releaseViews(router: DashboardRouter, ports: ViewPorts): void {
  const { frame, members, pages, publishing, themes } = ports
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

  // The text of a release becomes the draft. The address stays, and so does what is live.
  router.post('/projects/:project/pages/:page/take-text', isOfProject, async (ctx) => {
    const { caller, form } = ctx.state
    await attempt(
      async () => {
        const released = await publishing.released(caller, ref(ctx), form.get('release'), ['write'])
        const before = pageControls(released, words)
        const current = await pages.get(caller, ref(ctx))
        const { page } = await pages.update(caller, ref(ctx), ['write'], (page, shown, home) => {
          const now = pageControls({ ...current, page, fields: shown.now }, words)
          const taken = before.filter(
            ({ name, value }) =>
              !ADDRESS.includes(name) && now.some((one) => one.name === name && one.value !== value),
          )
          return readUpdatePage(pageUpdate(taken, page), page, shown, themes, home.project.hosting.slugs)
        })
        frame.goTo(ctx, pagePath({ id: page.projectId }, page.id), 'textTaken')
      },
      (error) => showReleases(ctx, problemOf(error, words)),
    )
  })

  async function showReleases(ctx: DashboardContext, problem: Problem | null): Promise<void> {
    const { caller } = ctx.state
    const query = queryOf(ctx)
    const found = await pages.get(caller, ref(ctx))
    const [{ items, total }, people] = await Promise.all([
      publishing.history(caller, ref(ctx), sliceOf(query)),
      members.list(caller, prefixed('proj', found.home.project.id)),
    ])
    const emails = new Map(people.map(({ userId, email }) => [userId, email]))
    const path = pagePath(found.home.project, found.page.id)
    frame.show(ctx, 'releases', {
      ...pageFrame(found, 'releases', words),
      problem,
      path,
      pager: pagerOf(`${path}/releases`, query, items.length, total),
      releases: items.map((release) => ({
        ...release,
        ref: prefixed('rel', release.id),
        who: emails.get(release.actor?.userId ?? null) ?? null,
        via: release.actor === null ? null : words.audit.via[release.actor.via.kind],
        isComparable: release.state === 'live' && putsLive(release),
        isRestorable: !release.isCurrent && release.state === 'live' && putsLive(release),
      })),
    })
  }
}
