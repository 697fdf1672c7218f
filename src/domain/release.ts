import type { PageWarning } from './diagnostic.ts'
import type { ErrorName } from './errors.ts'
import type { PageId, ProjectId, ReleaseId } from './ids.ts'
import type { SiteIdentity, Snapshot } from './live-page.ts'
import type { PageStatus } from './page.ts'
import type { Settings } from './settings.ts'

export type ReleaseOp = 'publish' | 'rollback' | 'unpublish' | 'delete-page'

/** Whether a release puts its page live, or takes it away. */
export function putsLive({ op }: Pick<Release, 'op'>): boolean {
  return op === 'publish' || op === 'rollback'
}

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
  /**
   * The page and its site as of acceptance, whatever the op: the indexes are written with its settings.
   * Of a rollback they are those of the release it restores, and the indexes keep the settings they have.
   */
  readonly snapshot: Snapshot
  /** The page's status once this is done; null when the page is gone then. */
  readonly statusAfter: PageStatus | null
  /** True when finding the page not live is no failure (a PUT of `status`). */
  readonly lenient: boolean
  /** True when a warning is a reason to refuse it. */
  readonly strict: boolean
  /** Of a rollback: the release that is to be live again. */
  readonly restores: ReleaseId | null
  readonly outcome: ReleaseOutcome | null
  readonly failure: ReleaseFailure | null
  readonly createdAt: string
  readonly finishedAt: string | null
}

/** A release as the history of its page tells of it. */
export interface PastRelease
  extends Pick<Release, 'id' | 'op' | 'state' | 'restores' | 'failure' | 'createdAt' | 'finishedAt'> {
  readonly title: string
  readonly path: string
  /** Whether it is what visitors read now. */
  readonly isCurrent: boolean
}

/** Which publish an object is of. */
export interface Stamp {
  readonly releaseId: ReleaseId
  /** ISO 8601 UTC. */
  readonly publishedAt: string
}

/** Changes that concern a whole project; `rekey` is asked for as `regenerate-key`. */
const DATA_MODE_OPS = ['enable', 'disable', 'rekey'] as const
export type DataModeOp = (typeof DATA_MODE_OPS)[number]

/** The record of a change to a project's Data Mode: accepted and carried out in turn with the releases of its pages. */
export interface DataModeRelease
  extends Pick<
    Release,
    'id' | 'projectId' | 'seq' | 'state' | 'outcome' | 'failure' | 'createdAt' | 'finishedAt'
  > {
  readonly op: DataModeOp
  /** As of acceptance; the indexes are written with them. */
  readonly site: SiteIdentity
  readonly settings: Settings
}

export type AnyRelease = Release | DataModeRelease

export function isDataModeRelease(release: AnyRelease): release is DataModeRelease {
  return DATA_MODE_OPS.some((op) => op === release.op)
}

export function isPageRelease(release: AnyRelease): release is Release {
  return !isDataModeRelease(release)
}

export interface ReleaseOutcome {
  readonly publishedAt: string | null
  readonly url: string | null
  /** The release that holds what is live: an earlier one when nothing had changed. */
  readonly releaseId: ReleaseId
  readonly changed: boolean
  readonly warnings: readonly PageWarning[]
}

export interface ReleaseFailure {
  readonly name: ErrorName
  readonly message: string
}

/** True where the same may go live at another time: then the edit that came with it is kept. */
export function isServiceFault({ name }: ReleaseFailure): boolean {
  return name === 'internal_error'
}
