import type { PageId, ProjectId, PushId, UserId } from './ids.ts'
import type { JsonObject } from './json.ts'
import type { FieldDigests } from './source.ts'

/** Time for which a silent push keeps others of its folder waiting. */
const PUSH_LEASE_MS = 3 * 60_000
/** Retention of pushes in days. The last one of each folder to each project stays. */
export const PUSH_RETENTION_DAYS = 90

export const PUSH_STATES = ['running', 'done', 'failed'] as const
type PushState = (typeof PUSH_STATES)[number]

/** Names of the counts of a push. */
export const PUSH_COUNTS = [
  'created',
  'updated',
  'unchanged',
  'kept',
  'conflicts',
  'removed',
  'published',
  'scheduled',
  'left_over',
] as const
export type PushCounts = { readonly [Name in (typeof PUSH_COUNTS)[number]]?: number }

/** One run of `quoin push` of a content folder to a project. */
export interface Push {
  readonly id: PushId
  readonly projectId: ProjectId
  /** The identity of the folder, see `folderIdentity`. */
  readonly folder: string
  /** The name of the site. */
  readonly name: string
  /** The commit of the folder, if it is in a Git repository. */
  readonly revision: string | null
  readonly committedAt: string | null
  readonly state: PushState
  /** Empty until the push has sent something. */
  readonly counts: PushCounts
  readonly userId: UserId
  readonly startedAt: string
  /** A running push that reports nothing until then has ended. */
  readonly expiresAt: string
  readonly finishedAt: string | null
}

/** Conflicts of a push that are stored, and the bytes of all their values as JSON. */
export const MAX_PUSH_CONFLICTS = 100
export const MAX_CONFLICT_BYTES = 1024 * 1024

/** A page that was changed in its file and on the server: the push sent nothing of it. */
export interface PushConflict {
  readonly pageId: PageId
  /** The file, relative to the folder. */
  readonly path: string
  /** The digests of the fields that differ, as the file has them. Null for a field that the file does not have. */
  readonly fields: Readonly<Record<string, FieldDigests['fields'][string] | null>>
  /** The values of these fields as `PUT /pages/:id` takes them. Null when they were too large to be sent. */
  readonly values: JsonObject | null
}

export function isRunning({ state, expiresAt }: Pick<Push, 'state' | 'expiresAt'>, now: string): boolean {
  return state === 'running' && now < expiresAt
}

/** When a push ends that reports now. */
export function pushExpiry(now: string): string {
  return new Date(Date.parse(now) + PUSH_LEASE_MS).toISOString()
}
