import type { ProjectId } from '../../domain/ids.ts'
import type { Stamp } from '../../domain/release.ts'
import { docsTrees } from '../../render/docs/docs-nav.ts'
import { FEED_LENGTH } from '../../render/site-files/feeds.ts'
import type { Upload } from '../ledger.ts'
import { listingsNow } from '../pipeline/listings.ts'
import { plan } from '../pipeline/plan.ts'
import type { PublishPorts } from '../ports.ts'

/**
 * The indexes as the live rows say they are, to be uploaded; none before the first publish.
 *
 * @param writtenBy what they are noted with.
 * @param listingKeys the pages of listings that are among them; the others are as they are.
 */
export async function indexesAnew(
  projectId: ProjectId,
  writtenBy: Stamp,
  listingKeys: ReadonlySet<string>,
  { ledger, renderer }: Pick<PublishPorts, 'ledger' | 'renderer'>,
): Promise<readonly Upload[]> {
  const live = await ledger.liveSite(projectId)
  if (live === null) return []
  const lines = await ledger.indexLines(projectId)
  const feed = (await ledger.feedEntries(projectId, FEED_LENGTH)).map(({ entry }) => entry)
  const trees = docsTrees(await ledger.liveFacts(projectId, 'docs'), live.settings.docsNav)
  const listings = await listingsNow(projectId, live.site, listingKeys, ledger)
  const artifacts = await renderer.renderSite({ ...live, lines, feed, trees, listings })
  return plan(artifacts, [], { keyId: live.site.keyId, stampOf: () => writtenBy }).uploads
}
