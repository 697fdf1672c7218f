import type { Act, AuditEntry, RefusalReason } from '../../domain/audit.ts'
import type { AuditId, ProjectId, UserId } from '../../domain/ids.ts'
import type { Listed, Slice } from '../../domain/paging.ts'

/** The account that a row belongs to: a user's own, or that of the owner of a project. */
export type AuditedAccount =
  | { readonly userId: UserId; readonly projectId?: ProjectId | null }
  | { readonly projectId: ProjectId }

/** A row to be written; what is left out is null or empty. */
export type NewAuditEntry = Pick<AuditEntry, 'id' | 'createdAt' | 'act' | 'target' | 'actor'> &
  Partial<Pick<AuditEntry, 'before' | 'after' | 'fields'>> & { readonly of: AuditedAccount }

/** A row that counts refused sign-ins. */
export type NewRefusals = NewAuditEntry & {
  readonly of: { readonly userId: UserId }
  readonly reason: RefusalReason
  readonly count: number
}

/** Which rows to list. Null: any. */
export interface AuditFilter {
  /** Rows of an account, or of a project. */
  readonly of: { readonly userId: UserId } | { readonly projectId: ProjectId } | null
  readonly act: Act | null
  /** Exclusive bounds. */
  readonly createdAfter: string | null
  readonly createdBefore: string | null
}

/**
 * The audit log. Rows are added and, after a year, deleted. The erasure of a person changes them, and refused sign-ins are
 * counted in a row.
 */
export interface AuditRepository {
  /** Call it in the transaction of the change, so that neither exists without the other. */
  insert(entry: NewAuditEntry): Promise<void>
  /** Counts more refused sign-ins in the row with this id. False when there is none. */
  addRefusals(id: AuditId, count: number): Promise<boolean>
  /** Adds a row of refused sign-ins, or counts them in the row with this id. */
  insertRefusals(entry: NewRefusals): Promise<void>
  /** Rows of refused sign-ins of a user that were added since then. */
  countRefusals(userId: UserId, since: string): Promise<number>
  /** Newest first. */
  list(filter: AuditFilter, slice: Slice): Promise<Listed<AuditEntry>>
  /**
   * Removes the network addresses of a person from the rows of this user's acts, and from releases and jobs, which
   * become rows later. Removes the addresses of refused sign-ins of the user as well.
   */
  blankAddresses(userId: UserId): Promise<void>
  /** Deletes some of the rows that are older than a year. False when none is left. */
  prune(now: string): Promise<boolean>
}
