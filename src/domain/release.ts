import type { Actor } from './audit.ts'
import type { PageWarning } from './diagnostic.ts'
import type { ErrorName } from './errors.ts'
import type { PageId, ProjectId, ReleaseId } from './ids.ts'
import type { SiteIdentity, Snapshot } from './live-page.ts'
import type { PageStatus } from './page.ts'
import type { Settings } from './settings.ts'
import type { RedirectChange } from './site-redirect.ts'

export type ReleaseOp = 'publish' | 'rollback' | 'refresh' | 'unpublish' | 'delete-page'

/** Reports whether a release puts its page live; otherwise it removes the page from the live site. */
export function putsLive({ op }: Pick<Release, 'op'>): boolean {
  return op === 'publish' || putsBack({ op })
}

/**
 * Reports whether a release publishes the snapshot of an earlier one: a rollback as it was, a refresh with smaller
 * images from after its publish. The indexes keep their settings.
 */
export function putsBack({ op }: Pick<AnyRelease, 'op'>): boolean {
  return PUTTING_BACK.some((known) => known === op)
}

export const PUTTING_BACK: readonly ReleaseOp[] = ['rollback', 'refresh']

/**
 * queued → claimed → live, or → failed (nothing was uploaded),
 * or → reverting → reverted (the store failed part-way, and the previous bytes are put back).
 */
export type ReleaseState = 'queued' | 'claimed' | 'live' | 'failed' | 'reverting' | 'reverted'

export const UNFINISHED: readonly ReleaseState[] = ['queued', 'claimed', 'reverting']

/** The record of one change to the live site. Inserted before anything is uploaded. */
export interface Release {
  readonly id: ReleaseId
  readonly projectId: ProjectId
  /** Position in the queue of the project. */
  readonly seq: number
  readonly pageId: PageId
  readonly op: ReleaseOp
  readonly state: ReleaseState
  /**
   * The page and its site when the release was enqueued, for every op: the indexes are written with its settings.
   * A rollback has the snapshot of the release that it restores, and the indexes keep their settings.
   */
  readonly snapshot: Snapshot
  /** The status of the page after the release; null when the page is deleted. */
  readonly statusAfter: PageStatus | null
  /** True: a page that is not live is no failure (a PUT of `status`). */
  readonly lenient: boolean
  /** True: a warning fails the release. */
  readonly strict: boolean
  /** For a rollback: the release that it restores. For a refresh: the one that was live. */
  readonly restores: ReleaseId | null
  readonly outcome: ReleaseOutcome | null
  readonly failure: ReleaseFailure | null
  readonly createdAt: string
  readonly finishedAt: string | null
  /** Redirects of the project that come with the release: those from the addresses of a deleted page. Absent: none. */
  readonly redirects?: RedirectChange
  /** When the release is given up, because a request awaits it; null when it may take any time. */
  readonly deadlineAt: string | null
}

/** Time for a release that a request awaits, from its acceptance, queueing included. Answers are due within 15 s. */
export const DEADLINE_MS = 12_000

/**
 * @param createdAt when the release was accepted.
 * @param waitedMs for how long its request had waited before.
 */
export function deadlineOf(createdAt: string, waitedMs = 0): string {
  return new Date(Date.parse(createdAt) + DEADLINE_MS - Math.round(waitedMs)).toISOString()
}

/** A release in the history of its page. */
export interface PastRelease
  extends Pick<Release, 'id' | 'op' | 'state' | 'restores' | 'failure' | 'createdAt' | 'finishedAt'> {
  readonly title: string
  readonly path: string
  /** The user who asked for it, and the way; null when that was not recorded. */
  readonly actor: Pick<Actor, 'via' | 'userId'> | null
  /** True while it is live. */
  readonly isCurrent: boolean
}

/** The release that an object was published by. */
export interface Stamp {
  readonly releaseId: ReleaseId
  /** ISO 8601 UTC. */
  readonly publishedAt: string
}

/** Changes of a whole project; the API names `rekey` `regenerate-key`. */
const DATA_MODE_OPS = ['enable', 'disable', 'rekey'] as const
export type DataModeOp = (typeof DATA_MODE_OPS)[number]
export type ProjectOp = DataModeOp | 'redirects'

/** The record of a change of a whole project. It shares the queue with the releases of the project's pages. */
export interface ProjectRelease
  extends Pick<
    Release,
    'id' | 'projectId' | 'seq' | 'state' | 'outcome' | 'failure' | 'createdAt' | 'finishedAt' | 'deadlineAt'
  > {
  readonly op: ProjectOp
  /** Site and settings when the release was enqueued. */
  readonly site: SiteIdentity
  readonly settings: Settings
}

/** The record of a change of Data Mode. The indexes are written with its site and settings. */
export interface DataModeRelease extends ProjectRelease {
  readonly op: DataModeOp
}

/** The record of a change of the redirects that belong to no page. */
export interface RedirectRelease extends ProjectRelease {
  readonly op: 'redirects'
  readonly change: RedirectChange
}

export type AnyRelease = Release | DataModeRelease | RedirectRelease

export function isDataModeRelease(release: AnyRelease): release is DataModeRelease {
  return isDataModeOp(release.op)
}

export function isDataModeOp(op: AnyRelease['op']): op is DataModeOp {
  return DATA_MODE_OPS.some((known) => known === op)
}

export function isPageRelease(release: AnyRelease): release is Release {
  return release.op !== 'redirects' && !isDataModeRelease(release)
}

export interface ReleaseOutcome {
  readonly publishedAt: string | null
  readonly url: string | null
  /** The release that is live: an earlier one when nothing had changed. */
  readonly releaseId: ReleaseId
  readonly changed: boolean
  readonly warnings: readonly PageWarning[]
}

export interface ReleaseFailure {
  readonly name: ErrorName
  readonly message: string
}

/** Reports whether the service failed, not the request: the release may succeed later, so its edit is not reverted. */
export function isServiceFault({ name }: ReleaseFailure): boolean {
  return name === 'internal_error' || name === 'service_unavailable'
}
