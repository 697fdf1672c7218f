import type { ProjectId } from '../../domain/ids.ts'
import type { Stamp } from '../../domain/release.ts'
import { docsOrder, docsTrees } from '../../render/docs/docs-nav.ts'
import { FEED_LENGTH } from '../../render/site-files/feeds.ts'
import type { Upload } from '../ledger/upload.ts'
import { currentListings } from '../pipeline/listings.ts'
import { mergeFeed } from '../pipeline/live-page-row.ts'
import { plan } from '../pipeline/plan.ts'
import { nextRedirects, UNCHANGED_SITE } from '../pipeline/site-redirects.ts'
import { byLanguage, NO_OVERLAY, readSurroundings } from '../pipeline/surroundings.ts'
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
  { liveState, redirectRows, renderer }: Pick<PublishPorts, 'liveState' | 'redirectRows' | 'renderer'>,
): Promise<readonly Upload[]> {
  const live = await liveState.site(projectId)
  if (live === null) return []
  const lines = await liveState.indexLines(projectId)
  const locales = live.settings.locales
  const newest = await liveState.feedEntries(projectId, FEED_LENGTH, locales)
  const feed = mergeFeed(newest, new Set(), [], locales)
  const trees = docsTrees(await liveState.facts(projectId, 'docs'), live.settings)
  const listings = await currentListings(projectId, live, listingKeys, liveState)
  const surroundings = await readSurroundings(
    { projectId },
    live.site,
    [live.settings],
    NO_OVERLAY,
    liveState,
  )
  const artifacts = await renderer.renderSite({
    ...live,
    lines,
    feed,
    trees,
    listings,
    docsOrder: docsOrder(trees),
    ...byLanguage(live.settings, surroundings),
  })
  const context = { keyId: live.site.keyId, stampOf: () => writtenBy }
  const { uploads } = plan(artifacts, [], context)
  const changed = { ...UNCHANGED_SITE, uploads }
  const redirects = await nextRedirects(projectId, live.site, changed, { liveState, redirectRows })
  return [...uploads, ...plan(redirects.artifacts, [], context).uploads]
}
