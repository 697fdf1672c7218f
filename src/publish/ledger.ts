import type { Artifact, Owner } from '../domain/artifact.ts'
import type { UploadReason } from '../domain/dry-run.ts'
import type { PageId, ProjectId, ReleaseId } from '../domain/ids.ts'
import type { LiveCard, LiveFacts, SiteIdentity } from '../domain/live-page.ts'
import type { Page } from '../domain/page.ts'
import type {
  AnyRelease,
  DataModeRelease,
  Release,
  ReleaseFailure,
  ReleaseOutcome,
  ReleaseState,
  Stamp,
} from '../domain/release.ts'
import type { SearchEntry } from '../domain/search-entry.ts'
import type { Settings } from '../domain/settings.ts'
import type { FeedEntry, SiteLines } from '../domain/site-lines.ts'
import type { LiveDigests } from '../domain/staleness.ts'
import type { SearchBase } from '../render/search/search-index.ts'

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
  /** Which states those releases of a project have that are not finished. */
  unfinishedStates(projectId: ProjectId): Promise<readonly ReleaseState[]>
  find(id: ReleaseId): Promise<AnyRelease | null>
  /** Deleted projects whose objects may not all be gone: fresh ones, and once more after a day. */
  tombstones(): Promise<readonly ProjectId[]>
  /** Forget everything of a deleted project but its tombstone; its objects are gone. */
  forget(lease: Lease): Promise<void>

  leaseOf(projectId: ProjectId): Promise<LeaseState>
  /**
   * Take the project over from the state that was seen; null when it moved since. What another owner was
   * writing is looked at again a minute later, since its last writes may still be on their way.
   */
  takeLease(projectId: ProjectId, owner: string, seen: LeaseState): Promise<Lease | null>
  /** Show that the owner lives. */
  beat(lease: Lease): Promise<void>
  giveBack(lease: Lease): Promise<void>

  /**
   * Take the longest prefix of the queue in which no page occurs twice, at most `limit` releases, and
   * decide each in one transaction: its keys are claimed, or it is refused and its edit undone.
   * Whether they are published in Data Mode, and under which key, is decided there too. A change of
   * Data Mode is taken alone. Releases an earlier leader left claimed are taken again.
   */
  claim(lease: Lease, limit: number, made: ClaimPorts): Promise<Claimed>
  /**
   * End a release that still waits for its turn, whoever leads the project; its edit is kept. Null
   * when its turn has come already.
   */
  refuse(id: ReleaseId, failure: ReleaseFailure): Promise<AnyRelease | null>
  /** What a claim would find now; nothing is decided or changed. */
  standing(
    release: Release,
    ports: Pick<ClaimPorts, 'keysOf' | 'redirectFrom' | 'keyIdOf'>,
  ): Promise<Standing>
  /**
   * Claim pages of listings for a release that is about to write or remove them, so that they are put back
   * should it fail.
   */
  claimListings(lease: Lease, claimer: ReleaseId, pages: readonly ListingClaim[]): Promise<void>
  /** End every release that still waits, because the store takes nothing now. */
  refuseQueue(lease: Lease, failure: ReleaseFailure): Promise<readonly AnyRelease[]>
  /**
   * Refused, or failed on our side: record why, and undo the edits that came along with what was refused.
   * Their claims are free, but for those that an earlier attempt may have written files for: they are
   * `reverting` now.
   */
  fail(lease: Lease, failed: readonly Failed[]): Promise<readonly Release[]>
  /** The releases as they ended. */
  commit(lease: Lease, commit: Commit): Promise<readonly Release[]>
  /** The releases that are live of these pages, in the mode and under the key that the change brings. */
  liveReleases(change: DataModeRelease, pages: readonly UnsealedPage[]): Promise<readonly ClaimedRelease[]>
  /** Keep what a claimed release has made before it is committed, so that nobody has to hold it all. */
  keepAhead(lease: Lease, kept: readonly KeptArtifact[]): Promise<void>
  /** The project is in its new mode, or under its new key. */
  commitDataMode(lease: Lease, commit: DataModeCommit): Promise<DataModeRelease>

  /** Durably give up on claimed releases whose upload failed half-way: from here on they never go live. */
  startReverting(
    lease: Lease,
    releases: readonly ReleaseId[],
    failure: ReleaseFailure,
  ): Promise<readonly AnyRelease[]>
  reverting(projectId: ProjectId): Promise<readonly AnyRelease[]>
  /**
   * Every object these releases may have written or removed: those they claim and those of their pages;
   * of a new key those of all pages.
   */
  touchedBy(releases: readonly AnyRelease[]): Promise<readonly LiveObject[]>
  /** What was live is back: free the claims, and note the site's own objects as they were written anew. */
  finishReverting(lease: Lease, releases: readonly ReleaseId[], rewritten: readonly Upload[]): Promise<void>

  /**
   * What indexes need of the live pages of one type.
   *
   * @param asOf the revision that is live, where it was asked for before.
   */
  liveFacts(projectId: ProjectId, type: Page['type'], asOf?: number): Promise<readonly LiveFacts[]>
  /** What lists need of the live pages of one type; `asOf` as above. */
  liveCards(projectId: ProjectId, type: Page['type'], asOf?: number): Promise<readonly LiveCard[]>
  /** The slots that these pages have in listings, whether they are live or not. */
  slotsOf(projectId: ProjectId, pages: readonly PageId[]): Promise<readonly ListingSlot[]>
  /** How many slots each of these folders has given away. */
  slotsGiven(projectId: ProjectId, folders: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** The prepared line of each live page, sorted by subroute, then slug, by code unit; `asOf` as above. */
  indexLines(projectId: ProjectId, asOf?: number): Promise<readonly IndexLine[]>
  /** What feeds say of the live articles, those first that were published last. */
  feedEntries(projectId: ProjectId, limit: number): Promise<readonly LiveEntry[]>
  /** The objects of these pages and their redirects, claims without an object included. */
  objectsOfPages(projectId: ProjectId, pages: readonly PageId[]): Promise<readonly LiveObject[]>
  /** Objects and keys that these releases have claimed. */
  claimedBy(releases: readonly ReleaseId[]): Promise<readonly LiveObject[]>
  /** What lies, or is claimed, at these keys. */
  objectsAt(projectId: ProjectId, keys: readonly string[]): Promise<readonly LiveObject[]>
  /** The objects of every owner of these kinds. */
  objectsOfKinds(projectId: ProjectId, kinds: readonly Owner['kind'][]): Promise<readonly LiveObject[]>
  /** How often what is live of the project has changed; 0 before the first publish. */
  revision(projectId: ProjectId): Promise<number>
  /** What the indexes were last written with; null before the first publish. */
  liveSite(projectId: ProjectId): Promise<LiveSite | null>
  /** A page's object or an asset that is or was live; null when it is not kept. */
  kept(projectId: ProjectId, digest: string): Promise<KeptArtifact | null>
  /** Projects in Data Mode that something is kept of in the clear, from before. */
  projectsToSeal(): Promise<readonly ProjectId[]>
  /** What is kept of a project in the clear, at most `limit` of it. */
  keptOpen(projectId: ProjectId, limit: number): Promise<readonly KeptArtifact[]>
  /** Keep these sealed that were kept in the clear; those that are no longer kept are left out. */
  keepSealed(projectId: ProjectId, sealed: readonly KeptArtifact[]): Promise<void>
  /** The project's keys that are not destroyed, newest first. */
  contentKeys(projectId: ProjectId): Promise<readonly KeptKey[]>

  /** What a release put live; null when that is no longer known, or nothing was. */
  made(id: ReleaseId): Promise<Made | null>
  /** Those of the keys at which something lies, with the places of the page behind it; null where it is no page. */
  linkTargets(
    projectId: ProjectId,
    keys: readonly string[],
  ): Promise<ReadonlyMap<string, readonly string[] | null>>
  /** The sizes in bytes of those of the objects that lie there. */
  sizesOf(projectId: ProjectId, keys: readonly string[]): Promise<ReadonlyMap<string, number>>

  /** Assets that no live page names; other files of the site still may. */
  unnamedAssets(projectId: ProjectId): Promise<readonly UnnamedAsset[]>
  /** @param since null when something names them after all. */
  noteUnnamed(lease: Lease, keys: readonly string[], since: string | null): Promise<void>
  /** Durably decide that these objects are about to go: from here on they count as not there. */
  letGo(lease: Lease, keys: readonly string[]): Promise<void>
  /** They are gone. */
  forgetGone(lease: Lease, keys: readonly string[]): Promise<void>
  /** The live pages that search is to find, sorted by subroute, then slug, by code unit; of a very large site the first 50,000. */
  searchPages(projectId: ProjectId): Promise<readonly SearchPage[]>
  /** What search finds of those of the pages that are live, in no order. */
  searchEntries(projectId: ProjectId, pages: readonly PageId[]): Promise<readonly KeptEntry[]>
  /** What most of the search index that lies there is made of; null when none does. */
  searchBase(projectId: ProjectId): Promise<KeptBase | null>
  /** Whether the index is about to be written anew. */
  isSearchDue(projectId: ProjectId): Promise<boolean>
  /** The search index on the CDN was written anew. */
  commitSearch(lease: Lease, commit: SearchCommit): Promise<void>

  /** Every object and claim of the project, sorted by key. */
  records(projectId: ProjectId): Promise<readonly ObjectRecord[]>
  /** Releases that have begun to change the store and have not ended; under the lease, those left half-way. */
  begun(projectId: ProjectId): Promise<readonly ReleaseId[]>
  /** Note objects that were written anew outside any release, and free what these ended releases still claim. */
  mend(lease: Lease, rewritten: readonly Upload[], freed: readonly ReleaseId[]): Promise<void>
}

/** What a claim needs to know of what it claims for. */
export interface ClaimPorts {
  /** Every key the release's page will own once it is live, each as the names it may have, best first. */
  readonly keysOf: (release: Release) => readonly (readonly string[])[]
  /** Paths that are to lead to the release's page besides, where nothing else lies. */
  readonly redirectFrom: (release: Release) => readonly string[]
  readonly newKey: (version: number) => KeptKey
  readonly keyIdOf: (version: number) => string
}

/** A key of a project, sealed with a master key. */
export interface KeptKey {
  /** 0 seals what is kept; content keys count from 1. */
  readonly version: number
  readonly masterKeyId: string
  readonly sealed: string
}

/** A page's object as the database keeps it. */
export interface KeptArtifact {
  readonly digest: string
  /** Compressed, then perhaps sealed with the project's key of version 0. */
  readonly bytes: Uint8Array
  readonly sealed: boolean
}

/** Another instance leads the project now; whoever gets this must stop working on it. */
export class LeaseLost extends Error {}

export interface LeaseState {
  /** Null when nobody leads. */
  readonly holder: string | null
  readonly fence: number
  readonly beat: number
}

export interface InProject {
  readonly projectId: ProjectId
}

/** A project as it is live at a revision. */
export interface AtRevision extends InProject {
  readonly asOf: number
}

export interface Lease extends InProject {
  readonly holder: string
  readonly fence: number
}

export interface Claimed {
  /** In order of acceptance. */
  readonly releases: readonly ClaimedRelease[]
  /** Null, or all there is to do. */
  readonly change: ClaimedChange | null
  /** Ended in this transaction: nothing to do, or refused. */
  readonly ended: readonly AnyRelease[]
}

export interface ClaimedChange {
  /** Its site as it is afterwards. */
  readonly release: DataModeRelease
  /** The live pages that are not sealed yet and have to be, since the key is new. */
  readonly unsealed: readonly UnsealedPage[]
}

export interface UnsealedPage {
  readonly pageId: PageId
  /** The name claimed for its file. */
  readonly file: string
}

/** How a page stands before a release of it. */
export type Standing = { readonly claimable: ClaimedRelease } | { readonly failure: ReleaseFailure }

export interface ClaimedRelease {
  /** Its site as it is published: the mode and the key decided now. */
  readonly release: Release
  /** The name claimed for the page's own file; empty when it publishes none. */
  readonly file: string
  /** Those of the paths that are to lead to the page at which nothing else lies; claimed as well. */
  readonly redirectFrom: readonly string[]
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
  /** Paths it had left when it was published, newest first; others may have taken some since. */
  readonly redirects: readonly string[]
}

export interface FailedRelease<Refused extends AnyRelease> {
  readonly release: Refused
  readonly failure: ReleaseFailure
}

export type Failed = FailedRelease<Release>

export interface LiveEntry {
  readonly pageId: PageId
  readonly entry: FeedEntry
}

/** What the site's own files say of a live page. */
export interface IndexLine extends SiteLines {
  readonly pageId: PageId
  readonly subroute: string
  readonly slug: string
}

export interface LiveObject {
  readonly key: string
  readonly owner: Owner
  /** SHA-256 of the plaintext, hex; null while the row is only a claim. */
  readonly digest: string | null
  readonly headerDigest: string | null
  /** Of the key it is sealed with; null when it is not. */
  readonly keyId: string | null
  /** What wrote it; null while the row is only a claim. */
  readonly writtenBy: Stamp | null
}

export interface ObjectRecord extends LiveObject {
  /** A release that claims it although it has ended. */
  readonly leftBy: ReleaseId | null
  /** True when it was let go and may lie there still. */
  readonly isLeaving: boolean
}

export interface UnnamedAsset {
  readonly key: string
  /** ISO 8601 UTC; null when it was not noted yet. */
  readonly since: string | null
  /** True when it was let go and may lie there still. */
  readonly isLeaving: boolean
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
  readonly card: LiveCard
  readonly lines: SiteLines
  /** Null for all but articles. */
  readonly feed: FeedEntry | null
  /** What search finds of it; null when it is not to be found. */
  readonly search: SearchEntry | null
  readonly digests: LiveDigests
  /** Paths it has left that redirect to it, newest first. */
  readonly redirects: readonly string[]
  /** Places of its document that links can lead to. */
  readonly anchors: readonly string[]
  /** Everything it went live with, whether it was uploaded or lay there. */
  readonly objects: readonly MadeObject[]
}

/** A page's own file, or an asset it names. */
export interface MadeObject extends Pick<Artifact, 'key' | 'stage'> {
  /** SHA-256 of the plaintext, hex. */
  readonly digest: string
}

/** The place of an article in the listing of a folder; nobody else ever gets it. */
export interface ListingSlot {
  readonly pageId: PageId
  readonly folder: string
  readonly slot: number
}

export interface ListingClaim {
  readonly key: string
  readonly folder: string
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
  /** Slots that were given to articles for the first time. */
  readonly slots: readonly ListingSlot[]
  readonly uploads: readonly Uploaded[]
  /** Those of the uploads that may have to be put back one day. */
  readonly kept: readonly KeptArtifact[]
  /** Keys that are no longer there. */
  readonly deletes: readonly string[]
  readonly site: LiveSite
  /** True when no search index lies there any more. */
  readonly searchGone: boolean
}

/** A page in the search index. */
export interface SearchPage {
  readonly pageId: PageId
  readonly releaseId: ReleaseId
}

export interface KeptEntry extends SearchPage {
  readonly entry: SearchEntry
}

export interface KeptBase {
  readonly shards: SearchBase
  /** In the order of their numbers. */
  readonly pages: readonly SearchPage[]
}

export interface SearchCommit extends Pick<Commit, 'uploads' | 'deletes'> {
  /** Null when no index lies there any more. */
  readonly base: KeptBase | null
  /** Whether words of what pages were before stand in it, of no use; a job takes them out within the hour. */
  readonly hasFormer: boolean
}

/** Everything that becomes true at once when a change of Data Mode is on the CDN. */
export interface DataModeCommit extends Pick<Commit, 'uploads' | 'deletes'> {
  readonly release: DataModeRelease
  readonly site: LiveSite
  /** Pages that are sealed for the first time, by the release that is live. */
  readonly pages: readonly GoneLive[]
  /** Keys of objects that were sealed anew, as they are, with the key. */
  readonly resealed: readonly string[]
  /** Lines of `_index.json` that are new. */
  readonly lines: readonly Pick<IndexLine, 'pageId' | 'line'>[]
}

export interface Upload {
  readonly artifact: Artifact
  readonly digest: string
  readonly headerDigest: string
  readonly reason: UploadReason
  /** In bytes, as it is stored. */
  readonly size: number
  /** Of the key it is sealed with; null when it is not. */
  readonly keyId: string | null
  readonly writtenBy: Stamp
}

/** An upload that is done, whose body nobody needs any more. */
export interface Uploaded extends Omit<Upload, 'artifact'> {
  readonly artifact: Omit<Artifact, 'body'>
}
