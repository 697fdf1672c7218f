import type { Knex } from 'knex'
import { newEntryId, newSiteFeedId } from '../../domain/feed-id.ts'
import type { PageId, ProjectId } from '../../domain/ids.ts'
import { putsLive, type Release } from '../../domain/release.ts'

/** The ids in feeds of a site and of pages, null for those that have none yet. */
export interface KnownFeedIds {
  readonly site: string | null
  readonly pages: ReadonlyMap<PageId, string | null>
}

/** The stored id of the feed of a project; null before its first publish. */
export async function siteFeedId(db: Knex, projectId: ProjectId): Promise<string | null> {
  const row = await db('projects').where({ id: projectId }).first<{ feed_id: string | null }>('feed_id')
  return row.feed_id
}

/** The release with the ids that its page and its site have in feeds from their first publish on. */
export function withFeedIds(release: Release, known: KnownFeedIds, now: string): Release {
  const { snapshot, projectId, pageId } = release
  const { page, site } = snapshot
  const feedId =
    known.pages.get(pageId) ??
    (page.type === 'article' && putsLive(release) ? newEntryId(site.origin, projectId, pageId, now) : null)
  const siteId = known.site ?? newSiteFeedId(site.origin, projectId, now)
  return {
    ...release,
    snapshot: { ...snapshot, page: { ...page, feedId }, site: { ...site, feedId: siteId } },
  }
}

/** Stores the ids of claimed releases that are new, inside the transaction of the claim. */
export async function storeFeedIds(
  trx: Knex,
  claimed: readonly Release[],
  known: KnownFeedIds,
): Promise<void> {
  const publishes = claimed.filter(putsLive)
  const [first] = publishes
  if (first !== undefined && known.site === null)
    await trx('projects').where({ id: first.projectId }).update({ feed_id: first.snapshot.site.feedId })
  for (const { pageId, snapshot } of publishes) {
    const { feedId } = snapshot.page
    if (feedId !== null && known.pages.get(pageId) == null)
      await trx('pages').where({ id: pageId }).update({ feed_id: feedId })
  }
}
