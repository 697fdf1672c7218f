import type { PageId, ProjectId, ReleaseId } from '../../domain/ids.ts'
import type { SearchEntry } from '../../domain/search-entry.ts'
import type { SearchBase } from '../../render/search/search-index.ts'
import type { Lease } from './leases.ts'
import type { Uploaded } from './upload.ts'

/** Rows for the search index. Implemented by `db/ledger/search-rows.ts`. */
export interface SearchRows {
  /**
   * The live pages that search finds, sorted by subroute, then slug, by code unit. Limited to the first 50,000 of
   * a site.
   */
  pages(projectId: ProjectId): Promise<readonly SearchPage[]>
  /** Search entries of the live pages among these, in no order. */
  entries(projectId: ProjectId, pages: readonly PageId[]): Promise<readonly StoredSearchEntry[]>
  /** The base of the search index on the CDN; null when there is no index, or when writing it was interrupted. */
  base(projectId: ProjectId): Promise<StoredSearchBase | null>
  /** Reports whether a job is about to rewrite the index. */
  isDue(projectId: ProjectId): Promise<boolean>
  /** Records the start of a change of the index. Until the commit, its files on the CDN are unknown. */
  startWriting(lease: Lease): Promise<void>
  /** Records the rewritten search index on the CDN. */
  commit(lease: Lease, commit: SearchCommit): Promise<void>
}

/** A page in the search index. */
export interface SearchPage {
  readonly pageId: PageId
  readonly releaseId: ReleaseId
}

export interface StoredSearchEntry extends SearchPage {
  readonly entry: SearchEntry
}

export interface StoredSearchBase {
  readonly shards: SearchBase
  /** Pages of the base; a page's position is its number in the shards. */
  readonly pages: readonly SearchPage[]
}

export interface SearchCommit {
  readonly uploads: readonly Uploaded[]
  /** Removed keys. */
  readonly deletes: readonly string[]
  /** New base; null when the index was removed. */
  readonly base: StoredSearchBase | null
  /** True when the base holds obsolete words; a job merges them away within the hour. */
  readonly hasObsoleteWords: boolean
}
