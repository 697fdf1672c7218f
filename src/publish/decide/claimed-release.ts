import type { PageId, ReleaseId } from '../../domain/ids.ts'
import type { LiveFacts } from '../../domain/live-page.ts'
import type { Release } from '../../domain/release.ts'

/** A release to be published, with the decisions about it. */
export interface ClaimedRelease {
  /** On the site with the mode and key of the claim. */
  readonly release: Release
  /** Key claimed for the page's own file; empty when the release publishes none. */
  readonly file: string
  /** Claimed paths of redirects named by the author. */
  readonly redirectFrom: readonly string[]
  /** Claimed earlier paths of the page, newest first. */
  readonly formerPaths: readonly string[]
  /** Page at this path before, which moves away in the same batch; null without one. */
  readonly replaces: PageId | null
  /** Live version of the page; null when it is not live. */
  readonly live: LiveVersion | null
  /** Publish time of its version, ISO 8601 UTC: unchanged by a refresh, the date of the file in a build. By default now. */
  readonly publishedAt?: string
  /** True when named files have other bytes at the same addresses, so that feeds get other sizes. In builds only. */
  readonly hasOtherFiles?: boolean
  /** Time of the first publish; null when the page never went live. */
  readonly firstPublishedAt: string | null
  /** True when a later release is live already: the indexes keep their settings. */
  readonly isOvertaken?: boolean
}

/** The live version of a page. */
export interface LiveVersion {
  readonly releaseId: ReleaseId
  readonly publishedAt: string
  readonly facts: LiveFacts
  /** Its line of `_index.json`. */
  readonly line: string
  /** Id of the article in feeds; null outside of feeds. */
  readonly feedId: string | null
}
