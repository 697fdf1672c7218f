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
  /** The states that occur among a project's unfinished releases. */
  unfinishedStates(projectId: ProjectId): Promise<readonly ReleaseState[]>
  /** Unfinished releases that may have changed the store, in order of acceptance. */
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
  /** Those of these claimed releases that were withdrawn since. */
  withdrawn(releases: readonly ReleaseId[]): Promise<readonly ReleaseStatus[]>
  /** Reports whether the next claim would take awaited releases. */
  hasAwaited(projectId: ProjectId): Promise<boolean>
  /** The result a claim of this release would have now. Changes nothing. */
  checkClaim(
    release: Release,
    ports: Pick<ClaimPorts, 'keysOf' | 'redirectFrom' | 'keyIdOf'>,
  ): Promise<ClaimCheck>
  /** Claims keys of listings and redirects that a release is about to write or remove, so that a revert restores them. */
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

  /** The live releases of these pages, with the mode and key that the change brings. */
  liveReleases(change: DataModeRelease, pages: readonly UnsealedPage[]): Promise<readonly ClaimedRelease[]>
  /** Puts the project into its new mode, or under its new key. */
  commitDataMode(lease: Lease, commit: DataModeCommit): Promise<DataModeRelease>
  /** Stores a change of redirects that belong to no page, which is deployed. */
  commitRedirects(lease: Lease, commit: RedirectCommit): Promise<RedirectRelease>

  /** Durably gives up on claimed releases whose upload failed part-way: from here on they never go live. */
  startReverting(
    lease: Lease,
    releases: readonly ReleaseId[],
    failure: ReleaseFailure,
  ): Promise<readonly AnyRelease[]>
  listReverting(projectId: ProjectId): Promise<readonly AnyRelease[]>
  listClaimed(projectId: ProjectId): Promise<readonly AnyRelease[]>
  /** Ends a completed revert: frees the claims and records the indexes that were rewritten. */
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
  /** Claims only releases that an earlier holder of the lease left claimed. */
  readonly isRecovery?: boolean
}

/** Facts about a release that `claim` needs and the database does not know. */
export interface ClaimPorts {
  /** Every key the release's page will own once it is live, each as a list of possible names, best first. */
  readonly keysOf: (release: Release) => readonly (readonly string[])[]
  /** Additional paths that redirect to the release's page where no other object exists. */
  readonly redirectFrom: (release: Release) => readonly string[]
  readonly newKey: (version: number) => WrappedKey
  readonly keyIdOf: (version: number) => string
}

export interface ClaimResult {
  /** True when releases of this claim, or later ones of their pages, are awaited. */
  readonly isAwaited: boolean
  /** In order of acceptance. */
  readonly releases: readonly ClaimedRelease[]
  /** A Data Mode change, which is claimed alone; otherwise null. */
  readonly change: ClaimedChange | null
  /** A change of redirects, which is claimed alone; otherwise null. */
  readonly redirects: RedirectRelease | null
  /** Releases that ended in the claiming transaction: refused, or without anything to do. */
  readonly ended: readonly AnyRelease[]
}

export interface ClaimedChange {
  /** Its site has the new mode and key. */
  readonly release: DataModeRelease
  /** Live pages that have to be sealed for the first time. */
  readonly unsealed: readonly UnsealedPage[]
}

export interface UnsealedPage {
  readonly pageId: PageId
  /** The key claimed for its file. */
  readonly file: string
}

/** Answer about a claim of a release at this time. */
export type ClaimCheck = { readonly claimable: ClaimedRelease } | { readonly failure: ReleaseFailure }

export type FileClaim = Pick<Artifact, 'key' | 'owner'>

/** Everything that one transaction makes current once a batch is deployed. */
export interface Commit {
  readonly live: readonly { readonly release: Release; readonly outcome: ReleaseOutcome }[]
  /** Pages whose live content changed. */
  readonly pages: readonly LivePageRow[]
  /** Pages that were published again without a change: only their digests are new. */
  readonly confirmed: readonly Pick<LivePageRow, 'pageId' | 'digests'>[]
  /** Pages that are no longer live. */
  readonly removed: readonly PageId[]
  /** Paths that pages leave, and redirect to them from here on. */
  readonly left: readonly Pick<FormerAddress, 'pageId' | 'path'>[]
  /** Slots that articles received for the first time. */
  readonly slots: readonly ListingSlot[]
  readonly uploads: readonly Uploaded[]
  /** Bytes of the uploads that a revert or rollback may need. */
  readonly artifacts: readonly StoredArtifact[]
  /** Keys that were removed. */
  readonly deletes: readonly string[]
  /** Revision of the live site that the batch was prepared from. */
  readonly basedOn: number
  /** Its revision is `basedOn` when the indexes did not change, otherwise the next one. */
  readonly site: LiveSite
  /** True when the site has no search index any more. */
  readonly removesSearchIndex: boolean
  /** What the site makes of redirects from here on, for those of which that changed. */
  readonly redirects: readonly RedirectState[]
}

/** Everything that one transaction makes current once a change of redirects is deployed. */
export interface RedirectCommit extends Pick<Commit, 'uploads' | 'artifacts' | 'deletes' | 'redirects'> {
  readonly release: RedirectRelease
}

/** Everything that one transaction makes current once a Data Mode change is deployed. */
export interface DataModeCommit extends Pick<Commit, 'uploads' | 'deletes'> {
  readonly release: DataModeRelease
  readonly site: LiveSite
  /** Pages that are sealed for the first time, by the release that is live. */
  readonly pages: readonly LivePageRow[]
  /** Keys of unchanged objects that were sealed with the new key. */
  readonly resealed: readonly string[]
  /** Keys of pictures and files of sealed pages, which differ from key to key. The rows of the previous ones stay. */
  readonly renamed: readonly { readonly from: string; readonly to: string }[]
  /** Lines of `_index.json` that changed. */
  readonly lines: readonly Pick<IndexLine, 'pageId' | 'line'>[]
}
