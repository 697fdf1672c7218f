import type { Owner } from '../../domain/artifact.ts'
import type { PageWarning } from '../../domain/diagnostic.ts'
import type { SiteLines } from '../../domain/site-lines.ts'
import type { LivePageRow } from '../../publish/ledger/live-state.ts'
import type { WrittenLink } from '../../render/page/rendering.ts'

/** Plain JSON. */
export interface BuiltPage extends Pick<LivePageRow, 'facts' | 'card' | 'digests' | 'redirects'>, SiteLines {
  /** When its entry in the feeds was published; null for a page without one. ISO 8601 UTC. */
  readonly fed: string | null
  /** Whether search finds it. */
  readonly isFound: boolean
  /** Keys of the assets it names. */
  readonly assets: readonly string[]
  /** The file it was written in, relative to the content folder. */
  readonly source: string
  /** When its files last changed, and when it was first built. ISO 8601 UTC. */
  readonly publishedAt: string
  readonly firstPublishedAt: string
  /** When its content last changed. */
  readonly updatedAt: string
  /** Keys of the pages of which its links ask for a place. */
  readonly placesAsked: readonly string[]
  /** Read when somebody asks for it: most of what is kept of a page, of which most builds need little. */
  readonly said: PageSaid
}

export interface PageSaid extends Pick<LivePageRow, 'search' | 'anchors'> {
  /** What rendering it had to say, dead links left aside: those depend on other pages. */
  readonly warnings: readonly PageWarning[]
  /** Links in its content. */
  readonly links: readonly WrittenLink[]
}

export interface BuiltFile {
  /** Null for a file of `static/`. */
  readonly owner: Owner | null
  /** SHA-256, hex. */
  readonly digest: string
}
