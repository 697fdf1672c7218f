import type { ProjectId } from '../../domain/ids.ts'

/**
 * Objects that a write may still reach which was given up without an answer of the store. Each is compared with what is
 * live at once, and again until a minute has passed. Implemented by `db/ledger/late-writes.ts`.
 */
export interface LateWrites {
  /** Notes writes or deletes of these keys as given up, and schedules checks of them. Needs no lease. */
  note(projectId: ProjectId, keys: readonly string[]): Promise<void>
  /** Keys to check, relative to the project; `WHOLE_SITE` stands for all files of the site itself. */
  keys(projectId: ProjectId): Promise<readonly string[]>
  /**
   * Ends the checks of keys with correct objects after the last possible write.
   *
   * @param checkedAt when the check began, ISO 8601 UTC.
   * @returns when the rest has to be checked; null when nothing is left, or when another job is queued for it.
   */
  settle(projectId: ProjectId, checkedAt: string): Promise<string | null>
}
