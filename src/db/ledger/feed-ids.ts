import type { Knex } from 'knex'
import { putsLive, type Release } from '../../domain/release.ts'
import type { KnownFeedIds } from './read-claim-rows.ts'

/** Stores new ids of claimed releases, inside the transaction of the claim. */
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
