import type { LiveFacts, Snapshot } from '../domain/live-page.ts'
import { pathFolder, publicPath } from '../domain/route.ts'

/** The path a snapshot goes live at. */
export function snapshotPath({ page, settings }: Snapshot): string {
  return publicPath(page, settings.siteRoutes)
}

/** Every key that belongs to the page at this path. Rendering writes some or all of them. */
export function pageKeys(path: string): readonly string[] {
  return [`${pathFolder(path)}index.html`]
}

/** What the indexes of a site need to know of the page. */
export function factsOf(snapshot: Snapshot): LiveFacts {
  const { page, fields } = snapshot
  return {
    id: page.id,
    title: page.title,
    slug: page.slug,
    subroute: page.subroute,
    type: page.type,
    path: snapshotPath(snapshot),
    navOrder: fields.navOrder,
    parentPage: fields.parentPage,
    badge: fields.badge,
  }
}
