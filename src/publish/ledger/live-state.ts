import type { Owner } from '../../domain/artifact.ts'
import type { PageId, ProjectId, ReleaseId } from '../../domain/ids.ts'
import type { LiveCard, LiveFacts, SiteIdentity } from '../../domain/live-page.ts'
import type { Locale, Translated, TranslatedFacts } from '../../domain/locale.ts'
import type { MediaSource } from '../../domain/media.ts'
import type { Page } from '../../domain/page.ts'
import type { AnyRelease, Stamp } from '../../domain/release.ts'
import type { SearchEntry } from '../../domain/search-entry.ts'
import type { Settings } from '../../domain/settings.ts'
import type { FeedEntry, SiteLines } from '../../domain/site-lines.ts'
import type { InProject, Lease } from './leases.ts'
import type { ReleaseContents } from './stored-artifacts.ts'
import type { Upload } from './upload.ts'

/**
 * The live pages, and the objects on the CDN with their owners and claims. Implemented by
 * `db/ledger/live-state.ts`.
 */
export interface LiveState {
  /** Number of changes to the live site; 0 before the first publish. */
  revision(projectId: ProjectId): Promise<number>
  /** Site and settings of the last indexes; null before the first publish. */
  site(projectId: ProjectId): Promise<LiveSite | null>

  /**
   * Facts of the live pages of one type, for navigation.
   *
   * @param asOf the current revision, if the caller knows it already.
   */
  facts(projectId: ProjectId, type: Page['type'], asOf?: number): Promise<readonly LiveFacts[]>
  /** Facts of the live pages with one of these translation keys. */
  translations(projectId: ProjectId, keys: readonly string[]): Promise<readonly LiveFacts[]>
  /** The live pages at these paths. */
  pagesAt(projectId: ProjectId, paths: readonly string[]): Promise<readonly TranslatedFacts[]>
  /** Facts of these live pages and of their translations. */
  translationsOfPages(projectId: ProjectId, pages: readonly PageId[]): Promise<readonly LiveFacts[]>
  /** Cards of the live pages of one type, for listings and collections. `asOf` as above. */
  cards(projectId: ProjectId, type: Page['type'], asOf?: number): Promise<readonly LiveCard[]>
  /** The prepared line of each live page, sorted by subroute, then slug, by code unit. `asOf` as above. */
  indexLines(projectId: ProjectId, asOf?: number): Promise<readonly IndexLine[]>
  /**
   * Feed entries of the live articles: the newest of each of these languages, or of all pages where a site has none.
   * Articles of no language or of another one are those of the default one, as `feedLocale` decides.
   */
  feedEntries(
    projectId: ProjectId,
    limit: number,
    locales: readonly Locale[],
  ): Promise<readonly LiveFeedEntry[]>
  /** Slots of these pages in listings, live or not. */
  slotsOf(projectId: ProjectId, pages: readonly PageId[]): Promise<readonly ListingSlot[]>
  /** The next free slot of each of these folders. */
  nextSlots(projectId: ProjectId, folders: readonly string[]): Promise<ReadonlyMap<string, number>>

  /** Every object and claim of the project, sorted by key. */
  allObjects(projectId: ProjectId): Promise<readonly ObjectRecord[]>
  /** Objects and claims of these pages and their redirects. */
  objectsOfPages(projectId: ProjectId, pages: readonly PageId[]): Promise<readonly LiveObject[]>
  /** Objects and claims of every owner of these kinds. */
  objectsOfKinds(projectId: ProjectId, kinds: readonly Owner['kind'][]): Promise<readonly LiveObject[]>
  /** Objects and claims at these keys. */
  objectsAt(projectId: ProjectId, keys: readonly string[]): Promise<readonly LiveObject[]>
  /** Objects and keys claimed by these releases. */
  objectsClaimedBy(releases: readonly ReleaseId[]): Promise<readonly LiveObject[]>
  /**
   * Every object these releases may have written or removed: their claims and the objects of their pages; for a
   * new content key the objects of all pages.
   */
  objectsTouchedBy(releases: readonly AnyRelease[]): Promise<readonly LiveObject[]>
  /** Earlier pages at these paths, the last one first. */
  formersAt(projectId: ProjectId, paths: readonly string[]): Promise<readonly FormerAddress[]>
  /** Sizes in bytes of the existing objects at these keys. */
  sizesOf(projectId: ProjectId, keys: readonly string[]): Promise<ReadonlyMap<string, number>>
  /**
   * The anchors of the page behind each of these keys; null for an object that is no page. Keys without an
   * object are left out.
   */
  linkTargets(
    projectId: ProjectId,
    keys: readonly string[],
  ): Promise<ReadonlyMap<string, readonly string[] | null>>

  /** Assets without a reference of live pages, or of frozen ones of Data Mode. Other files may still reference them. */
  orphanedAssets(projectId: ProjectId): Promise<readonly OrphanedAsset[]>
  /**
   * Keys of pictures and files that no live page references, and that are plaintext or sealed with another key than
   * this one.
   */
  exposedMedia(projectId: ProjectId, keyId: string): Promise<readonly string[]>
  /** Projects in Data Mode with pictures or files not sealed with their current key, shown by a page or not. */
  projectsWithExposedMedia(): Promise<readonly ProjectId[]>
  /** @param since when the assets lost their last reference; null when they have one again. */
  markOrphaned(lease: Lease, keys: readonly string[], since: string | null): Promise<void>
  /** Durably marks objects for deletion; from here on they count as missing. */
  markForDeletion(lease: Lease, keys: readonly string[]): Promise<void>
  /** Deletes the rows of objects removed from the store. */
  deleteObjects(lease: Lease, keys: readonly string[]): Promise<void>
  /** Records objects rewritten by a repair, and frees the claims of these ended releases. */
  recordRepair(lease: Lease, rewritten: readonly Upload[], freed: readonly ReleaseId[]): Promise<void>
}

/** A project at a known revision. */
export interface AtRevision extends InProject {
  readonly asOf: number
}

/** Site and settings of a project as live. */
export interface LiveSite {
  /** Counts the changes to the live site, from 1. */
  readonly revision: number
  readonly site: SiteIdentity
  readonly settings: Settings
  /** What the settings name; absent for nothing. */
  readonly media?: MediaSource | undefined
  /** Times of feeds as in `feed-times.ts`; absent for none, and in builds, which have no earlier feeds. */
  readonly feedTimes?: Readonly<Record<string, string>> | undefined
}

/** Row of `live_pages`, written by a release for its page. */
export interface LivePageRow extends ReleaseContents {
  readonly pageId: PageId
  readonly releaseId: ReleaseId
  readonly facts: LiveFacts
  readonly card: LiveCard
  readonly lines: SiteLines
  /** Entry of an article in feeds; null for other types. */
  readonly feed: FeedEntry | null
  /** Entry in the search index; null outside of it. */
  readonly search: SearchEntry | null
  /** Previous paths with redirects to the page, newest first. Builds read them again. */
  readonly redirects: readonly string[]
  /** Ids in the page's document, as targets of links. */
  readonly anchors: readonly string[]
}

/** The lines of a live page in the site's own files. */
export interface IndexLine extends SiteLines {
  readonly pageId: PageId
  readonly subroute: string
  readonly slug: string
  /** Absent on a site without locales. */
  readonly translated?: Translated
}

export interface LiveFeedEntry {
  readonly pageId: PageId
  readonly entry: FeedEntry
}

/** Former path of a page. */
export interface FormerAddress {
  readonly path: string
  readonly pageId: PageId
  /** Live path of the page; null without one. */
  readonly livePath: string | null
}

/** The position of an article in the listing of its folder. A slot is never given to another page. */
export interface ListingSlot {
  readonly pageId: PageId
  readonly folder: string
  readonly slot: number
}

/** A row of `live_objects`: an object on the CDN, or a claim of its key. */
export interface LiveObject {
  readonly key: string
  readonly owner: Owner
  /** SHA-256 of the plaintext, hex; null while the row is only a claim. */
  readonly digest: string | null
  readonly headerDigest: string | null
  /** Id of the sealing key; null for plaintext. */
  readonly keyId: string | null
  /** Publish that wrote the object; null while the row is only a claim. */
  readonly writtenBy: Stamp | null
}

export interface ObjectRecord extends LiveObject {
  /** Ended release with a remaining claim on the key. */
  readonly claimedByEnded: ReleaseId | null
  /** True when the object is marked for deletion and may still exist on the store. */
  readonly isDeleting: boolean
}

export interface OrphanedAsset {
  readonly key: string
  /** ISO 8601 UTC; null when the asset is not marked as orphaned yet. */
  readonly since: string | null
  /** True when the asset is marked for deletion and may still exist on the store. */
  readonly isDeleting: boolean
}
