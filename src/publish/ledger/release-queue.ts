import type { Artifact } from '../../domain/artifact.ts'
import type { PageId, ProjectId, ReleaseId } from '../../domain/ids.ts'
import type {
  AnyRelease,
  DataModeRelease,
  RedirectRelease,
  Release,
  ReleaseFailure,
  ReleaseOutcome,
  ReleaseState,
} from '../../domain/release.ts'
import type { RedirectState } from '../../domain/site-redirect.ts'
import type { ClaimedRelease } from '../decide/claimed-release.ts'
import type { Failed } from '../decide/endings.ts'
import type { ClaimLimits } from '../decide/next-in-line.ts'
import type { Lease } from './leases.ts'
import type { FormerAddress, IndexLine, ListingSlot, LivePageRow, LiveSite } from './live-state.ts'
import type { StoredArtifact, WrappedKey } from './stored-artifacts.ts'
import type { Upload, Uploaded } from './upload.ts'

/**
 * The queue of accepted releases: claiming them, ending them, reverting them. Implemented by
 * `db/ledger/release-queue.ts`.
 */
export interface ReleaseQueue {
  /** The state of a release, without its snapshot. Null when its project was deleted, and the release with it. */
  findStatus(id: ReleaseId): Promise<ReleaseStatus | null>
  /** Projects with unfinished releases, in order of their oldest one. */
  unfinishedProjects(): Promise<readonly ProjectId[]>
  /** States of a project's unfinished releases. */
  unfinishedStates(projectId: ProjectId): Promise<readonly ReleaseState[]>
  /** Unfinished releases with possible changes of the store, in order of acceptance. */
  listStarted(projectId: ProjectId): Promise<readonly ReleaseId[]>

  /**
   * Claims releases in order of acceptance, in which no page occurs twice: those that requests await, with the earlier
   * releases of their pages; or, if none is awaited, others. A Data Mode change and what was accepted after it wait
   * for everything before it.
   *
   * Decides each release in one transaction: claims its keys, or refuses it and undoes its edit; also whether it
   * is published in Data Mode, and under which key. A Data Mode change is claimed alone. Releases that a previous
   * holder of the lease left claimed are claimed again.
   */
  claim(lease: Lease, options: ClaimOptions, ports: ClaimPorts): Promise<ClaimResult>
  /**
   * Durably notes that files of these claimed releases may be written from here on, so that they can no longer be
   * withdrawn. The claim itself does so for awaited releases and Data Mode changes.
   *
   * @returns false, and changes nothing, when one of them was withdrawn.
   */
  startDeploy(lease: Lease, releases: readonly ReleaseId[]): Promise<boolean>
  /** Withdrawn releases among these claimed ones. */
  withdrawn(releases: readonly ReleaseId[]): Promise<readonly ReleaseStatus[]>
  /** Reports whether the next claim would take awaited releases. */
  hasAwaited(projectId: ProjectId): Promise<boolean>
  /** Result of a claim of this release at this time. Changes nothing. */
  checkClaim(
    release: Release,
    ports: Pick<ClaimPorts, 'keysOf' | 'redirectFrom' | 'keyIdOf'>,
  ): Promise<ClaimCheck>
  /** Claims keys of listings and redirects before their change by a release, so that a revert restores them. */
  claimFiles(lease: Lease, claimer: ReleaseId, files: readonly FileClaim[]): Promise<void>

  /**
   * Decides about a release whose request can wait no longer, when it is still queued. That of a page goes on in the
   * background when a release in the background is being deployed, because that may take long; any other ends without
   * undoing its edit.
   * Needs no lease.
   *
   * @returns the release as it ended; `continues` when it goes on, as also one that already does; null for any other.
   */
  expire(id: ReleaseId, failure: ReleaseFailure): Promise<AnyRelease | 'continues' | null>
  /**
   * Takes the deadline from those of these unfinished releases that have one, and adds a job for each that follows it
   * (`jobOfRelease`): their requests are answered before they end.
   *
   * @param lease null for requests that can wait no longer for the process that publishes.
   */
  continueInBackground(lease: Lease | null, releases: readonly ReleaseId[]): Promise<void>
  /** Ends every queued release of the project, because the store accepts no writes. */
  refuseAll(lease: Lease, failure: ReleaseFailure): Promise<readonly AnyRelease[]>
  /**
   * Ends releases that were refused or failed before the deploy, records why, and undoes the edits of refused
   * ones. Frees their claims. Skips those that were withdrawn. A release that an earlier attempt may have uploaded files for becomes `reverting`
   * instead.
   */
  fail(lease: Lease, failed: readonly Failed[]): Promise<readonly Release[]>
  /** Makes a deployed batch current. Returns its releases as they ended. */
  commit(lease: Lease, commit: Commit): Promise<readonly Release[]>

  /** Live releases of these pages, with the mode and key of the change. */
  liveReleases(change: DataModeRelease, pages: readonly UnsealedPage[]): Promise<readonly ClaimedRelease[]>
  /** Puts the project into its new mode, or under its new key. */
  commitDataMode(lease: Lease, commit: DataModeCommit): Promise<DataModeRelease>
  /** Stores a deployed change of redirects without a page. */
  commitRedirects(lease: Lease, commit: RedirectCommit): Promise<RedirectRelease>

  /** Durably gives up on claimed releases whose upload failed part-way: from here on they never go live. */
  startReverting(
    lease: Lease,
    releases: readonly ReleaseId[],
    failure: ReleaseFailure,
  ): Promise<readonly AnyRelease[]>
  listReverting(projectId: ProjectId): Promise<readonly AnyRelease[]>
  listClaimed(projectId: ProjectId): Promise<readonly AnyRelease[]>
  /** Ends a completed revert: frees the claims and records the rewritten indexes. */
  finishReverting(lease: Lease, releases: readonly ReleaseId[], rewritten: readonly Upload[]): Promise<void>

  /** Deleted projects whose objects may remain on the store: once after the deletion, and again a day later. */
  listTombstones(): Promise<readonly ProjectId[]>
  /** Deletes every row of a deleted project but its tombstone. Call it once its objects are removed. */
  deleteProject(lease: Lease): Promise<void>
}

/** How far a release has come, without its snapshot. */
export type ReleaseStatus = Pick<
  AnyRelease,
  'id' | 'state' | 'outcome' | 'failure' | 'finishedAt' | 'deadlineAt'
>

export interface ClaimOptions extends ClaimLimits {
  /** Claims only releases left claimed by an earlier holder of the lease. */
  readonly isRecovery?: boolean
}

/** Facts about a release for `claim`, unknown to the database. */
export interface ClaimPorts {
  /** Every key the release's page will own once it is live, each as a list of possible names, best first. */
  readonly keysOf: (release: Release) => readonly (readonly string[])[]
  /** Further paths for redirects to the page of a release, where they are free. */
  readonly redirectFrom: (release: Release) => readonly string[]
  readonly newKey: (version: number) => WrappedKey
  readonly keyIdOf: (version: number) => string
}

export interface ClaimResult {
  /** True when releases of this claim, or later ones of their pages, are awaited. */
  readonly isAwaited: boolean
  /** In order of acceptance. */
  readonly releases: readonly ClaimedRelease[]
  /** Data Mode change, always claimed alone; otherwise null. */
  readonly change: ClaimedChange | null
  /** Change of redirects, always claimed alone; otherwise null. */
  readonly redirects: RedirectRelease | null
  /** Releases ended by the claim: refused, or without an effect. */
  readonly ended: readonly AnyRelease[]
}

export interface ClaimedChange {
  /** Release on the site with the new mode and key. */
  readonly release: DataModeRelease
  /** Live pages to be sealed for the first time. */
  readonly unsealed: readonly UnsealedPage[]
}

export interface UnsealedPage {
  readonly pageId: PageId
  /** Claimed key of its file. */
  readonly file: string
}

/** Answer about a claim of a release at this time. */
export type ClaimCheck = { readonly claimable: ClaimedRelease } | { readonly failure: ReleaseFailure }

export type FileClaim = Pick<Artifact, 'key' | 'owner'>

/** Rows to commit in one transaction after the deploy of a batch. */
export interface Commit {
  readonly live: readonly { readonly release: Release; readonly outcome: ReleaseOutcome }[]
  /** Pages whose live content changed. */
  readonly pages: readonly LivePageRow[]
  /** Pages published again without a change: only their digests are new. */
  readonly confirmed: readonly Pick<LivePageRow, 'pageId' | 'digests'>[]
  /** Pages taken off the site. */
  readonly removed: readonly PageId[]
  /** Former paths of pages, which redirect to them from here on. */
  readonly left: readonly Pick<FormerAddress, 'pageId' | 'path'>[]
  /** First slots of articles. */
  readonly slots: readonly ListingSlot[]
  readonly uploads: readonly Uploaded[]
  /** Bytes of the uploads for a revert or rollback. */
  readonly artifacts: readonly StoredArtifact[]
  /** Removed keys. */
  readonly deletes: readonly string[]
  /** Revision of the live site at the preparation of the batch. */
  readonly basedOn: number
  /** Its revision is `basedOn` when the indexes did not change, otherwise the next one. */
  readonly site: LiveSite
  /** True when the site has no search index any more. */
  readonly removesSearchIndex: boolean
  /** New outcomes of redirects on the site, where they changed. */
  readonly redirects: readonly RedirectState[]
}

/** Rows to commit in one transaction after the deploy of a change of redirects. */
export interface RedirectCommit extends Pick<Commit, 'uploads' | 'artifacts' | 'deletes' | 'redirects'> {
  readonly release: RedirectRelease
}

/** Rows to commit in one transaction after the deploy of a Data Mode change. */
export interface DataModeCommit extends Pick<Commit, 'uploads' | 'deletes'> {
  readonly release: DataModeRelease
  readonly site: LiveSite
  /** Newly sealed pages, by their live release. */
  readonly pages: readonly LivePageRow[]
  /** Keys of unchanged objects, sealed with the new key. */
  readonly resealed: readonly string[]
  /** Keys of pictures and files of sealed pages, new under a new key. The rows of the previous ones stay. */
  readonly renamed: readonly { readonly from: string; readonly to: string }[]
  /** Changed lines of `_index.json`. */
  readonly lines: readonly Pick<IndexLine, 'pageId' | 'line'>[]
}
