import { type PageId, prefixed } from '../../domain/ids.ts'
import type { PageSummary } from '../../domain/page.ts'
import type { Project } from '../../domain/project.ts'
import { publicUrlPath } from '../../domain/route.ts'
import { differenceOf, type PageList } from '../../services/pages/pages.ts'
import { projectPath } from './project-frame.ts'

/** The path of a page's view. */
export function pagePath(project: Pick<Project, 'id'>, id: PageId, rest = ''): string {
  return projectPath(project, `/pages/${prefixed('page', id)}${rest}`)
}

/** A page as the list shows it. */
export function pageRow(page: PageSummary, { home, differences, schedules }: PageList<PageSummary>) {
  return {
    ref: prefixed('page', page.id),
    href: pagePath(home.project, page.id),
    title: page.title,
    path: publicUrlPath(page, home.siteRoutes),
    type: page.type,
    status: page.status,
    stale: differenceOf(page, differences).stale,
    scheduledAt: schedules.get(page.id) ?? null,
    updatedAt: page.updatedAt,
  }
}
