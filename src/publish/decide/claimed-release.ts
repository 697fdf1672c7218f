import type { PageId, ReleaseId } from '../../domain/ids.ts'
import type { LiveFacts } from '../../domain/live-page.ts'
import type { Release } from '../../domain/release.ts'

/** A release that may be published, with what was decided about it. */
export interface ClaimedRelease {
  /** Its site has the mode and key that the claim decided. */
  readonly release: Release
  /** The key claimed for the page's own file; empty when the release publishes none. */
  readonly file: string
  /** The redirect paths that were free and are claimed as well. */
  readonly redirectFrom: readonly string[]
  /** Paths at which the page was live before and nothing else is now, newest first. They are claimed as well. */
  readonly formerPaths: readonly string[]
  /** The page that is live at this page's path and moves away in the same batch; null without one. */
  readonly replaces: PageId | null
  /** The live version of the page; null when it is not live. */
  readonly live: LiveVersion | null
  /** When its version counts as published, ISO 8601 UTC: a refresh leaves it, builds take the date of its file. By default now. */
  readonly publishedAt?: string
  /**
   * Files that the page names have other bytes at the same addresses, as only builds have them: the page is the same, and
   * feeds have their sizes. Absent: no.
   */
  readonly hasOtherFiles?: boolean
  /** When the page first went live; null when it never did. */
  readonly firstPublishedAt: string | null
  /** A release that was accepted later is live already: the indexes keep their settings. Absent: no. */
  readonly isOvertaken?: boolean
}

/** The live version of a page. */
export interface LiveVersion {
  readonly releaseId: ReleaseId
  readonly publishedAt: string
  readonly facts: LiveFacts
  /** Its line of `_index.json`. */
  readonly line: string
  /** The id that feeds show of an article; null for other pages, and of one that feeds do not show. */
  readonly feedId: string | null
}
