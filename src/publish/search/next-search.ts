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
import { withUnknownBytes } from '../pipeline/plan.ts'

export interface SearchLedger {
  readonly searchRows: Pick<SearchRows, 'pages' | 'entries' | 'base'>
  readonly liveState: Pick<LiveState, 'objectsOfKinds'>
}

/** Limits of the fresh shard, which every search loads: entries published since the base was built. */
const MAX_FRESH_BYTES = 48 * 1024
const MAX_FRESH_PAGES = 64
/** Limit of hidden pages, because the manifest lists each of them. */
const MAX_HIDDEN = 64

export const EMPTY_BASE: StoredSearchBase = { shards: NO_BASE, pages: [] }

/** The files of the search index for a base and the live pages. */
export interface SearchFiles {
  /** Files to write, without unchanged shards of the base. Empty when search finds no page. */
  readonly artifacts: readonly Artifact[]
  /** Keys of the unchanged shards. */
  readonly unchanged: ReadonlySet<string>
  /** True when the index finds exactly the live pages; otherwise a new base is needed. */
  readonly isComplete: boolean
  /** True when the base holds obsolete words of previous versions of pages. */
  readonly hasObsoleteWords: boolean
}

/** @param removed live pages to be hidden from search. */
export async function searchFiles(
  projectId: ProjectId,
  { shards, pages }: StoredSearchBase,
  removed: ReadonlySet<PageId>,
  ledger: SearchLedger,
): Promise<SearchFiles> {
  const live = (await ledger.searchRows.pages(projectId)).filter(({ pageId }) => !removed.has(pageId))
  if (live.length === 0)
    return { artifacts: [], unchanged: new Set(), isComplete: pages.length === 0, hasObsoleteWords: false }
  const releases = new Map(live.map(({ pageId, releaseId }) => [pageId, releaseId]))
  const inBase = new Map(pages.map(({ pageId, releaseId }) => [pageId, releaseId]))
  const added = live.filter(({ pageId, releaseId }) => inBase.get(pageId) !== releaseId)

  const fresh = await freshEntries(projectId, added, ledger)
  const replaced = new Set(added.slice(0, fresh.length).map(({ pageId }) => pageId))
  const hidden = pages.flatMap(({ pageId }, number) =>
    replaced.has(pageId) || !releases.has(pageId) ? [number] : [],
  )
  const pageShards = await pageShardsWithout(projectId, { shards, pages }, hidden, ledger)
  const freshFile = fresh.length === 0 ? null : freshShard(fresh)
  const base: SearchBase = { ...shards, pages: pageShards.names }
  const manifest = searchManifest(base, hidden, freshFile && { name: freshFile.name, total: fresh.length })
  const artifacts = [...pageShards.artifacts, ...(freshFile === null ? [] : [freshFile.artifact]), manifest]
  const written = new Set(artifacts.map(({ key }) => key))
  return {
    artifacts,
    unchanged: new Set([...base.words, ...base.pages].map(shardKey).filter((key) => !written.has(key))),
    isComplete:
      fresh.length === added.length &&
      hidden.length <= MAX_HIDDEN &&
      pages.every(({ pageId }) => releases.has(pageId)),
    hasObsoleteWords: hidden.length > 0,
  }
}

/** The search index after a release. Removed pages leave it at once; a job adds published pages later. */
export async function nextSearch(
  projectId: ProjectId,
  site: SiteIdentity,
  removed: readonly PageId[],
  ledger: SearchLedger,
): Promise<{
  readonly artifacts: readonly Artifact[]
  readonly existing: readonly LiveObject[]
  readonly removesIndex: boolean
}> {
  const isSealed = site.hostingMode === 'data_mode'
  if (!isSealed && removed.length === 0) return { artifacts: [], existing: [], removesIndex: false }
  const existing = await ledger.liveState.objectsOfKinds(projectId, ['search'])
  if (isSealed) return { artifacts: [], existing, removesIndex: true }
  const base = await ledger.searchRows.base(projectId)
  const { artifacts, unchanged } = await searchFiles(projectId, base ?? EMPTY_BASE, new Set(removed), ledger)
  const replaced = existing.filter(({ key }) => !unchanged.has(key))
  return {
    artifacts,
    existing: base === null ? replaced.map(withUnknownBytes) : replaced,
    removesIndex: artifacts.length === 0,
  }
}

/** Entries for the fresh shard, up to its limits. */
async function freshEntries(
  projectId: ProjectId,
  added: readonly SearchPage[],
  ledger: SearchLedger,
): Promise<readonly SearchEntry[]> {
  const entries = await entriesOf(projectId, added.slice(0, MAX_FRESH_PAGES), ledger)
  const fresh: SearchEntry[] = []
  let bytes = 0
  for (const { pageId } of added) {
    const entry = entries.get(pageId)
    if (entry === undefined) return fresh
    bytes += JSON.stringify({ ...entry, words: '', places: '' }).length
    bytes += entry.words.length + 3 * entry.places.length
    if (bytes > MAX_FRESH_BYTES) return fresh
    fresh.push(entry)
  }
  return fresh
}

/** Shards with the extracts of pages. Shards with hidden pages are rewritten without them. */
async function pageShardsWithout(
  projectId: ProjectId,
  { shards, pages }: StoredSearchBase,
  hidden: readonly number[],
  ledger: SearchLedger,
): Promise<{ readonly names: readonly string[]; readonly artifacts: readonly Artifact[] }> {
  const names = [...shards.pages]
  const artifacts: Artifact[] = []
  const hiddenNumbers = new Set(hidden)
  const touched = new Set(hidden.map((number) => Math.floor(number / shards.pagesAShard)))
  for (const index of touched) {
    const start = index * shards.pagesAShard
    const within = pages.slice(start, start + shards.pagesAShard)
    const visible = within.filter((_, offset) => !hiddenNumbers.has(start + offset))
    const entries = await entriesOf(projectId, visible, ledger)
    const file = pagesShard(
      within.map(({ pageId }, offset) =>
        hiddenNumbers.has(start + offset) ? null : (entries.get(pageId) ?? null),
      ),
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
  const rows = ids.length === 0 ? [] : await ledger.searchRows.entries(projectId, ids)
  return new Map(rows.map(({ pageId, entry }) => [pageId, entry]))
}
