import type { PageId, ProjectId, UserId } from './ids.ts'

/** Longest note of a proposal or a return, in characters. */
export const MAX_NOTE_LENGTH = 2_000

/**
 * A page that an author proposes for publishing. An editor publishes it, which ends the review, or returns it with a
 * note; the author then proposes it again.
 */
export interface Review {
  readonly pageId: PageId
  readonly projectId: ProjectId
  readonly state: 'proposed' | 'returned'
  readonly proposedBy: UserId
  readonly proposedAt: string
  /** The version of the page that was proposed; a later edit is no part of it. */
  readonly version: number
  /** Note of the author while it is proposed, of the editor once it is returned. */
  readonly note: string
  readonly returnedBy: UserId | null
  readonly returnedAt: string | null
}
