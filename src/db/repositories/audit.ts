import type { Act, AuditEntry } from '../../domain/audit.ts'
import type { ProjectId, UserId } from '../../domain/ids.ts'
import type { Listed } from './paging.ts'

/** The account that a row belongs to: a user's own, or that of the owner of a project. */
export type AuditedAccount =
  | { readonly userId: UserId; readonly projectId?: ProjectId | null }
  | { readonly projectId: ProjectId }

/** A row to be written; what is left out is null or empty. */
export type NewAuditEntry = Pick<AuditEntry, 'id' | 'createdAt' | 'act' | 'target' | 'actor'> &
  Partial<Pick<AuditEntry, 'before' | 'after' | 'fields'>> & { readonly of: AuditedAccount }

/** Which rows to list. Null: any. */
export interface AuditFilter {
  /** Rows of an account, or of a project. */
  readonly of: { readonly userId: UserId } | { readonly projectId: ProjectId } | null
  readonly act: Act | null
  /** Exclusive bounds. */
  readonly createdAfter: string | null
  readonly createdBefore: string | null
}

/** The audit log. Rows are added and, after a year, deleted; nothing changes them. */
export interface AuditRepository {
  /** Call it in the transaction of the change, so that neither exists without the other. */
  insert(entry: NewAuditEntry): Promise<void>
  /** Newest first. */
  list(
    filter: AuditFilter,
    slice: { readonly limit: number; readonly offset: number },
  ): Promise<Listed<AuditEntry>>
  /** Deletes some of the rows that are older than a year. False when none is left. */
  prune(now: string): Promise<boolean>
}
