import type { Act } from './audit.ts'
import type { IdPrefix, ProjectId, ReleaseId } from './ids.ts'

/** Retention of a change that a newer one of its record follows, in days. The newest is kept as long as its project. */
export const CHANGE_RETENTION_DAYS = 90

/** The kinds of records whose changes are listed, with the prefix of their ids. Settings have the id of their project. */
export const CHANGE_RECORDS = {
  page: 'page',
  project: 'proj',
  settings: 'proj',
  asset: 'ast',
  redirect: 'rdr',
} as const satisfies Readonly<Record<string, IdPrefix>>
export type ChangeRecord = keyof typeof CHANGE_RECORDS

/** That a record changed: which, when and by which act, never what users wrote in it. */
export interface Change {
  readonly projectId: ProjectId
  /** Its number among the changes of the project. */
  readonly seq: number
  readonly at: string
  readonly record: ChangeRecord
  /** Id of the record, without its prefix. */
  readonly id: string
  readonly act: Act
  readonly isDeleted: boolean
  /** Null for redirects, and for what was deleted before the change was read first. */
  readonly version: number | null
  /** Status of a page, a project or an asset; null as for `version`. */
  readonly status: string | null
  /** The release that went live. */
  readonly releaseId: ReleaseId | null
  /** Where the page is live since then. */
  readonly path: string | null
  /** Where the page was live before. */
  readonly formerPath: string | null
  /** Names of the fields that changed. */
  readonly fields: readonly string[]
}

/** Where the changes of a project end. */
export interface ChangesState {
  /** Names this course of the database: one that was restored has another. Null before the first reader. */
  readonly history: string | null
  /** Number of the newest change; 0 without one. */
  readonly newest: number
  /** Whether changes without a number are left. */
  readonly isPending: boolean
}
