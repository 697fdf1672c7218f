import type { Artifact } from '../../domain/artifact.ts'
import type { PageId } from '../../domain/ids.ts'
import { FEED_LENGTH } from '../../render/site-files/feeds.ts'
import type { Renderer } from '../../renderer/renderer.ts'
import type { InProject } from '../ledger/leases.ts'
import type { LiveObject, LivePageRow, LiveSite, LiveState } from '../ledger/live-state.ts'
import { type SearchLedger, searchAfter } from '../search/next-search.ts'
import { type ListingChange, listingsAfter } from './listings.ts'
import { feedAfter, mergeIndexLines } from './live-page-row.ts'
import { revisionOf, type SiteAfter } from './projected-site.ts'

export interface IndexPorts {
  readonly searchRows: SearchLedger['searchRows']
  readonly liveState: Pick<
    LiveState,
    'indexLines' | 'feedEntries' | 'cards' | 'nextSlots' | 'objectsAt' | 'objectsOfKinds'
  >
  readonly renderer: Pick<Renderer, 'renderSite'>
}

/** The site's own files once the batch is live, and those that lie there now. */
export interface Indexes {
  readonly artifacts: readonly Artifact[]
  readonly lying: readonly LiveObject[]
  /** What may lie there and nobody knows. */
  readonly strays: readonly LiveObject[]
  readonly site: LiveSite
  readonly searchGone: boolean
}

/** Pages that a batch puts live or takes down, as the indexes tell of them. */
export interface IndexChange extends Omit<ListingChange, 'site'> {
  readonly pages: readonly LivePageRow[]
  readonly gone: readonly PageId[]
}

/**
 * Where every page came out as it lies there, the site's own files may still not: they say of settings what no
 * page does. They are a revision of their own then, and else left alone.
 *
 * @param lies whether they are what lies there.
 */
export async function indexesAfter(
  place: InProject,
  after: SiteAfter,
  change: IndexChange,
  lies: (indexes: Indexes) => boolean,
  ports: IndexPorts,
): Promise<Indexes> {
  const { before, indexed } = after
  const next = { ...indexed, revision: revisionOf(before) + 1 }
  if (before !== null && change.touched.size === 0) {
    const site = { ...indexed, revision: before.revision }
    const same = await indexesOf(place, site, after, change, ports)
    if (lies(same)) return { artifacts: [], lying: [], strays: [], site, searchGone: false }
  }
  return indexesOf(place, next, after, change, ports)
}

async function indexesOf(
  { projectId }: InProject,
  live: LiveSite,
  { trees, before }: SiteAfter,
  { pages, gone, ...change }: IndexChange,
  { liveState, searchRows, renderer }: IndexPorts,
): Promise<Indexes> {
  const { touched } = change
  const asOf = revisionOf(before)
  const listings = await listingsAfter({ projectId, asOf }, { ...change, site: live.site }, liveState)
  const lines = mergeIndexLines(await liveState.indexLines(projectId, asOf), touched, pages)
  const entries = await liveState.feedEntries(projectId, FEED_LENGTH + touched.size)
  const feed = feedAfter(entries, touched, pages)
  const search = await searchAfter(projectId, live.site, gone, { liveState, searchRows })
  return {
    artifacts: [
      ...(await renderer.renderSite({ ...live, lines, feed, trees, listings })),
      ...search.artifacts,
    ],
    lying: [
      ...(await liveState.objectsOfKinds(projectId, trees === null ? ['site'] : ['site', 'nav'])),
      ...listings.lying,
      ...search.lying,
    ],
    strays: listings.strays,
    site: live,
    searchGone: search.isGone,
  }
}
