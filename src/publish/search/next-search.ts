import type { Artifact } from '../../domain/artifact.ts'
import type { PageId, ProjectId } from '../../domain/ids.ts'
import type { SiteIdentity } from '../../domain/live-page.ts'
import type { SearchEntry } from '../../domain/search-entry.ts'
import {
  freshShard,
  NO_BASE,
  pagesShard,
  type SearchBase,
  searchManifest,
  shardKey,
} from '../../render/search/search-index.ts'
import type { LiveObject, LiveState } from '../ledger/live-state.ts'
import type { SearchPage, SearchRows, StoredSearchBase } from '../ledger/search-rows.ts'

export interface SearchLedger {
  readonly searchRows: Pick<SearchRows, 'pages' | 'entries' | 'base'>
  readonly liveState: Pick<LiveState, 'objectsOfKinds'>
}

/** How much a visitor loads with each search for what was published since the base was made. */
const MOST_FRESH_BYTES = 48 * 1024
const MOST_FRESH_PAGES = 64
/** The manifest names each of them. */
const MOST_HIDDEN = 64

export const NO_PAGES: StoredSearchBase = { shards: NO_BASE, pages: [] }

/** The search index as a base and the live pages make it. */
export interface SearchFiles {
  /** But for shards of the base that are as they were; none when nothing is to be found. */
  readonly artifacts: readonly Artifact[]
  /** Keys of those shards. */
  readonly unchanged: ReadonlySet<string>
  /** Whether the base still does: all that is fresh is there, and nothing is left of pages that are gone. */
  readonly isComplete: boolean
  /** Whether words of what pages were before stand in the base, found by nobody. */
  readonly hasObsoleteWords: boolean
}

/** @param gone pages that are not to be found from now on, although they are live still. */
export async function searchFiles(
  projectId: ProjectId,
  { shards, pages }: StoredSearchBase,
  gone: ReadonlySet<PageId>,
  ledger: SearchLedger,
): Promise<SearchFiles> {
  const live = (await ledger.searchRows.pages(projectId)).filter(({ pageId }) => !gone.has(pageId))
  if (live.length === 0)
    return { artifacts: [], unchanged: new Set(), isComplete: pages.length === 0, hasObsoleteWords: false }
  const releases = new Map(live.map(({ pageId, releaseId }) => [pageId, releaseId]))
  const inBase = new Map(pages.map(({ pageId, releaseId }) => [pageId, releaseId]))
  const added = live.filter(({ pageId, releaseId }) => inBase.get(pageId) !== releaseId)

  const fresh = await freshEntries(projectId, added, ledger)
  const again = new Set(added.slice(0, fresh.length).map(({ pageId }) => pageId))
  const hidden = pages.flatMap(({ pageId }, number) =>
    again.has(pageId) || !releases.has(pageId) ? [number] : [],
  )
  const shown = await pageShardsWithout(projectId, { shards, pages }, hidden, ledger)
  const last = fresh.length === 0 ? null : freshShard(fresh)
  const base: SearchBase = { ...shards, pages: shown.names }
  const manifest = searchManifest(base, hidden, last && { name: last.name, total: fresh.length })
  const artifacts = [...shown.artifacts, ...(last === null ? [] : [last.artifact]), manifest]
  const made = new Set(artifacts.map(({ key }) => key))
  return {
    artifacts,
    unchanged: new Set([...base.words, ...base.pages].map(shardKey).filter((key) => !made.has(key))),
    isComplete:
      fresh.length === added.length &&
      hidden.length <= MOST_HIDDEN &&
      pages.every(({ pageId }) => releases.has(pageId)),
    hasObsoleteWords: hidden.length > 0,
  }
}

/** What a release leaves of the search index: where pages go, they go from it first. Publishes follow later. */
export async function nextSearch(
  projectId: ProjectId,
  site: SiteIdentity,
  gone: readonly PageId[],
  ledger: SearchLedger,
): Promise<{
  readonly artifacts: readonly Artifact[]
  readonly lying: readonly LiveObject[]
  readonly isGone: boolean
}> {
  const isSealed = site.hostingMode === 'data_mode'
  if (!isSealed && gone.length === 0) return { artifacts: [], lying: [], isGone: false }
  const lying = await ledger.liveState.objectsOfKinds(projectId, ['search'])
  if (isSealed) return { artifacts: [], lying, isGone: true }
  const base = (await ledger.searchRows.base(projectId)) ?? NO_PAGES
  const { artifacts, unchanged: kept } = await searchFiles(projectId, base, new Set(gone), ledger)
  return {
    artifacts,
    lying: lying.filter(({ key }) => !kept.has(key)),
    isGone: artifacts.length === 0,
  }
}

/** As many of the pages as a visitor can be made to load each time. */
async function freshEntries(
  projectId: ProjectId,
  added: readonly SearchPage[],
  ledger: SearchLedger,
): Promise<readonly SearchEntry[]> {
  const entries = await entriesOf(projectId, added.slice(0, MOST_FRESH_PAGES), ledger)
  const fresh: SearchEntry[] = []
  let bytes = 0
  for (const { pageId } of added) {
    const entry = entries.get(pageId)
    if (entry === undefined) return fresh
    bytes += JSON.stringify({ ...entry, words: '', places: '' }).length
    bytes += entry.words.length + 3 * entry.places.length
    if (bytes > MOST_FRESH_BYTES) return fresh
    fresh.push(entry)
  }
  return fresh
}

/** The shards with what is shown of pages, those written anew that showed pages to be hidden. */
async function pageShardsWithout(
  projectId: ProjectId,
  { shards, pages }: StoredSearchBase,
  hidden: readonly number[],
  ledger: SearchLedger,
): Promise<{ readonly names: readonly string[]; readonly artifacts: readonly Artifact[] }> {
  const names = [...shards.pages]
  const artifacts: Artifact[] = []
  const gone = new Set(hidden)
  const touched = new Set(hidden.map((number) => Math.floor(number / shards.pagesAShard)))
  for (const index of touched) {
    const start = index * shards.pagesAShard
    const within = pages.slice(start, start + shards.pagesAShard)
    const left = within.filter((_, place) => !gone.has(start + place))
    const entries = await entriesOf(projectId, left, ledger)
    const file = pagesShard(
      within.map(({ pageId }, place) => (gone.has(start + place) ? null : (entries.get(pageId) ?? null))),
    )
    names[index] = file.name
    artifacts.push(file.artifact)
  }
  return { names, artifacts }
}

async function entriesOf(
  projectId: ProjectId,
  pages: readonly SearchPage[],
  ledger: SearchLedger,
): Promise<ReadonlyMap<PageId, SearchEntry>> {
  const ids = pages.map(({ pageId }) => pageId)
  const kept = ids.length === 0 ? [] : await ledger.searchRows.entries(projectId, ids)
  return new Map(kept.map(({ pageId, entry }) => [pageId, entry]))
}
