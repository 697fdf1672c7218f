import type { Owner } from '../../domain/artifact.ts'
import type { SiteLines } from '../../domain/site-lines.ts'
import type { LivePageRow } from '../../publish/ledger/live-state.ts'

/**
 * A page in the build state: its data for other pages, the indexes and the next build. The record is in memory for
 * every page; `details` and `extractText` may read a shard. A spread copy is a page of its own.
 */
export interface BuiltPage extends PageRecord {
  /** The result is cached. */
  readonly details: () => PageDetails
  /**
   * The page extract, which `extractOf` parses. Extracts are two thirds of the state, and most builds need few of them.
   */
  readonly extractText: () => string
}

/** The part that every build needs of every page. Plain JSON. */
export interface PageRecord extends Pick<LivePageRow, 'facts' | 'card'> {
  /** Its file, relative to the content folder. */
  readonly source: string
  /** Time at which its entry in the feeds was published; null for a page without one. ISO 8601 UTC. */
  readonly fed: string | null
  /** True if search finds the page. */
  readonly isFound: boolean
}

/** The part that a build needs of the pages it renders or compares. Plain JSON. */
export interface PageDetails extends Pick<LivePageRow, 'digests' | 'redirects'>, SiteLines {
  /** Keys of the assets it names. */
  readonly assets: readonly string[]
  /** The date of its line in the manifest. ISO 8601 UTC. */
  readonly publishedAt: string
  /** Time of the last edit of its file. ISO 8601 UTC. */
  readonly updatedAt: string
  /**
   * Object keys of the pages it links to with a `#fragment`. They are checked again when those pages' anchors change.
   */
  readonly fragmentTargets: readonly string[]
}

export interface BuiltFile {
  /** The page or site that the file belongs to; null for a file of `static/`. */
  readonly owner: Owner | null
  /** SHA-256, hex. */
  readonly digest: string
}
