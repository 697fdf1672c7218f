import type { OfferId, ProjectId } from './ids.ts'

/** An offer of a project ends after this time. */
export const TRANSFER_MS = 7 * 24 * 60 * 60 * 1000

/** A project that its owner wants to give to another person's account. */
export interface TransferOffer {
  readonly id: OfferId
  readonly projectId: ProjectId
  /** Result of `addressKey`; it may be no user's. */
  readonly email: string
  readonly createdAt: string
  readonly expiresAt: string
}
