import { newEntryId, newSiteFeedId } from '../../domain/feed-id.ts'
import type { SiteIdentity } from '../../domain/live-page.ts'
import { putsLive, type Release } from '../../domain/release.ts'

/** How pages of a project are published from here on. */
export type Mode = Pick<SiteIdentity, 'hostingMode' | 'keyId'>

/** What is decided for a release when it is claimed, not when it is accepted. */
export interface CurrentSite extends Mode {
  /** Whether the objects of the project are sealed with a key that was lost. */
  readonly isKeyLost: boolean
  /** The id of its feed; null before its first publish. */
  readonly feedId: string | null
}

/** The release in another mode, or under another key. */
export function inMode(release: Release, { hostingMode, keyId }: Mode): Release {
  const { snapshot } = release
  return { ...release, snapshot: { ...snapshot, site: { ...snapshot.site, hostingMode, keyId } } }
}

/**
 * The release with the mode and key of the site as it is, and with the ids that its page and its site have in feeds from
 * their first publish on.
 *
 * @param pageFeedId the stored id of the page; null for none.
 */
export function onCurrentSite(
  release: Release,
  current: CurrentSite,
  pageFeedId: string | null,
  now: string,
): Release {
  const { snapshot, projectId, pageId } = release
  const { page, site } = snapshot
  const isNewEntry = page.type === 'article' && putsLive(release)
  const feedId = pageFeedId ?? (isNewEntry ? newEntryId(site.origin, projectId, pageId, now) : null)
  const siteFeedId = current.feedId ?? newSiteFeedId(site.origin, projectId, now)
  const published = { ...snapshot, page: { ...page, feedId }, site: { ...site, feedId: siteFeedId } }
  return inMode({ ...release, snapshot: published }, current)
}
