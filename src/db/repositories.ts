import type { AccountLimits, AccountUsage } from '../domain/account-limits.ts'
import type { Asset, OriginalId } from '../domain/asset.ts'
import type { Caller, IdempotentRequest, Permission, Plan, ReserveBytes } from '../domain/caller.ts'
import type { DomainProof } from '../domain/domain-proof.ts'
import type {
  AssetId,
  DeliveryId,
  Id,
  IdPrefix,
  KeyId,
  PageId,
  ProjectId,
  ReleaseId,
  UserId,
  WebhookId,
} from '../domain/ids.ts'
import type { ImageFacts } from '../domain/image.ts'
import type { Snapshot } from '../domain/live-page.ts'
import type { MediaSource } from '../domain/media.ts'
import type { AssetKind } from '../domain/media-type.ts'
import type { Page, PageStatus, PageSummary, PageType, Undo } from '../domain/page.ts'
import type { StoredVariant } from '../domain/picture-variants.ts'
import type { Hosting, Project, ProjectStatus } from '../domain/project.ts'
import type { Allowance } from '../domain/rate-limit.ts'
import type { DataModeRelease, PastRelease, Release, ReleaseFailure, ReleaseOp } from '../domain/release.ts'
import type { SiteRoutes } from '../domain/route.ts'
import type { Settings } from '../domain/settings.ts'
import type { SiteHost } from '../domain/site-host.ts'
import type { LiveDigests } from '../domain/staleness.ts'
import type { KeyMonth, MonthUsage } from '../domain/usage.ts'
import type { Delivery, DeliveryState, NewEvent, Sending, Webhook } from '../domain/webhook.ts'
import type { JobQueue } from '../jobs/job-queue.ts'
import type { WrappedKey } from '../publish/ledger/stored-artifacts.ts'
import type { TransactOptions } from './connections.ts'

/**
 * The database of the services. Implemented over Knex; `test/contract/database-contract.ts` is the executable form of
 * this comment. Unique indexes decide about conflicts: a write that would violate one throws
 * `ServiceError('conflict')`.
 */
export interface Database {
  /** Reads as of the newest commit. A read never waits for a write. */
  readonly read: Repositories
  /**
   * Runs `work` as one transaction that holds the write lock from its start, so that its reads stay valid until the
   * commit. Rolls back when `work` rejects. Never wait for anything slow inside.
   */
  write<T>(work: (repositories: Repositories) => Promise<T>, options?: TransactOptions): Promise<T>
  /**
   * Reads and writes. Rejects when the database does not answer, when a write cannot start in time, or when the file
   * is known to be damaged.
   */
  check(timeoutMs: number): Promise<void>
  /**
   * Reads the whole file for damage, which `check` then reports; slow.
   *
   * @returns tables that were left out because they are too large.
   */
  checkFile(): Promise<readonly string[]>
  close(): Promise<void>
}

export interface Repositories {
  readonly users: UserRepository
  readonly accounts: AccountRepository
  readonly keys: KeyRepository
  readonly projects: ProjectRepository
  readonly settings: SettingsRepository
  readonly pages: PageRepository
  readonly releases: ReleaseRepository
  readonly assets: AssetRepository
  readonly originals: OriginalRepository
  readonly variants: VariantRepository
  readonly contentKeys: ContentKeyRepository
  readonly lostSecrets: LostSecretRepository
  readonly pruning: PruningRepository
  readonly idempotency: IdempotencyRepository
  readonly usage: UsageRepository
  readonly jobs: JobQueue
  readonly webhooks: WebhookRepository
  readonly cachePurges: CachePurgeRepository
  readonly overview: OverviewRepository
}

export interface User {
  readonly id: UserId
  readonly email: string
  readonly canCreateProjects: boolean
  readonly createdAt: string
}

export interface UserRepository {
  /** @throws {ServiceError} `conflict` when the e-mail address is taken. */
  insert(user: User): Promise<void>
  find(id: UserId): Promise<User | null>
  findByEmail(email: string): Promise<User | null>
  /** In order of creation. */
  list(): Promise<readonly User[]>
  /** The oldest user; null when there is none. */
  first(): Promise<User | null>
}

/** What an account stores, counted in the transactions of the writes. */
export interface Account {
  readonly userId: UserId
  readonly usage: AccountUsage
  /** Limits that the operator has set for the account; null for none. */
  readonly ownLimits: Partial<AccountLimits> | null
}

export interface AccountRepository {
  /** Ids of all accounts. */
  ids(): Promise<readonly UserId[]>
  /** Null when there is no such user. */
  ofUser(id: UserId): Promise<Account | null>
  /** The account of a project, with the pages of that project. Null when the project does not exist. */
  ofProject(id: ProjectId): Promise<Account | null>
  /** The plans of an account's keys that are neither revoked nor expired. */
  plansOf(id: UserId, now: string): Promise<readonly Plan[]>
  /** The project with the most pages; null without any project. */
  largestProject(id: UserId): Promise<ProjectId | null>
  /** Replaces the account's own limits. */
  setLimits(id: UserId, limits: Partial<AccountLimits> | null): Promise<void>
}

/** An API key without the key. */
export interface ApiKey {
  readonly id: KeyId
  readonly userId: UserId
  readonly projectScope: ProjectId | null
  readonly name: string
  readonly plan: Plan
  /** Limits of an enterprise key; those left out are unlimited. Null for other plans. */
  readonly limits: Partial<Allowance> | null
  readonly permissions: readonly Permission[]
  readonly expiresAt: string | null
  readonly revokedAt: string | null
  /** Until when the secret before the last rotation is accepted too; null when no other one is. */
  readonly formerUntil: string | null
  readonly createdAt: string
  readonly version: number
}

/** Which keys of an account to list, newest first. */
export interface KeyFilter {
  readonly userId: UserId
  /** Keys that are restricted to this project; null for all. */
  readonly projectScope: ProjectId | null
  /** Keys that are neither revoked nor expired at this time. */
  readonly liveAt: string
}

/** A key, and the caller behind its requests. */
export interface FoundKey {
  /** Found by the secret before its last rotation, it expires with that. */
  readonly key: ApiKey
  readonly caller: Caller
}

export interface KeyRepository {
  insert(key: ApiKey, hash: string): Promise<void>
  /** The key with its user, also when it is expired or revoked; null when no key has this hash. */
  findByHash(hash: string): Promise<FoundKey | null>
  /** As `findByHash`, by the key's id. */
  find(id: KeyId): Promise<FoundKey | null>
  list(): Promise<readonly ApiKey[]>
  listLive(
    filter: KeyFilter,
    slice: { readonly limit: number; readonly offset: number },
  ): Promise<Listed<ApiKey>>
  /** Changes the fields that people set; the version becomes that of the key. */
  update(key: ApiKey): Promise<void>
  /** Replaces the secret. The one before is accepted until `key.formerUntil`. */
  rotate(key: ApiKey, hash: string): Promise<void>
  /** Replaces the secret that the client never received; the one before a rotation is accepted as before. */
  reissue(id: KeyId, hash: string): Promise<void>
  /** False when the key does not exist. A key that is revoked already is unchanged. */
  revoke(id: KeyId, now: string): Promise<boolean>
}

/** A project with the setting that the paths of its pages depend on. */
export interface Home {
  readonly project: Project
  readonly siteRoutes: SiteRoutes
}

export interface ProjectRecord extends Home {
  readonly pageCount: number
  /** Null without a custom domain. */
  readonly domainProof: DomainProof | null
}

/** The project that serves a custom domain, or its name with or without `www.`. */
export interface DomainHolder {
  readonly id: ProjectId
  readonly proof: DomainProof
}

/** The project that a visitor's host belongs to. */
export type HostedProject = Pick<Project, 'id' | 'status'> & {
  readonly hosting: Pick<Hosting, 'mode' | 'basePath' | 'customDomain'>
}

export interface ProjectFilter {
  readonly userId: UserId
  /** Restricts to one project. */
  readonly only: ProjectId | null
  readonly status: ProjectStatus | null
  readonly domain: string | null
  /** Exclusive bounds. */
  readonly createdAfter: string | null
  readonly createdBefore: string | null
}

export type ProjectSort = 'created_at' | 'updated_at' | 'name'

export interface Paging<Sort extends string> {
  readonly sort: Sort
  readonly order: 'asc' | 'desc'
  readonly limit: number
  readonly offset: number
}

export interface Listed<T> {
  readonly items: readonly T[]
  /** Number of all matches, not only of this page. */
  readonly total: number
}

export interface ProjectRepository {
  /** Inserts the project with default settings. A number at the end makes its slug unique for the owner. */
  insert(project: Project): Promise<Project>
  find(id: ProjectId): Promise<ProjectRecord | null>
  /** Null when the project does not exist. */
  statusOf(id: ProjectId): Promise<ProjectStatus | null>
  /** The owner of a project, also of a deleted one; null for an unknown id. */
  ownerOf(id: ProjectId): Promise<UserId | null>
  /**
   * The project with this host, in any status; null when there is none. A custom domain is found while its proof is
   * active, also by its name with or without `www.`, which then differs from `hosting.customDomain`.
   */
  findByHost(host: SiteHost): Promise<HostedProject | null>
  list(filter: ProjectFilter, paging: Paging<ProjectSort>): Promise<Listed<ProjectRecord>>
  all(): Promise<readonly ProjectRecord[]>
  /** Ids of all projects, deleted ones included, oldest first. */
  ids(): Promise<readonly ProjectId[]>
  /**
   * A change of the custom domain needs its proof too.
   *
   * @throws {ServiceError} `conflict` when another project of the user has the domain, with or without `www.`, or any
   *   project serves it or has the subdomain.
   */
  update(id: ProjectId, fields: ProjectFields, now: string): Promise<void>
  /** The projects that serve this domain, or its name with or without `www.`: one, or one each from before proofs. */
  domainHolders(domain: string): Promise<readonly DomainHolder[]>
  /** Records the result of a check. It is no edit, so version and `updatedAt` stay. */
  setDomainProof(id: ProjectId, proof: DomainProof): Promise<void>
  /** Number of its live pages that are stored as plaintext. */
  plaintextPages(id: ProjectId): Promise<number>
  /** Marks the project as deleted: it is not found any more, and its name and addresses are free. The row remains as a tombstone. */
  markDeleted(id: ProjectId, now: string): Promise<void>
}

/** Fields of a project to change; `undefined` leaves a field unchanged. */
export type ProjectFields = {
  readonly [K in 'name' | 'status' | 'context' | 'legacySettings']?: Project[K] | undefined
} & {
  readonly hosting?: { readonly [K in keyof Hosting]?: Hosting[K] | undefined } | undefined
  readonly domainProof?: DomainProof | null | undefined
}

export interface SettingsRecord {
  readonly settings: Settings
  readonly updatedAt: string
  readonly version: number
}

export interface SettingsRepository {
  /** @param reserve called before large settings are read. */
  find(projectId: ProjectId, reserve?: ReserveBytes): Promise<SettingsRecord>
  /** Writes only the given fields, so that concurrent writers of different fields do not overwrite each other. */
  update(projectId: ProjectId, fields: SettingsFields, now: string): Promise<void>
}

export type SettingsFields = { readonly [K in keyof Settings]?: Settings[K] | undefined }

export interface PageFilter {
  readonly projectId: ProjectId
  readonly type: PageType | null
  readonly status: PageStatus | null
  readonly subroute: string | null
  /** An exact slug, or a pattern in which `*` matches any characters. */
  readonly slug: string | null
  /** The address of a tag. */
  readonly tag: string | null
  readonly createdAfter: string | null
  readonly createdBefore: string | null
  readonly updatedAfter: string | null
  readonly updatedBefore: string | null
}

export type PageSort = 'created_at' | 'updated_at' | 'page_name' | 'slug'

/** Statistics about the pages of a project. */
export interface PageStats {
  readonly byStatus: Readonly<Record<PageStatus, number>>
  readonly byType: Readonly<Record<PageType, number>>
  readonly wordCount: number
  /** When a page was last published, even if it is not live any more; null when none was. */
  readonly lastPublishedAt: string | null
}

export interface PageRepository {
  /** @throws {ServiceError} `conflict` when the slug is taken in the subroute. */
  insert(page: Page): Promise<void>
  /** @param reserve called before the content of a large page is read. */
  find(id: PageId, reserve?: ReserveBytes): Promise<{ readonly page: Page; readonly home: Home } | null>
  list(filter: PageFilter, paging: Paging<PageSort>): Promise<Listed<PageSummary>>
  /**
   * As `list`, with config and Markdown. Stops before their bytes exceed `MAX_LIST_BYTES`.
   *
   * @param reserve called before the content is read.
   */
  listWithContent(filter: PageFilter, paging: Paging<PageSort>, reserve?: ReserveBytes): Promise<Listed<Page>>
  stats(projectId: ProjectId): Promise<PageStats>
  /** Replaces the stored page. @throws {ServiceError} `conflict` when the slug is taken in the subroute. */
  update(page: Page): Promise<void>
  delete(id: PageId): Promise<void>
  /** Every live page of a project, oldest first. */
  published(projectId: ProjectId): Promise<readonly PageId[]>
  /** The subset of the ids that belongs to the project. */
  idsWithin(projectId: ProjectId, ids: readonly PageId[]): Promise<ReadonlySet<PageId>>
  /** Bytes of the content of the project's pages among these ids. Accepts at most 500 ids. */
  contentBytes(projectId: ProjectId, ids: readonly PageId[]): Promise<ReadonlyMap<PageId, number>>
  /** The project's pages among these ids, in any order. Accepts at most 500 ids. */
  findWithin(projectId: ProjectId, ids: readonly PageId[]): Promise<readonly Page[]>
  /** Pages whose slug or subroute the alphabet `standard` does not allow, oldest first, at most `limit`. */
  needingWide(projectId: ProjectId, limit: number): Promise<Listed<Pick<Page, 'id' | 'subroute' | 'slug'>>>
  /** The live page at each of these paths. */
  liveAt(projectId: ProjectId, paths: readonly string[]): Promise<ReadonlyMap<string, PageId>>
  /** The path that the redirect at this key leads to; null when there is no redirect. */
  redirectTarget(projectId: ProjectId, key: string): Promise<string | null>
  /** The digests with which the live ones among these pages were published. */
  liveDigests(ids: readonly PageId[]): Promise<ReadonlyMap<PageId, LiveDigests>>
}

export interface AssetFilter {
  readonly projectId: ProjectId
  readonly kind: AssetKind | null
  /** A part of the name, or a pattern in which `*` matches any characters. ASCII letters match in either case. */
  readonly name: string | null
  /** Only assets that no page names, except those with these names; null for all. */
  readonly unusedBut: readonly string[] | null
}

export type AssetSort = 'created_at' | 'updated_at' | 'name' | 'bytes'

/** A page that names an asset, and which version of it does. */
export type NamingPage = Pick<Page, 'id' | 'title' | 'subroute' | 'slug'> & {
  /** Whether the page as it is now names it. */
  readonly draft: boolean
  /** Whether the page as it is live names it. */
  readonly live: boolean
}

export interface AssetRepository {
  /** @throws {ServiceError} `conflict` when the name is taken in the project. */
  insert(asset: Asset): Promise<void>
  find(id: AssetId): Promise<Asset | null>
  findByName(projectId: ProjectId, name: string): Promise<Asset | null>
  list(filter: AssetFilter, paging: Paging<AssetSort>): Promise<Listed<Asset>>
  /** Replaces the stored asset. @throws {ServiceError} `conflict` when the name is taken in the project. */
  update(asset: Asset): Promise<void>
  delete(id: AssetId): Promise<void>
  /** The digests among these that an asset of the project has. */
  storedDigests(projectId: ProjectId, digests: readonly string[]): Promise<ReadonlySet<string>>
  /** Numbers of pages, live or not, that name these assets, by name; none of a name that no page has. At most 500 names. */
  pagesNaming(projectId: ProjectId, names: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** The pages that name an asset: those live first, then by address; at most `limit`. */
  usage(projectId: ProjectId, name: string, limit: number): Promise<readonly NamingPage[]>
  /** What a publish now shows for those of these names that assets have. */
  published(projectId: ProjectId, names: readonly string[]): Promise<MediaSource>
  /** The names in the live versions of these pages, by page; none of pages that name nothing. */
  liveNames(pages: readonly PageId[]): Promise<ReadonlyMap<PageId, readonly string[]>>
  /** Whether a live page names an asset. */
  isShownLive(projectId: ProjectId, name: string): Promise<boolean>
  /** The settings with which the live site was last written, and those with which its live pages were, each once. */
  liveSettings(projectId: ProjectId): Promise<readonly LiveSettings[]>
  /** Live pages that were published with these settings, by path. Sealed ones show nothing of settings. */
  pagesWithSettings(
    projectId: ProjectId,
    digests: readonly string[],
    limit: number,
  ): Promise<readonly NamingPage[]>
}

export interface LiveSettings {
  readonly digest: string
  readonly settings: Settings
  /** Whether the documents of the site that are no pages were written with them. */
  readonly isSite: boolean
}

/** The bytes of an upload in the media store. */
export interface Original {
  readonly id: OriginalId
  readonly projectId: ProjectId
  /** SHA-256 of the upload, hex. */
  readonly digest: string
  /** Of the stored bytes. */
  readonly bytes: number
}

/**
 * Records of what the media store has. A record exists before its object and until after it, so that nothing is in
 * the store without one. Bytes count for the account while they are stored, and while they are being stored.
 */
export interface OriginalRepository {
  /** An original of the project with this digest that an asset has, and that is not lost; null for none. */
  findStored(projectId: ProjectId, digest: string): Promise<OriginalId | null>
  /** SHA-256, hex, and size of what is stored of an original with this digest; null for none. */
  findBytes(
    projectId: ProjectId,
    digest: string,
  ): Promise<{ readonly digest: string; readonly bytes: number } | null>
  /** A lost original of the project with these digests; null for none. */
  findLost(projectId: ProjectId, digest: string, storedDigest: string): Promise<OriginalId | null>
  isLost(id: OriginalId): Promise<boolean>
  /** An original with these stored bytes, or with a variant that has them; null for none. */
  findByBytes(projectId: ProjectId, digest: string): Promise<OriginalId | null>
  /** All originals of a project. */
  ofProject(projectId: ProjectId): Promise<readonly OriginalRecord[]>
  /** Records whether the media store has lost the bytes. The assets that have the original say so. */
  setLost(id: OriginalId, isLost: boolean): Promise<void>
  /** Assets and live pages that show an original: by their names in pages and settings, as they were published. */
  shownBy(id: OriginalId, limit: number): Promise<OriginalUse>
  /**
   * Records an object that is about to be written.
   *
   * @param original.storedDigest SHA-256 of the stored bytes, hex.
   * @param dueAt when it may be removed, if no asset has it by then.
   */
  insertStoring(original: Original & { readonly storedDigest: string }, dueAt: string): Promise<void>
  /** Call it in the transaction that gives it to an asset: its bytes are stored. False when it may have been removed already. */
  markStored(id: OriginalId): Promise<boolean>
  /**
   * Marks an original for removal, unless an asset has it, or a release or the live site shows it.
   *
   * @param dueAt when it may be removed.
   * @returns whether it is marked now, so that no asset can get it any more.
   */
  release(id: OriginalId, dueAt: string): Promise<boolean>
  /** Originals to remove now, which nothing needs any more, at most `limit`. */
  due(now: string, limit: number): Promise<readonly Original[]>
  /** Deletes the records of an original that is marked for removal and of its variants. Call it when their objects are gone. */
  delete(id: OriginalId): Promise<void>
}

export interface OriginalRecord extends Original {
  /** SHA-256 of the stored bytes, hex. */
  readonly storedDigest: string
  readonly state: 'storing' | 'stored' | 'removing'
  readonly isLost: boolean
}

export interface OriginalUse {
  readonly assets: readonly Pick<Asset, 'id' | 'name'>[]
  readonly pages: readonly Pick<NamingPage, 'id' | 'subroute' | 'slug'>[]
  readonly totalPages: number
  /** Whether documents of the site that are no pages show it, by the settings. */
  readonly inSite: boolean
}

/** Records of the variants that the media store has of originals. They go with their original. */
export interface VariantRepository {
  /** The variants that pages get of these originals, by format, then width; none of originals without any. */
  of(originals: readonly OriginalId[]): Promise<ReadonlyMap<OriginalId, readonly StoredVariant[]>>
  /** As `of`, with those of other recipes: earlier releases show them, and those of a new one are not complete. */
  allOf(originals: readonly OriginalId[]): Promise<ReadonlyMap<OriginalId, readonly StoredVariant[]>>
  /** What has become of the request for variants of an original; null when there was none. */
  status(original: OriginalId): Promise<VariantStatus | null>
  /** Records it for the original and for all of its assets. Null: nothing is requested, and the assets are ready. */
  setStatus(original: OriginalId, status: VariantStatus | null): Promise<void>
  /**
   * Records that variants of this recipe were requested. Pages get them from the first one on if there are no others.
   *
   * @returns false if they were requested before.
   */
  setRequested(original: OriginalId, recipe: number): Promise<boolean>
  /** Gives pages the variants of this recipe from now on. */
  show(original: OriginalId, recipe: number, now: string): Promise<void>
  /**
   * Originals of assets of an account whose variants were never requested, or were with an earlier recipe, those of files
   * among them, in any order. Lost ones are left out.
   */
  unrequested(userId: UserId, recipe: number, limit: number): Promise<readonly UnrequestedOriginal[]>
  /** Completes what the assets of an original say about it. */
  setColours(original: OriginalId, facts: Pick<ImageFacts, 'colour' | 'thumbhash'>): Promise<void>
  /** SHA-256 of the stored bytes of an original, hex; null when it is being removed. */
  storedDigest(original: OriginalId): Promise<string | null>
  /** Records a variant that was stored. False when its original is being removed. */
  insert(original: OriginalId, variant: StoredVariant): Promise<boolean>
}

export interface UnrequestedOriginal extends Pick<Asset, 'originalId' | 'projectId' | 'digest' | 'image'> {
  /** Of its variants; null where none were requested. */
  readonly status: Asset['status'] | null
}

export type VariantStatus = Pick<Asset, 'status' | 'failure'>

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
  /** The edit that the same request made; it is undone when the release is refused. Null without an edit. */
  readonly undo: Undo | null
  readonly createdAt: string
  /** As in `Release`. */
  readonly deadlineAt: string | null
}

export interface CompressedSnapshot {
  readonly id: ReleaseId
  readonly snapshot: Uint8Array
}

export interface ReleaseRepository {
  /** From here on the release ends exactly once, also after a crash. */
  accept(release: AcceptedRelease): Promise<void>
  find(id: ReleaseId): Promise<Release | null>
  /** The page's releases, newest first, without those that had no effect. */
  history(
    pageId: PageId,
    slice: { readonly limit: number; readonly offset: number },
  ): Promise<Listed<PastRelease>>
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
  /** As `accept`, for a change of Data Mode. */
  acceptDataMode(change: AcceptedDataMode): Promise<void>
  /** The content key that a release created; null when it created none, or the key has been replaced. */
  contentKey(releaseId: ReleaseId): Promise<WrappedKey | null>
}

/** Secrets of a project that no available master key opens. */
export interface LostSecrets {
  readonly projectId: ProjectId
  readonly kind: 'content key' | 'webhook secret'
}

export interface LostSecretRepository {
  /** Projects with secrets that none of these master keys sealed, each kind once. Without ids, projects with any. */
  find(masterKeyIds: readonly string[]): Promise<readonly LostSecrets[]>
  /**
   * Replaces the lost secrets of a project with new ones. Removes the stored bytes that a lost key sealed. Publishes
   * are then refused until the content key is regenerated, because readers do not have the new one.
   */
  replace(projectId: ProjectId, masterKeyIds: readonly string[], create: CreateSecrets): Promise<void>
}

/** Creates random secrets, sealed with the newest master key. */
export interface CreateSecrets {
  readonly contentKey: (version: number) => WrappedKey
  readonly webhookSecret: (id: WebhookId) => SealedSecret
}

/** The wrapped keys of all projects. */
export interface ContentKeyRepository {
  /** Keys that another master key wraps, at most `limit`. */
  findWrappedByOther(
    masterKeyId: string,
    limit: number,
  ): Promise<readonly (WrappedKey & { readonly projectId: ProjectId })[]>
  /** Replaces a wrapped key, unless it was destroyed or replaced since. */
  rewrap(projectId: ProjectId, current: WrappedKey, rewrapped: WrappedKey): Promise<void>
}

/** The durable record of a Data Mode change, written before anything is uploaded. */
export type AcceptedDataMode = Pick<
  DataModeRelease,
  'id' | 'projectId' | 'op' | 'site' | 'settings' | 'createdAt' | 'deadlineAt'
>

/** Webhooks and their deliveries. */
export interface WebhookRepository {
  insert(webhook: Webhook, secret: SealedSecret): Promise<void>
  find(projectId: ProjectId, id: WebhookId): Promise<Webhook | null>
  /** Oldest first. */
  list(projectId: ProjectId): Promise<readonly Webhook[]>
  /** Replaces the stored webhook except its secrets. */
  update(webhook: Webhook): Promise<void>
  /** Deletes the webhook with its deliveries. */
  delete(id: WebhookId): Promise<void>
  /** The current secret, then the previous one while it still signs. */
  secrets(id: WebhookId, now: string): Promise<readonly SealedSecret[]>
  /** Sets a new secret. The current one becomes the previous one and signs as well until `previousUntil`. */
  replaceSecret(id: WebhookId, secret: SealedSecret, previousUntil: string): Promise<void>

  /**
   * Enqueues deliveries of these events to the project's webhooks that subscribe to them. Call it inside the
   * transaction of the events. Reads one small row per webhook.
   */
  enqueueEvents(projectId: ProjectId, events: readonly NewEvent[], ports: EventPorts): Promise<void>
  /** Enqueues a delivery to one webhook, whether it subscribes to the event or not. */
  enqueueTo(webhook: Webhook, event: NewEvent, ports: EventPorts): Promise<Delivery>
  /** Enqueues a delivery again that may have ended. */
  enqueueAgain(webhook: Webhook, delivery: Delivery, ports: EventPorts): Promise<void>
  /** The delivery with its current webhook; null when one of them, or the project, was deleted. */
  findSending(id: DeliveryId): Promise<Sending | null>
  /** Ends the window of a batch that is about to be sent: later events go into another batch. As `findSending` after that. */
  closeBatch(id: DeliveryId): Promise<Sending | null>
  /** Makes a pending delivery due now. The caller reschedules its job. */
  makeDue(id: DeliveryId, now: string): Promise<void>
  /** Records an attempt. False when the delivery was attempted or ended elsewhere since `previous` was read. */
  recordTry(previous: Sending, next: Sending): Promise<boolean>
  findDelivery(webhookId: WebhookId, id: DeliveryId): Promise<Delivery | null>
  /**
   * Newest first. Stops before the bytes of the deliveries exceed `MAX_LIST_BYTES`.
   *
   * @param reserve called before they are read.
   */
  deliveries(
    webhookId: WebhookId,
    filter: { readonly state: DeliveryState | null; readonly limit: number; readonly offset: number },
    reserve?: ReserveBytes,
  ): Promise<Listed<Delivery>>

  /** Secrets that another master key seals, at most `limit`. */
  findSecretsSealedByOther(masterKeyId: string, limit: number): Promise<readonly WebhookSecret[]>
  /** Replaces a sealed secret, unless it was replaced since. */
  resealSecret(current: WebhookSecret, resealed: SealedSecret): Promise<void>

  /**
   * Deletes deliveries that ended more than 30 days ago, those beyond the newest 10,000 of a webhook, and expired
   * secrets; a bounded number of rows per call. Disables webhooks with more than 50,000 pending deliveries.
   *
   * @returns whether more rows may have to be deleted.
   */
  prune(now: string): Promise<boolean>
}

/** Statistics about the installation. */
export interface OverviewRepository {
  /** @param since the time from which failures are counted. */
  read(since: string): Promise<Overview>
}

export interface Overview {
  readonly projects: Readonly<Record<ProjectStatus, number>>
  readonly pages: { readonly total: number; readonly live: number }
  /** Unfinished releases. */
  readonly releases: { readonly waiting: number; readonly reverting: number }
  readonly webhooks: {
    readonly active: number
    /** Disabled by Quoin. */
    readonly off: number
    /** Active, with a failed last attempt. */
    readonly failing: number
  }
  readonly failures: { readonly jobs: number; readonly deliveries: number }
}

/** Clock and ids for enqueueing events. */
export interface EventPorts {
  readonly newId: <K extends IdPrefix>() => Id<K>
  /** Current time, ISO 8601 UTC. */
  readonly now: string
}

/** An object, or a whole site, whose purge is pending. */
export interface PendingPurge {
  readonly projectId: ProjectId
  /** Relative to the project's prefix; `WHOLE_SITE` for everything. */
  readonly key: string
  /** Changes when it is requested again. */
  readonly requestId: string
  /** Whether it was purged once already. */
  readonly isRepeat: boolean
}

/** The pending purges of the CDN. Publishing records them with each release. */
export interface CachePurgeRepository {
  /** Requests that everything of a site is forgotten, and enqueues a job for it unless one is queued. */
  requestSite(projectId: ProjectId, ports: EventPorts): Promise<void>
  /** What is due, of all projects, longest due first. */
  due(now: string, limit: number): Promise<readonly PendingPurge[]>
  /** When the next purge of a project is due; null when none is pending. */
  nextOf(projectId: ProjectId): Promise<string | null>
  /** Removes what was purged, or makes it due again the first time. Leaves what was requested again meanwhile. */
  settle(purged: readonly PendingPurge[], repeatAt: string | null): Promise<void>
  /** Enqueues a job for a project, or makes the queued one due earlier. */
  enqueueJob(projectId: ProjectId, dueAt: string, ports: EventPorts): Promise<void>
}

/** A webhook's secret, sealed with a master key. */
export interface SealedSecret {
  readonly masterKeyId: string
  /** Base64. */
  readonly sealed: string
}

export interface WebhookSecret extends SealedSecret {
  readonly webhookId: WebhookId
}

/**
 * Deletes history that is no longer needed. Each call examines a bounded number of rows after the given cursor and
 * returns the next cursor, or null at the end.
 */
export interface PruningRepository {
  /**
   * Deletes releases older than 90 days, except live ones and the newest 50 of each page; and releases without an
   * effect after two days.
   */
  releases(now: string, after: PruneCursor | null): Promise<PruneCursor | null>
  /**
   * Deletes the oldest ended releases of an account's largest project, and the files that only they reference, except
   * live releases and the newest 5 of each page; a bounded number per call.
   *
   * @returns whether any was deleted.
   */
  oldestOf(userId: UserId): Promise<boolean>
  /** Deletes artifacts that neither a release nor a live object references. */
  artifacts(after: PruneCursor | null): Promise<PruneCursor | null>
  /** Deletes settings that neither a release nor a live site references. */
  settings(after: PruneCursor | null): Promise<PruneCursor | null>
}

/** An opaque position in the rows. */
export type PruneCursor = string

/** Requests with an idempotency key and their answers, stored for a day. */
export interface IdempotencyRepository {
  find(request: IdempotentRequest, now: string): Promise<IdempotencyRecord | null>
  /** Records the resource that a request created. Call it inside the transaction that creates it. */
  insert(request: IdempotentRequest, resourceId: string, now: string): Promise<void>
  /** Stores the answer for repetitions of the request. Ignored when the record is of a request with another body. */
  storeAnswer(request: IdempotentRequest, answer: StoredAnswer, now: string): Promise<void>
  /** Deletes the record of this request, so that a repetition is executed. */
  delete(request: IdempotentRequest): Promise<void>
  /** Deletes some of the expired records. False when none is left. */
  prune(now: string): Promise<boolean>
}

export interface IdempotencyRecord {
  readonly bodyDigest: string
  readonly resourceId: string | null
  /** Null when the process ended between the effect and the answer. */
  readonly answer: StoredAnswer | null
}

export interface StoredAnswer {
  readonly status: number
  /** JSON. */
  readonly body: string
  /** Null for an error. */
  readonly etag: string | null
  /** The `Location` header; null without one. */
  readonly location: string | null
}

/** Monthly request counts per key. */
export interface UsageRepository {
  /** 0 without a stored count. */
  requests(of: KeyMonth): Promise<number>
  /** Adds to the stored counts. Each key and month may occur once. */
  add(usages: readonly MonthUsage[]): Promise<void>
}
