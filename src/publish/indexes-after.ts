import type { Artifact } from '../domain/artifact.ts'
import type { PageId } from '../domain/ids.ts'
import { FEED_LENGTH } from '../render/outputs/feeds.ts'
import type { Renderer } from '../renderer/renderer.ts'
import { feedAfter, linesAfter } from './going-live.ts'
import type { GoneLive, InProject, Ledger, LiveObject, LiveSite } from './ledger.ts'
import { type ListingChange, listingsAfter } from './listings.ts'
import { type SearchLedger, searchAfter } from './search-after.ts'
import type { SiteAfter } from './site-after.ts'

export interface IndexPorts {
  readonly ledger: SearchLedger &
    Pick<Ledger, 'indexLines' | 'feedEntries' | 'liveCards' | 'slotsGiven' | 'objectsAt'>
  readonly renderer: Pick<Renderer, 'renderSite'>
}

/** The site's own files once the batch is live, and those that lie there now. */
export interface Indexes {
  readonly artifacts: readonly Artifact[]
  readonly lying: readonly LiveObject[]
  /** What may lie there and nobody knows. */
  readonly strays: readonly LiveObject[]
  readonly site: LiveSite | null
  readonly searchGone: boolean
}

/** Where a batch changes nothing. */
export const NO_INDEXES: Indexes = { artifacts: [], lying: [], strays: [], site: null, searchGone: false }

/** @param gone pages that are taken down. */
export async function indexesAfter(
  { projectId }: InProject,
  { before, indexed, trees }: SiteAfter,
  change: Omit<ListingChange, 'site'>,
  pages: readonly GoneLive[],
  gone: readonly PageId[],
  { ledger, renderer }: IndexPorts,
): Promise<Indexes> {
  const { touched } = change
  const live: LiveSite = { ...indexed, revision: (before?.revision ?? 0) + 1 }
  const listings = await listingsAfter({ projectId }, { ...change, site: indexed.site }, ledger)
  const lines = linesAfter(await ledger.indexLines(projectId), touched, pages)
  const entries = await ledger.feedEntries(projectId, FEED_LENGTH + touched.size)
  const feed = feedAfter(entries, touched, pages)
  const search = await searchAfter(projectId, live.site, gone, ledger)
  return {
    artifacts: [
      ...(await renderer.renderSite({ ...live, lines, feed, trees, listings })),
      ...search.artifacts,
    ],
    lying: [
      ...(await ledger.objectsOfKind(projectId, 'site')),
      ...(trees === null ? [] : await ledger.objectsOfKind(projectId, 'nav')),
      ...listings.lying,
      ...search.lying,
    ],
    strays: listings.strays,
    site: live,
    searchGone: search.isGone,
  }
}
