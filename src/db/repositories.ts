import type { Caller, IdempotentRequest, Permission, Plan } from '../domain/caller.ts'
import type {
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
import type { Snapshot } from '../domain/live-page.ts'
import type { Page, PageStatus, PageSummary, PageType, Undo } from '../domain/page.ts'
import type { Hosting, Project, ProjectStatus } from '../domain/project.ts'
import type { Allowance } from '../domain/rate-limit.ts'
import type { DataModeRelease, PastRelease, Release, ReleaseOp } from '../domain/release.ts'
import type { SiteRoutes } from '../domain/route.ts'
import type { Settings } from '../domain/settings.ts'
import type { SiteHost } from '../domain/site-host.ts'
import type { LiveDigests } from '../domain/staleness.ts'
import type { KeyMonth, MonthUsage } from '../domain/usage.ts'
import type { Delivery, DeliveryState, NewEvent, Sending, Webhook } from '../domain/webhook.ts'
import type { JobQueue } from '../jobs/job-queue.ts'
import type { WrappedKey } from '../publish/ledger/stored-artifacts.ts'

/**
 * What is stored, as the services see it. Implemented over Knex; `test/contract/database-contract.ts`
 * holds the promises. Uniqueness is decided by the database: a write that would break it
 * throws `ServiceError('conflict')`.
 */
export interface Database {
  /** Reads as of the newest commit; never waits behind a write. */
  readonly read: Repositories
  /**
   * Runs `work` as one transaction that holds the write lock from its start, so what it reads stays
   * true until it commits. Rolled back when `work` rejects. Nothing slow belongs inside.
   */
  write<T>(work: (repositories: Repositories) => Promise<T>): Promise<T>
  /** Rejects when the database does not answer. */
  check(): Promise<void>
  close(): Promise<void>
}

export interface Repositories {
  readonly users: UserRepository
  readonly keys: KeyRepository
  readonly projects: ProjectRepository
  readonly settings: SettingsRepository
  readonly pages: PageRepository
  readonly releases: ReleaseRepository
  readonly contentKeys: ContentKeyRepository
  readonly pruning: PruningRepository
  readonly idempotency: IdempotencyRepository
  readonly usage: UsageRepository
  readonly jobs: JobQueue
  readonly webhooks: WebhookRepository
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
  /** In the order they were made. */
  list(): Promise<readonly User[]>
  /** The user made first, or null when there is none. */
  first(): Promise<User | null>
}

/** An API key without the key. */
export interface ApiKey {
  readonly id: KeyId
  readonly userId: UserId
  readonly projectScope: ProjectId | null
  readonly name: string
  readonly plan: Plan
  /** An enterprise key's own numbers; what they leave out is unlimited. Null: none. */
  readonly limits: Partial<Allowance> | null
  readonly permissions: readonly Permission[]
  readonly expiresAt: string | null
  readonly revokedAt: string | null
  readonly createdAt: string
}

export interface KeyRepository {
  insert(key: ApiKey, hash: string): Promise<void>
  /** The key with its user, whatever its state; null when no key has this hash. */
  findByHash(hash: string): Promise<{ readonly key: ApiKey; readonly caller: Caller } | null>
  list(): Promise<readonly ApiKey[]>
  /** False when there is no such key; one that was revoked before stays as it was. */
  revoke(id: KeyId, now: string): Promise<boolean>
}

/** A project and the one setting that every path of it depends on. */
export interface Home {
  readonly project: Project
  readonly siteRoutes: SiteRoutes
}

export interface ProjectRecord extends Home {
  readonly pageCount: number
}

/** What a visitor's host leads to. */
export type HostedProject = Pick<Project, 'id' | 'status'> & {
  readonly hosting: Pick<Hosting, 'mode' | 'basePath'>
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
  /** How many match, whatever the page shown. */
  readonly total: number
}

export interface ProjectRepository {
  /** With default settings; the slug is made unique for its owner by a number at its end. */
  insert(project: Project): Promise<Project>
  find(id: ProjectId): Promise<ProjectRecord | null>
  /** Null when there is no such project. */
  statusOf(id: ProjectId): Promise<ProjectStatus | null>
  /** Whose host it is, whatever the project's status; null when it is nobody's. */
  findByHost(host: SiteHost): Promise<HostedProject | null>
  list(filter: ProjectFilter, paging: Paging<ProjectSort>): Promise<Listed<ProjectRecord>>
  all(): Promise<readonly ProjectRecord[]>
  /** Of every project there ever was, deleted ones included, oldest first. */
  ids(): Promise<readonly ProjectId[]>
  /** @throws {ServiceError} `conflict` when the domain or subdomain is another project's. */
  update(id: ProjectId, fields: ProjectFields, now: string): Promise<void>
  /** How many of its live pages lie there unencrypted. */
  plaintextPages(id: ProjectId): Promise<number>
  /** Leave a tombstone: gone for everybody from now on, its name and addresses free. */
  markDeleted(id: ProjectId, now: string): Promise<void>
}

/** What may change of a project; `undefined` keeps what is stored. */
export type ProjectFields = {
  readonly [K in 'name' | 'status' | 'context' | 'legacySettings']?: Project[K] | undefined
} & { readonly hosting?: { readonly [K in keyof Hosting]?: Hosting[K] | undefined } | undefined }

export interface SettingsRecord {
  readonly settings: Settings
  readonly updatedAt: string
  readonly version: number
}

export interface SettingsRepository {
  find(projectId: ProjectId): Promise<SettingsRecord>
  /** Writes the fields given and no other, so that writers of different fields never undo each other. */
  update(projectId: ProjectId, fields: SettingsFields, now: string): Promise<void>
}

export type SettingsFields = { readonly [K in keyof Settings]?: Settings[K] | undefined }

export interface PageFilter {
  readonly projectId: ProjectId
  readonly type: PageType | null
  readonly status: PageStatus | null
  readonly subroute: string | null
  /** Exact, or a pattern in which `*` stands for any run of characters. */
  readonly slug: string | null
  readonly createdAfter: string | null
  readonly createdBefore: string | null
  readonly updatedAfter: string | null
  readonly updatedBefore: string | null
}

export type PageSort = 'created_at' | 'updated_at' | 'page_name' | 'slug'

/** The pages of a project in numbers. */
export interface PageStats {
  readonly byStatus: Readonly<Record<PageStatus, number>>
  readonly byType: Readonly<Record<PageType, number>>
  readonly wordCount: number
  /** When a page was last published, live or not; null when none ever was. */
  readonly lastPublishedAt: string | null
}

export interface PageRepository {
  /** @throws {ServiceError} `conflict` when the slug is taken in the subroute. */
  insert(page: Page): Promise<void>
  find(id: PageId): Promise<{ readonly page: Page; readonly home: Home } | null>
  list(filter: PageFilter, paging: Paging<PageSort>): Promise<Listed<PageSummary>>
  /** The same list with config and Markdown. */
  listWithContent(filter: PageFilter, paging: Paging<PageSort>): Promise<Listed<Page>>
  stats(projectId: ProjectId): Promise<PageStats>
  /** Replaces what is stored. @throws {ServiceError} `conflict` when the slug is taken in the subroute. */
  update(page: Page): Promise<void>
  delete(id: PageId): Promise<void>
  /** Every live page of a project, oldest first. */
  published(projectId: ProjectId): Promise<readonly PageId[]>
  /** Those of these that are pages of the project. */
  idsWithin(projectId: ProjectId, ids: readonly PageId[]): Promise<ReadonlySet<PageId>>
  /** The pages of a project among these, in any order; at most 500 may be asked for. */
  findWithin(projectId: ProjectId, ids: readonly PageId[]): Promise<readonly Page[]>
  /** Where the redirect at this key leads, as a path; null when none lies there. */
  redirectTarget(projectId: ProjectId, key: string): Promise<string | null>
  /** What those of the pages that are live went live with. */
  liveDigests(ids: readonly PageId[]): Promise<ReadonlyMap<PageId, LiveDigests>>
}

/** What is written down before anything is uploaded. */
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
  /** The edit that came along, taken back when the release is refused; null without one. */
  readonly undo: Undo | null
  readonly createdAt: string
}

export interface ReleaseRepository {
  /** From here on the release is finished one way or the other, whatever fails. */
  accept(release: AcceptedRelease): Promise<void>
  find(id: ReleaseId): Promise<Release | null>
  /** The page's releases that came to something, newest first. */
  history(
    pageId: PageId,
    slice: { readonly limit: number; readonly offset: number },
  ): Promise<Listed<PastRelease>>
  /** Many at once, in this order, that share their settings. */
  acceptAll(
    projectId: ProjectId,
    settings: Settings,
    releases: readonly Omit<AcceptedRelease, 'projectId'>[],
  ): Promise<void>
  /** The page's newest release that is not finished; null when none is under way. */
  unfinishedOf(pageId: PageId): Promise<ReleaseId | null>
  /** The same for a change of Data Mode. */
  acceptDataMode(change: AcceptedDataMode): Promise<void>
  /** The content key a release brought; null when it brought none, or another has taken its place. */
  contentKey(releaseId: ReleaseId): Promise<WrappedKey | null>
}

/** The keys of all projects, wrapped. */
export interface ContentKeyRepository {
  /** Those that another master key wraps, at most so many. */
  findWrappedByOther(
    masterKeyId: string,
    limit: number,
  ): Promise<readonly (WrappedKey & { readonly projectId: ProjectId })[]>
  /** Unless it was destroyed meanwhile. */
  rewrap(projectId: ProjectId, before: WrappedKey, after: WrappedKey): Promise<void>
}

/** A change of Data Mode, written down before anything is uploaded. */
export type AcceptedDataMode = Pick<
  DataModeRelease,
  'id' | 'projectId' | 'op' | 'site' | 'settings' | 'createdAt'
>

/** Webhooks, and what was sent to them. */
export interface WebhookRepository {
  insert(webhook: Webhook, secret: SealedSecret): Promise<void>
  find(projectId: ProjectId, id: WebhookId): Promise<Webhook | null>
  /** Oldest first. */
  list(projectId: ProjectId): Promise<readonly Webhook[]>
  /** Replaces what is stored, but for its secrets. */
  update(webhook: Webhook): Promise<void>
  /** With everything that was sent to it. */
  delete(id: WebhookId): Promise<void>
  /** The newest first, and the one before it while it still signs. */
  secrets(id: WebhookId, now: string): Promise<readonly SealedSecret[]>
  /** The present one becomes the former one, which signs as well until then. */
  replaceSecret(id: WebhookId, secret: SealedSecret, formerUntil: string): Promise<void>

  /**
   * Write down that this has happened, for every webhook of the project that is told of it. Belongs into
   * the transaction that makes it happen; reads one small row per webhook, and nothing else where there
   * is none.
   */
  enqueueEvents(projectId: ProjectId, events: readonly NewEvent[], made: EventPorts): Promise<void>
  /** Have one webhook told of something, whatever it is told of otherwise. */
  enqueueTo(webhook: Webhook, event: NewEvent, made: EventPorts): Promise<Delivery>
  /** Have a delivery sent that may have ended before. */
  enqueueAgain(webhook: Webhook, delivery: Delivery, made: EventPorts): Promise<void>
  /** With its webhook as it is now; null when one of them, or the project, is gone. */
  findSending(id: DeliveryId): Promise<Sending | null>
  /** Have a delivery that waits tried now; its job is the caller's to hurry. */
  makeDue(id: DeliveryId, now: string): Promise<void>
  /** Note both after a try; false when the delivery was tried or ended by somebody else since `previous` was read. */
  recordTry(before: Sending, after: Sending): Promise<boolean>
  findDelivery(webhookId: WebhookId, id: DeliveryId): Promise<Delivery | null>
  /** Newest first. */
  deliveries(
    webhookId: WebhookId,
    filter: { readonly state: DeliveryState | null; readonly limit: number; readonly offset: number },
  ): Promise<Listed<Delivery>>

  /** Secrets that another master key seals, at most so many. */
  findSecretsSealedByOther(masterKeyId: string, limit: number): Promise<readonly WebhookSecret[]>
  /** Unless it was replaced meanwhile. */
  resealSecret(before: WebhookSecret, after: SealedSecret): Promise<void>

  /**
   * Forget deliveries that ended 30 days ago and all but the newest 10,000 of a webhook, and secrets that
   * sign no more; a bounded number of rows. A webhook that more than 50,000 wait for is switched off.
   *
   * @returns whether there may be more to forget.
   */
  prune(now: string): Promise<boolean>
}

/** The whole installation in numbers. */
export interface OverviewRepository {
  /** @param since failures are counted from then on. */
  read(since: string): Promise<Overview>
}

export interface Overview {
  readonly projects: Readonly<Record<ProjectStatus, number>>
  readonly pages: { readonly total: number; readonly live: number }
  /** Changes to what is live that have not ended. */
  readonly releases: { readonly waiting: number; readonly reverting: number }
  readonly webhooks: {
    readonly active: number
    /** Switched off by Quoin itself. */
    readonly off: number
    /** Active, and their last try failed. */
    readonly failing: number
  }
  readonly failures: { readonly jobs: number; readonly deliveries: number }
}

/** What writing events down takes. */
export interface EventPorts {
  readonly newId: <K extends IdPrefix>() => Id<K>
  /** Current time, ISO 8601 UTC. */
  readonly now: string
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
 * Forgets what is kept of the past and needed by nobody. Each call looks at a bounded number of rows
 * behind the place it is given and answers how far it came, or null at the end.
 */
export interface PruningRepository {
  /**
   * Releases older than 90 days but for the newest 50 of each page and those that are live, and those
   * that came to nothing after two days.
   */
  releases(now: string, after: PruneCursor | null): Promise<PruneCursor | null>
  /** Bytes that no release and no live object has. */
  artifacts(after: PruneCursor | null): Promise<PruneCursor | null>
  /** Settings that no release and no site has. */
  settings(after: PruneCursor | null): Promise<PruneCursor | null>
}

/** A place in the rows, to be handed back as it is. */
export type PruneCursor = string

/** Requests that may be sent again, and what came of them; each is forgotten after a day. */
export interface IdempotencyRepository {
  find(request: IdempotentRequest, now: string): Promise<IdempotencyRecord | null>
  /** Note what a request made; belongs into the transaction that makes it. */
  insert(request: IdempotentRequest, resourceId: string, now: string): Promise<void>
  /** Keep the answer to be given again. */
  storeAnswer(request: IdempotentRequest, answer: StoredAnswer, now: string): Promise<void>
  /** Let the request have its effect anew. */
  delete(request: IdempotentRequest): Promise<void>
  /** Forget those whose day is over. */
  prune(now: string): Promise<void>
}

export interface IdempotencyRecord {
  readonly bodyDigest: string
  readonly resourceId: string | null
  /** Null when the process died between the effect and its answer. */
  readonly answer: StoredAnswer | null
}

export interface StoredAnswer {
  readonly status: number
  /** JSON. */
  readonly body: string
  /** Null for an error. */
  readonly etag: string | null
  /** Null for an answer that leads nowhere else. */
  readonly location: string | null
}

/** How many requests each key has sent in a month. */
export interface UsageRepository {
  /** 0 when nothing is written down. */
  requests(of: KeyMonth): Promise<number>
  /** Add to what is written down. No key and month may be named twice. */
  add(usages: readonly MonthUsage[]): Promise<void>
}
