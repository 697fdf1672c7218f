import type { ProjectId } from '../../domain/ids.ts'
import { localesOf } from '../../domain/locale.ts'
import type { Stamp } from '../../domain/release.ts'
import { docsOrder, docsTrees } from '../../render/docs/docs-nav.ts'
import { FEED_LENGTH } from '../../render/site-files/feeds.ts'
import type { Upload } from '../ledger/upload.ts'
import { currentListings } from '../pipeline/listings.ts'
import { mergeFeed } from '../pipeline/live-page-row.ts'
import { plan } from '../pipeline/plan.ts'
import type { PublishPorts } from '../ports.ts'

/**
 * Renders the indexes from the live rows. Returns them as uploads; none before the first publish.
 *
 * @param writtenBy the publish that the uploads are attributed to.
 * @param listingKeys keys of the listing pages to render; other listing pages are left alone.
 */
export async function rebuildIndexes(
  projectId: ProjectId,
  writtenBy: Stamp,
  listingKeys: ReadonlySet<string>,
  { liveState, renderer }: Pick<PublishPorts, 'liveState' | 'renderer'>,
): Promise<readonly Upload[]> {
  const live = await liveState.site(projectId)
  if (live === null) return []
  const lines = await liveState.indexLines(projectId)
  const locales = localesOf(live.settings)
  const newest = await liveState.feedEntries(projectId, FEED_LENGTH, locales)
  const feed = mergeFeed(newest, new Set(), [], locales)
  const trees = docsTrees(await liveState.facts(projectId, 'docs'), live.settings.docsNav)
  const listings = await currentListings(projectId, live, listingKeys, liveState)
  const artifacts = await renderer.renderSite({
    ...live,
    lines,
    feed,
    trees,
    listings,
    docsOrder: docsOrder(trees),
  })
  return plan(artifacts, [], { keyId: live.site.keyId, stampOf: () => writtenBy }).uploads
}
