import { folderEntryId } from '../domain/feed-id.ts'
import { publicPath } from '../domain/route.ts'
import { resolvedFields } from '../page-text/derive.ts'
import type { Site, SitePage } from './site.ts'

/**
 * The id that an article of a folder has in feeds while its file states none. Null for pages of other types, which are in
 * no feed.
 */
export function unstatedFeedGuid(
  page: SitePage,
  { origin, settings }: Pick<Site, 'origin' | 'settings'>,
): string | null {
  if (page.type !== 'article') return null
  const { publishDate } = resolvedFields({ ...page, firstPublishedAt: null })
  return folderEntryId(origin, publishDate, publicPath(page, settings.siteRoutes ?? {}))
}
