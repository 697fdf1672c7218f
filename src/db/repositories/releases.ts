import type { Actor } from '../../domain/audit.ts'
import type { JobId, PageId, ProjectId, ReleaseId } from '../../domain/ids.ts'
import type { Job } from '../../domain/job.ts'
import type { IncludedPage, Snapshot } from '../../domain/live-page.ts'
import type { PageStatus, Undo } from '../../domain/page.ts'
import type { Listed, Slice } from '../../domain/paging.ts'
import type {
  DataModeRelease,
  PastRelease,
  RedirectRelease,
  Release,
  ReleaseFailure,
  ReleaseOp,
} from '../../domain/release.ts'
import type { Settings } from '../../domain/settings.ts'
import type { RedirectChange } from '../../domain/site-redirect.ts'
import type { WrappedKey } from '../../publish/ledger/stored-artifacts.ts'

/** The durable record of a release, written before anything is uploaded. */
export interface AcceptedRelease {
  readonly id: ReleaseId
  readonly projectId: ProjectId
  readonly pageId: PageId
  readonly op: ReleaseOp
  readonly snapshot: Snapshot
  readonly statusAfter: PageStatus | null
  readonly lenient: boolean
  readonly strict: boolean
  readonly restores: ReleaseId | null
  /** Who asked for it. */
  readonly actor: Actor
  /** The edit of the same request; it is undone when the release is refused. Null without an edit. */
  readonly undo: Undo | null
  /** Redirects of the project that come with the release, as in `Release`. */
  readonly redirects?: RedirectChange
  readonly createdAt: string
  readonly deadlineAt: string | null
}

export interface CompressedSnapshot {
  readonly id: ReleaseId
  readonly snapshot: Uint8Array
}

/** A release of a project, whose page may be deleted. */
export type RecentRelease = Omit<PastRelease, 'isCurrent'> & { readonly pageId: PageId }

/** The text of a live page, as other pages include it. */
export interface LiveText {
  readonly markdown: string
  readonly includes: readonly IncludedPage[]
  /** UTF-16 code units that were read. */
  readonly size: number
}

export interface ReleaseRepository {
  /** From here on the release ends exactly once, also after a crash. */
  accept(release: AcceptedRelease): Promise<void>
  find(id: ReleaseId): Promise<Release | null>
  /**
   * The job that follows a release of a page (`jobOfRelease`), as the release has it come: its request may have been
   * answered while the database took no writes, so that the job has no row. Null when there is no such release.
   */
  findFollower(id: JobId): Promise<Job | null>
  /** The id of the release that is live of a page; null for a page that is not live. */
  liveId(pageId: PageId): Promise<ReleaseId | null>
  /** The release that is live of a page; null for a page that is not live. */
  findLive(pageId: PageId): Promise<Release | null>
  /** The text that is live of a page; null for a page that is not live. */
  liveText(pageId: PageId): Promise<LiveText | null>
  /** The page's releases that had an effect, newest first. */
  history(pageId: PageId, slice: Slice): Promise<Listed<PastRelease>>
  /** The project's releases that went live and had an effect, newest first. */
  recent(projectId: ProjectId, limit: number): Promise<readonly RecentRelease[]>
  /** Accepts many releases with the same settings, in this order. */
  acceptAll(
    projectId: ProjectId,
    settings: Settings,
    releases: readonly Omit<AcceptedRelease, 'projectId'>[],
  ): Promise<void>
  /** The position of the newest release of all, which later ones exceed; 0 when there is none. */
  lastSeq(): Promise<number>
  /** Compresses, without storing them, long snapshots of ended releases that are stored as text; at most `limit`. */
  compressedSnapshots(limit: number): Promise<readonly CompressedSnapshot[]>
  storeCompressed(compressed: CompressedSnapshot): Promise<void>
  /** The page's newest unfinished release; null when there is none. */
  unfinishedOf(pageId: PageId): Promise<ReleaseId | null>
  /** Ends page releases whose deploy has not started. Returns their ids; others are not changed. */
  withdraw(
    projectId: ProjectId,
    ids: readonly ReleaseId[],
    failure: ReleaseFailure,
    now: string,
  ): Promise<ReadonlySet<ReleaseId>>
  /** Accepts a change of the whole project, as `accept` does for a page. */
  acceptChange(change: AcceptedChange): Promise<void>
  /** The content key that a release created; null when it created none, or the key has been replaced. */
  contentKey(releaseId: ReleaseId): Promise<WrappedKey | null>
}

/** The durable record of a change of a whole project, written before anything is uploaded. */
export type AcceptedChange = (
  | Pick<DataModeRelease, 'op' | AcceptedFields>
  | Pick<RedirectRelease, 'op' | 'change' | AcceptedFields>
) &
  Pick<AcceptedRelease, 'actor'>

type AcceptedFields = 'id' | 'projectId' | 'site' | 'settings' | 'createdAt' | 'deadlineAt'
