import type { Artifact, Owner } from '../domain/artifact.ts'
import type { UploadReason } from '../domain/dry-run.ts'
import type { PageId, ProjectId, ReleaseId } from '../domain/ids.ts'
import type { LiveFacts, SiteIdentity } from '../domain/live-page.ts'
import type { Page } from '../domain/page.ts'
import type { Release, ReleaseFailure, ReleaseOutcome } from '../domain/release.ts'
import type { Settings } from '../domain/settings.ts'
import type { LiveDigests } from '../domain/staleness.ts'

/**
 * The durable side of publishing: the queue of releases, who leads a project, which page owns which
 * key, and what lies on the CDN. Implemented by `db/ledger.ts`.
 *
 * Every method that takes a lease changes nothing and throws `LeaseLost` when somebody else has
 * taken the project over.
 */
export interface Ledger {
  /** Projects with a release that is not finished, in order of their oldest one. */
  unfinishedProjects(): Promise<readonly ProjectId[]>
  find(id: ReleaseId): Promise<Release | null>
  /** Deleted projects whose objects may not all be gone: fresh ones, and once more after a day. */
  tombstones(): Promise<readonly ProjectId[]>
  /** Forget everything of a deleted project but its tombstone; its objects are gone. */
  forget(lease: Lease): Promise<void>

  leaseOf(projectId: ProjectId): Promise<LeaseState>
  /** Take the project over from the state that was seen; null when it moved since. */
  takeLease(projectId: ProjectId, owner: string, seen: LeaseState): Promise<Lease | null>
  /** Show that the owner lives. */
  beat(lease: Lease): Promise<void>
  giveBack(lease: Lease): Promise<void>

  /**
   * Take the longest prefix of the queue in which no page occurs twice, at most `limit` releases, and
   * decide each in one transaction: its keys are claimed, or it is refused and its edit undone.
   * Releases an earlier leader left claimed are taken again.
   *
   * @param keysOf every key the release's page will own once it is live.
   */
  claim(lease: Lease, limit: number, keysOf: (release: Release) => readonly string[]): Promise<Claimed>
  /**
   * End a release that still waits for its turn, whoever leads the project; its edit is kept. Null
   * when its turn has come already.
   */
  refuse(id: ReleaseId, failure: ReleaseFailure): Promise<Release | null>
  /** What a claim would find now; nothing is decided or changed. */
  standing(release: Release, keys: readonly string[]): Promise<Standing>
  /** End every release that still waits, because the store takes nothing now. */
  refuseQueue(lease: Lease, failure: ReleaseFailure): Promise<readonly Release[]>
  /** Nothing was touched: record why, free the claims, undo the edits that came along. */
  fail(lease: Lease, failed: readonly Failed[]): Promise<readonly Release[]>
  /** The releases as they ended. */
  commit(lease: Lease, commit: Commit): Promise<readonly Release[]>

  /** Durably give up on claimed releases whose upload failed half-way: from here on they never go live. */
  startReverting(
    lease: Lease,
    releases: readonly ReleaseId[],
    failure: ReleaseFailure,
  ): Promise<readonly Release[]>
  reverting(projectId: ProjectId): Promise<readonly Release[]>
  /** Every object these releases may have written or removed: those they claim and those of their pages. */
  touchedBy(releases: readonly Release[]): Promise<readonly LiveObject[]>
  /** What was live is back: free the claims, and note the site's own objects as they were written anew. */
  finishReverting(lease: Lease, releases: readonly ReleaseId[], rewritten: readonly Upload[]): Promise<void>

  /** What indexes need of the live pages of one type. */
  liveFacts(projectId: ProjectId, type: Page['type']): Promise<readonly LiveFacts[]>
  /** The prepared line of each live page, sorted by subroute, then slug, by code unit. */
  indexLines(projectId: ProjectId): Promise<readonly IndexLine[]>
  /** The objects of these pages and their redirects, claims without an object included. */
  objectsOfPages(projectId: ProjectId, pages: readonly PageId[]): Promise<readonly LiveObject[]>
  /** The objects of every owner of this kind. */
  objectsOfKind(projectId: ProjectId, kind: Owner['kind']): Promise<readonly LiveObject[]>
  /** How often what is live of the project has changed; 0 before the first publish. */
  revision(projectId: ProjectId): Promise<number>
  /** What the indexes were last written with; null before the first publish. */
  liveSite(projectId: ProjectId): Promise<LiveSite | null>
  /** The bytes of a page's object or an asset that is or was live; null when they are not kept. */
  keptBytes(projectId: ProjectId, digest: string): Promise<Uint8Array | null>

  /** What a release put live; null when that is no longer known, or nothing was. */
  made(id: ReleaseId): Promise<Made | null>
  /** The sizes in bytes of those of the objects that lie there. */
  sizesOf(projectId: ProjectId, keys: readonly string[]): Promise<ReadonlyMap<string, number>>

  /** Every object and claim of the project, sorted by key. */
  records(projectId: ProjectId): Promise<readonly ObjectRecord[]>
  /** Releases that have begun to change the store and have not ended; under the lease, those left half-way. */
  begun(projectId: ProjectId): Promise<readonly ReleaseId[]>
  /** Note objects that were written anew outside any release, and free what these ended releases still claim. */
  mend(lease: Lease, rewritten: readonly Upload[], freed: readonly ReleaseId[]): Promise<void>
}

/** Another instance leads the project now; whoever gets this must stop working on it. */
export class LeaseLost extends Error {}

export interface LeaseState {
  /** Null when nobody leads. */
  readonly owner: string | null
  readonly fence: number
  readonly beat: number
}

export interface InProject {
  readonly projectId: ProjectId
}

export interface Lease extends InProject {
  readonly owner: string
  readonly fence: number
}

export interface Claimed {
  /** In order of acceptance. */
  readonly releases: readonly ClaimedRelease[]
  /** Ended in this transaction: nothing to do, or refused. */
  readonly ended: readonly Release[]
}

/** How a page stands before a release of it. */
export type Standing =
  | { readonly claimable: Omit<ClaimedRelease, 'release'> }
  | { readonly failure: ReleaseFailure }

export interface ClaimedRelease {
  readonly release: Release
  /** What is live of the page now. */
  readonly live: LivePageRow | null
  /** When the page first went live; null when it never did. */
  readonly firstPublishedAt: string | null
}

export interface LivePageRow {
  readonly releaseId: ReleaseId
  readonly publishedAt: string
  readonly facts: LiveFacts
  /** Its line of `_index.json`. */
  readonly line: string
  /** Paths that redirected to it when it was published, newest first; others may have taken some since. */
  readonly redirects: readonly string[]
}

export interface Failed {
  readonly release: Release
  readonly failure: ReleaseFailure
}

export interface IndexLine {
  readonly pageId: PageId
  readonly subroute: string
  readonly slug: string
  readonly line: string
}

export interface LiveObject {
  readonly key: string
  readonly owner: Owner
  /** SHA-256 of the plaintext, hex; null while the row is only a claim. */
  readonly digest: string | null
  readonly headerDigest: string | null
}

export interface ObjectRecord extends LiveObject {
  /** That wrote it last; null while the row is only a claim. */
  readonly releaseId: ReleaseId | null
  /** A release that claims it although it has ended. */
  readonly leftBy: ReleaseId | null
}

export interface LiveSite {
  /** Counts the changes to what is live, from 1. */
  readonly revision: number
  readonly site: SiteIdentity
  readonly settings: Settings
}

/** The row of a page among the live ones. */
export interface GoneLive {
  readonly pageId: PageId
  readonly releaseId: ReleaseId
  readonly facts: LiveFacts
  /** Its finished line of `_index.json`. */
  readonly line: string
  readonly digests: LiveDigests
  /** Paths that redirect to it, newest first. */
  readonly redirects: readonly string[]
  /** Everything it went live with, whether it was uploaded or lay there. */
  readonly objects: readonly MadeObject[]
}

/** A page's own file, or an asset it names. */
export interface MadeObject extends Pick<Artifact, 'key' | 'stage'> {
  /** SHA-256 of the plaintext, hex. */
  readonly digest: string
}

/** What a release put live. */
export type Made = Pick<GoneLive, 'digests' | 'objects'>

/** Everything that becomes true at once when a batch is on the CDN. */
export interface Commit {
  readonly live: readonly { readonly release: Release; readonly outcome: ReleaseOutcome }[]
  /** Pages whose live content changed. */
  readonly pages: readonly GoneLive[]
  /** Pages that were published again and came out the same: only their digests are new. */
  readonly confirmed: readonly Pick<GoneLive, 'pageId' | 'digests'>[]
  /** Pages that are no longer live. */
  readonly gone: readonly PageId[]
  readonly uploads: readonly Upload[]
  /** Keys that are no longer there. */
  readonly deletes: readonly string[]
  /** Null when nothing of the site changed. */
  readonly site: LiveSite | null
}

export interface Upload {
  readonly artifact: Artifact
  readonly digest: string
  readonly headerDigest: string
  readonly reason: UploadReason
  readonly releaseId: ReleaseId
}
