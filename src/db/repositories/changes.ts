import type { Change, ChangeRecord, ChangesState } from '../../domain/change.ts'
import type { ProjectId } from '../../domain/ids.ts'

/** Which changes to list. */
export interface ChangeFilter {
  /** Changes with a higher number. */
  readonly after: number
  /** Kinds of records. Null for all. */
  readonly records: readonly ChangeRecord[] | null
  readonly limit: number
}

/**
 * The changes of projects. Each act writes a change without a number in its transaction. Readers number changes once they are
 * committed, one reader of a project at a time: no change appears later with a smaller number than one that was read.
 */
export interface ChangeRepository {
  state(projectId: ProjectId): Promise<ChangesState>
  /**
   * Numbers the oldest changes of a project that have no number. Call it in a transaction that runs alone for the
   * project.
   *
   * @returns how many; fewer than `limit` when none is left of those that were committed before the call.
   */
  number(projectId: ProjectId, limit: number): Promise<number>
  /** Projects with changes that have no number. */
  pending(limit: number): Promise<readonly ProjectId[]>
  /** Oldest first. Changes without a number are left out. */
  list(projectId: ProjectId, filter: ChangeFilter): Promise<readonly Change[]>
  /** Names the history of the database unless it has a name. */
  beginHistory(id: string): Promise<void>
  /** Positions of before are refused after it. */
  forgetHistory(): Promise<void>
  /**
   * Examines some changes in the order of their writing. Deletes those past their retention that a newer change of their
   * record follows, and those of deleted projects.
   *
   * @param after where the call before ended; null for the start.
   * @returns where the next call continues; null when none is left that is old enough.
   */
  prune(now: string, after: number | null): Promise<number | null>
}
