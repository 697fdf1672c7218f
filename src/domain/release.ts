import type { ErrorName } from './errors.ts'
import type { PageId, ProjectId, ReleaseId } from './ids.ts'
import type { Snapshot, Warning } from './live-page.ts'
import type { PageStatus } from './page.ts'

export type ReleaseOp = 'publish' | 'unpublish' | 'delete-page'

/**
 * queued → claimed → live, or → failed (nothing was touched),
 * or → reverting → reverted (a store failed half-way; what was live is put back).
 */
export type ReleaseState = 'queued' | 'claimed' | 'live' | 'failed' | 'reverting' | 'reverted'

export const UNFINISHED: readonly ReleaseState[] = ['queued', 'claimed', 'reverting']

/** The record of one change to what is live. Written before anything is uploaded. */
export interface Release {
  readonly id: ReleaseId
  readonly projectId: ProjectId
  /** Order of acceptance within the project. */
  readonly seq: number
  readonly pageId: PageId
  readonly op: ReleaseOp
  readonly state: ReleaseState
  /** The page and its site as of acceptance, whatever the op: the indexes are written with its settings. */
  readonly snapshot: Snapshot
  /** The page's status once this is done; null when the page is gone then. */
  readonly statusAfter: PageStatus | null
  /** True when finding the page not live is no failure (a PUT of `status`). */
  readonly lenient: boolean
  /** True when a warning is a reason to refuse it. */
  readonly strict: boolean
  readonly outcome: ReleaseOutcome | null
  readonly failure: ReleaseFailure | null
  readonly createdAt: string
  readonly finishedAt: string | null
}

export interface ReleaseOutcome {
  readonly publishedAt: string | null
  readonly url: string | null
  /** The release that holds what is live: an earlier one when nothing had changed. */
  readonly releaseId: ReleaseId
  readonly changed: boolean
  readonly warnings: readonly Warning[]
}

export interface ReleaseFailure {
  readonly name: ErrorName
  readonly message: string
}
