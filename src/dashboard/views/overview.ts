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
/** Of those that differ, and of releases. */
const SHOWN = 8

/** Live pages, changes since, and the last releases. */
export function overviewView(router: DashboardRouter, ports: ViewPorts): void {
  const { frame, projects, pages, publishing, usage, addresses } = ports
  const { words } = frame

  router.get('/projects/:project', async (ctx) => {
    const { caller } = ctx.state
    const ref = projectRef(ctx)
    const found = await projects.get(caller, ref)
    const [stats, stale, releases, stored] = await Promise.all([
      pages.stats(caller, ref),
      stalePages(caller, ref),
      publishing.recent(caller, ref, SHOWN),
      usage.ofCaller(caller),
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
      storage: (['draft_bytes', 'release_bytes', 'media_bytes'] as const).map((name) => ({
        name: words.usage.names[name],
        used: words.bytes(used[name]),
        allowed: Number.isFinite(allowed[name]) ? words.bytes(allowed[name]) : null,
      })),
    })
  })

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
