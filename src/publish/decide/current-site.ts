import { newEntryId, newSiteFeedId } from '../../domain/feed-id.ts'
import type { SiteIdentity } from '../../domain/live-page.ts'
import { putsLive, type Release } from '../../domain/release.ts'

/** Mode and key of a project from here on. */
export type Mode = Pick<SiteIdentity, 'hostingMode' | 'keyId'>

/** State of a site at the claim of a release. */
export interface CurrentSite extends Mode {
  /** True when the objects of the project are sealed with a lost key. */
  readonly isKeyLost: boolean
  /** Id of its feed; null before the first publish. */
  readonly feedId: string | null
}

/** The release in another mode, or under another key. */
export function inMode(release: Release, { hostingMode, keyId }: Mode): Release {
  const { snapshot } = release
  return { ...release, snapshot: { ...snapshot, site: { ...snapshot.site, hostingMode, keyId } } }
}

/**
 * The release with the current mode and key of the site, and with the ids of its page and site in feeds.
 *
 * @param pageFeedId stored id of the page; null for none.
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
