import type { Artifact } from '../../domain/artifact.ts'
import type { PageId } from '../../domain/ids.ts'
import { docsOrder, docsTrees } from '../../render/docs/docs-nav.ts'
import { FEED_LENGTH } from '../../render/site-files/feeds.ts'
import type { Renderer } from '../../renderer/renderer.ts'
import type { InProject } from '../ledger/leases.ts'
import type { LiveObject, LivePageRow, LiveSite, LiveState } from '../ledger/live-state.ts'
import { nextSearch, type SearchLedger } from '../search/next-search.ts'
import { nextFeedTimes, siteFeedTimes } from './feed-times.ts'
import { type ListingChange, nextListings } from './listings.ts'
import { mergeFeed, mergeIndexLines } from './live-page-row.ts'
import { mediaArtifacts } from './media-artifacts.ts'
import { type ProjectedSite, revisionOf } from './projected-site.ts'
import { byLanguage } from './surroundings.ts'

export interface IndexPorts {
  readonly searchRows: SearchLedger['searchRows']
  readonly liveState: Pick<
    LiveState,
    | 'facts'
    | 'indexLines'
    | 'feedEntries'
    | 'cards'
    | 'nextSlots'
    | 'objectsAt'
    | 'objectsOfKinds'
    | 'formersAt'
  >
  readonly renderer: Pick<Renderer, 'renderSite'>
  /** True when the times of feeds are stored with the site, as outside of builds. Absent: no. */
  readonly remembersFeeds?: true
}

/** The site's own files after a batch, and the objects they replace. */
export interface NextIndexes {
  readonly artifacts: readonly Artifact[]
  readonly existing: readonly LiveObject[]
  /** Possible objects of an interrupted attempt, without rows. */
  readonly strays: readonly LiveObject[]
  readonly site: LiveSite
  readonly removesSearchIndex: boolean
}

/** Part of a batch that indexes depend on. */
export interface IndexChange extends Omit<ListingChange, 'site' | 'locales' | 'previousLocales'> {
  readonly pages: readonly LivePageRow[]
  readonly removed: readonly PageId[]
}

/**
 * Renders the site's own files as of the next revision.
 *
 * When no page of the batch changed, the files may still depend on changed settings. They are then compared with the
 * objects on the CDN, and nothing is written and the revision is unchanged when they are equal.
 *
 * @param isDeployed whether the files are equal to the existing objects.
 */
export async function nextIndexes(
  place: InProject,
  projected: ProjectedSite,
  change: IndexChange,
  isDeployed: (indexes: NextIndexes) => boolean,
  ports: IndexPorts,
): Promise<NextIndexes> {
  const { previous, next } = projected
  if (previous !== null && change.touched.size === 0) {
    const site = { ...next, revision: previous.revision }
    const indexes = await indexesOf(place, site, projected, change, ports)
    if (isDeployed(indexes))
      return { artifacts: [], existing: [], strays: [], site, removesSearchIndex: false }
  }
  const site = { ...next, revision: revisionOf(previous) + 1 }
  return indexesOf(place, site, projected, change, ports)
}

const NO_PAGES: ReadonlySet<string> = new Set()

async function indexesOf(
  { projectId }: InProject,
  next: LiveSite,
  { trees, previous, surroundings }: ProjectedSite,
  { pages, removed, ...change }: IndexChange,
  { liveState, searchRows, renderer, remembersFeeds }: IndexPorts,
): Promise<NextIndexes> {
  const { touched } = change
  const { settings } = next
  const asOf = revisionOf(previous)
  const locales = settings.locales
  const previousLocales = previous === null ? locales : previous.settings.locales
  const listings = await nextListings(
    { projectId, asOf },
    { ...change, site: next.site, locales, previousLocales },
    liveState,
  )
  const lines = mergeIndexLines(await liveState.indexLines(projectId, asOf), touched, pages)
  const entries = await liveState.feedEntries(projectId, FEED_LENGTH + touched.size, locales)
  const feed = mergeFeed(entries, touched, pages, locales)
  const site =
    remembersFeeds !== true
      ? next
      : {
          ...next,
          feedTimes: nextFeedTimes(
            previous?.feedTimes ?? {},
            {
              ...listings.feedTimes.before,
              ...siteFeedTimes(settings, mergeFeed(entries, NO_PAGES, [], locales)),
            },
            { ...listings.feedTimes.after, ...siteFeedTimes(settings, feed) },
          ),
        }
  const shown = mediaArtifacts(site.media)
  const shownTrees = trees ?? docsTrees(await liveState.facts(projectId, 'docs', asOf), settings)
  const search = await nextSearch(projectId, site.site, removed, { liveState, searchRows })
  return {
    artifacts: [
      ...shown,
      ...(await renderer.renderSite({
        ...site,
        lines,
        feed,
        trees,
        listings,
        docsOrder: docsOrder(shownTrees),
        ...byLanguage(settings, surroundings),
      })),
      ...search.artifacts,
    ],
    existing: [
      ...(await liveState.objectsOfKinds(projectId, trees === null ? ['site'] : ['site', 'nav'])),
      ...(await liveState.objectsAt(
        projectId,
        shown.map(({ key }) => key),
      )),
      ...listings.existing,
      ...search.existing,
    ],
    strays: listings.strays,
    site,
    removesSearchIndex: search.removesIndex,
  }
}
