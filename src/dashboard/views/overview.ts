import { ANY_PAGE } from '../../db/repositories/pages.ts'
import type { Caller } from '../../domain/caller.ts'
import { prefixed } from '../../domain/ids.ts'
import type { PageSummary } from '../../domain/page.ts'
import { siteOrigin } from '../../domain/project.ts'
import { differenceOf } from '../../services/pages/pages.ts'
import { may } from '../frame/frame.ts'
import type { DashboardRouter, ViewPorts } from '../ports.ts'
import { pagePath } from './page-rows.ts'
import { projectFrame, projectPath } from './project-frame.ts'
import { projectRef } from './projects.ts'

/** Live pages that are compared with their stored texts: as many as take a few milliseconds. */
const COMPARED_PAGES = 100
/** Number of shown changed pages, and of shown releases. */
const SHOWN = 8

/** Live pages, changes since, and the last releases. */
export function overviewView(router: DashboardRouter, ports: ViewPorts): void {
  const { frame, projects, pages, publishing, usage, addresses, pushes, pushConflicts, members } = ports
  const { words } = frame

  router.get('/projects/:project', async (ctx) => {
    const { caller } = ctx.state
    const ref = projectRef(ctx)
    const found = await projects.get(caller, ref)
    const [stats, stale, releases, stored, push] = await Promise.all([
      pages.stats(caller, ref),
      stalePages(caller, ref),
      publishing.recent(caller, ref, SHOWN),
      usage.ofCaller(caller),
      lastPush(caller, ref),
    ])
    const { project, domainProof, settings } = found
    const { allowed, used } = stored
    const site = `${siteOrigin(project, addresses)}/`
    frame.show(ctx, 'overview', {
      title: project.name,
      ...projectFrame(project, 'overview', words),
      actions: [
        { href: site, name: words.overview.visit, isPrimary: false },
        ...(may(ctx.state.standing ?? null, 'write')
          ? [{ href: projectPath(project, '/pages/new'), name: words.overview.newPage, isPrimary: true }]
          : []),
      ],
      path: projectPath(project),
      project: {
        ref: prefixed('proj', project.id),
        status: project.status,
        mode: project.hosting.mode,
        domain: project.hosting.customDomain,
        domainStatus: domainProof?.status ?? null,
        theme: settings.settings.theme,
      },
      site,
      stats,
      stale,
      releases: releases.map((release) => ({
        ...release,
        href: pagePath(project, release.pageId, '/releases'),
      })),
      push,
      storage: (['draft_bytes', 'release_bytes', 'media_bytes'] as const).map((name) => ({
        name: words.usage.names[name],
        used: words.bytes(used[name]),
        allowed: Number.isFinite(allowed[name]) ? words.bytes(allowed[name]) : null,
      })),
    })
  })

  /** The newest push of any folder, and the conflicts of the last ones. Null if there is none. */
  async function lastPush(caller: Caller, ref: string) {
    const { items } = await pushes.list(caller, ref, null, { limit: 1, offset: 0 })
    const [push] = items
    if (push === undefined) return null
    const [people, conflicts] = await Promise.all([
      members.list(caller, ref),
      pushConflicts.count(caller, ref),
    ])
    const person = people.find(({ userId }) => userId === push.userId)
    return { ...push, conflicts, who: person?.email ?? words.review.formerMember }
  }

  async function stalePages(caller: Caller, ref: string) {
    const filter = { ...ANY_PAGE, status: 'published' as const }
    const paging = { sort: 'updated_at', order: 'desc', limit: COMPARED_PAGES, offset: 0 } as const
    const list = await pages.list(caller, ref, filter, paging)
    const differing = list.items.flatMap((page: PageSummary) => {
      const { stale } = differenceOf(page, list.differences)
      return stale.length === 0
        ? []
        : [{ title: page.title, href: pagePath(list.home.project, page.id), reasons: stale }]
    })
    return {
      shown: differing.slice(0, SHOWN),
      total: differing.length,
      checked: list.items.length,
      isAll: list.total <= COMPARED_PAGES,
    }
  }
}
