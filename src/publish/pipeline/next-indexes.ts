import type { Artifact } from '../../domain/artifact.ts'
import type { PageId } from '../../domain/ids.ts'
import { FEED_LENGTH } from '../../render/site-files/feeds.ts'
import type { Renderer } from '../../renderer/renderer.ts'
import type { InProject } from '../ledger/leases.ts'
import type { LiveObject, LivePageRow, LiveSite, LiveState } from '../ledger/live-state.ts'
import { nextSearch, type SearchLedger } from '../search/next-search.ts'
import { type ListingChange, nextListings } from './listings.ts'
import { mergeFeed, mergeIndexLines } from './live-page-row.ts'
import { type ProjectedSite, revisionOf } from './projected-site.ts'

export interface IndexPorts {
  readonly searchRows: SearchLedger['searchRows']
  readonly liveState: Pick<
    LiveState,
    'indexLines' | 'feedEntries' | 'cards' | 'nextSlots' | 'objectsAt' | 'objectsOfKinds'
  >
  readonly renderer: Pick<Renderer, 'renderSite'>
}

/** The site's own files once the batch is live, and those that lie there now. */
export interface NextIndexes {
  readonly artifacts: readonly Artifact[]
  readonly existing: readonly LiveObject[]
  /** What may lie there and nobody knows. */
  readonly strays: readonly LiveObject[]
  readonly site: LiveSite
  readonly removesSearchIndex: boolean
}

/** Pages that a batch puts live or takes down, as the indexes tell of them. */
export interface IndexChange extends Omit<ListingChange, 'site'> {
  readonly pages: readonly LivePageRow[]
  readonly removed: readonly PageId[]
}

/**
 * Where every page came out as it lies there, the site's own files may still not: they say of settings what no
 * page does. They are a revision of their own then, and else left alone.
 *
 * @param lies whether they are what lies there.
 */
export async function nextIndexes(
  place: InProject,
  after: ProjectedSite,
  change: IndexChange,
  lies: (indexes: NextIndexes) => boolean,
  ports: IndexPorts,
): Promise<NextIndexes> {
  const { previous: before, next: indexed } = after
  const next = { ...indexed, revision: revisionOf(before) + 1 }
  if (before !== null && change.touched.size === 0) {
    const site = { ...indexed, revision: before.revision }
    const same = await indexesOf(place, site, after, change, ports)
    if (lies(same)) return { artifacts: [], existing: [], strays: [], site, removesSearchIndex: false }
  }
  return indexesOf(place, next, after, change, ports)
}

async function indexesOf(
  { projectId }: InProject,
  live: LiveSite,
  { trees, previous: before }: ProjectedSite,
  { pages, removed: gone, ...change }: IndexChange,
  { liveState, searchRows, renderer }: IndexPorts,
): Promise<NextIndexes> {
  const { touched } = change
  const asOf = revisionOf(before)
  const listings = await nextListings({ projectId, asOf }, { ...change, site: live.site }, liveState)
  const lines = mergeIndexLines(await liveState.indexLines(projectId, asOf), touched, pages)
  const entries = await liveState.feedEntries(projectId, FEED_LENGTH + touched.size)
  const feed = mergeFeed(entries, touched, pages)
  const search = await nextSearch(projectId, live.site, gone, { liveState, searchRows })
  return {
    artifacts: [
      ...(await renderer.renderSite({ ...live, lines, feed, trees, listings })),
      ...search.artifacts,
    ],
    existing: [
      ...(await liveState.objectsOfKinds(projectId, trees === null ? ['site'] : ['site', 'nav'])),
      ...listings.existing,
      ...search.lying,
    ],
    strays: listings.strays,
    site: live,
    removesSearchIndex: search.isGone,
  }
}
