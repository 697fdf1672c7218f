import { type LiveFacts, type Snapshot, snapshotPath } from '../../domain/live-page.ts'
import { notFoundKey } from '../../domain/not-found-page.ts'
import { isSamePath, MAX_REDIRECT_PATHS, NO_PATHS, readRedirectPath } from '../../domain/redirect-path.ts'
import { pathFolder } from '../../domain/route.ts'
import { navScope, translatedOf } from '../../domain/version.ts'

/**
 * The keys a snapshot needs to go live, each as a list of possible names, best first. The page's own file comes first.
 * In Data Mode it is named by the slug, and by subroute and slug when another page has that name.
 */
export function pageKeys(snapshot: Snapshot): readonly (readonly string[])[] {
  const { subroute, slug } = snapshot.page
  if (snapshot.site.hostingMode === 'data_mode')
    return [[`${slug}.json`, `${subroute === '' ? '_' : subroute}/${slug}.json`]]
  const path = snapshotPath(snapshot)
  const names = ['index.html', 'index.md', ...(snapshot.page.type === 'item' ? ['_item.json'] : [])]
  const own = names.map((name) => [`${pathFolder(path)}${name}`])
  const notFound = notFoundKey(path, snapshot.settings)
  return notFound === null ? own : [...own, [notFound]]
}

/** Valid redirect paths named by the author. Empty in Data Mode, because readers resolve paths themselves. */
export function redirectPaths(snapshot: Snapshot): readonly string[] {
  const { site, fields } = snapshot
  const written = fields.redirectFrom.slice(0, MAX_REDIRECT_PATHS)
  if (site.hostingMode === 'data_mode' || written.length === 0) return NO_PATHS
  const own = snapshotPath(snapshot)
  const paths = written.flatMap((path) => readRedirectPath(path) ?? [])
  return [...new Set(paths)].filter((path) => !isSamePath(path, own))
}

/** Facts of a page for indexes. */
export function factsOf(snapshot: Snapshot): LiveFacts {
  const { page, fields, settings } = snapshot
  const path = snapshotPath(snapshot)
  const translated = translatedOf({ path, fields, settings })
  const scope = page.type === 'docs' ? navScope(page.subroute, settings) : null
  return {
    id: page.id,
    title: page.title,
    slug: page.slug,
    subroute: page.subroute,
    type: page.type,
    path,
    navOrder: fields.navOrder,
    parentPage: fields.parentPage,
    badge: fields.badge,
    ...(translated !== null && { translated }),
    ...(scope !== null && { navScope: scope }),
    ...(fields.changelog && { entry: fields.changelog }),
  }
}
