import type { ProjectId } from '../../domain/ids.ts'
import type { Stamp } from '../../domain/release.ts'
import { docsTrees } from '../../render/docs/docs-nav.ts'
import { FEED_LENGTH } from '../../render/site-files/feeds.ts'
import type { Upload } from '../ledger/upload.ts'
import { currentListings } from '../pipeline/listings.ts'
import { plan } from '../pipeline/plan.ts'
import type { PublishPorts } from '../ports.ts'

/**
 * The indexes as the live rows say they are, to be uploaded; none before the first publish.
 *
 * @param writtenBy what they are noted with.
 * @param listingKeys the pages of listings that are among them; the others are as they are.
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
  const feed = (await liveState.feedEntries(projectId, FEED_LENGTH)).map(({ entry }) => entry)
  const trees = docsTrees(await liveState.facts(projectId, 'docs'), live.settings.docsNav)
  const listings = await currentListings(projectId, live.site, listingKeys, liveState)
  const artifacts = await renderer.renderSite({ ...live, lines, feed, trees, listings })
  return plan(artifacts, [], { keyId: live.site.keyId, stampOf: () => writtenBy }).uploads
}
