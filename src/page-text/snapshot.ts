import type { SiteIdentity, Snapshot } from '../domain/live-page.ts'
import type { MediaSource } from '../domain/media.ts'
import type { Page } from '../domain/page.ts'
import type { Settings } from '../domain/settings.ts'
import { withSiteAuthor } from '../domain/site-author.ts'
import { resolvedFields } from './derive.ts'

/**
 * The frozen copy of a page and its site that a release publishes.
 *
 * @param page with the values of variables.
 */
export function snapshotOf(
  page: Page,
  settings: Settings,
  site: SiteIdentity,
  media?: MediaSource,
  includes?: Snapshot['includes'],
): Snapshot {
  const own = resolvedFields(page)
  const named = withSiteAuthor(own, settings.data)
  const isSealed = site.hostingMode === 'data_mode'
  // A sealed page seals only the files that the page itself names, so the avatar from the site's data is left out.
  const fields =
    isSealed && named.author !== null
      ? { ...named, author: { ...named.author, avatar: own.author?.avatar ?? null } }
      : named
  return {
    page,
    fields,
    settings,
    site,
    ...(media !== undefined && { media }),
    ...(includes !== undefined && { includes }),
  }
}
