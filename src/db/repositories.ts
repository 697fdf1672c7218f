import type { JobQueue } from '../jobs/job-queue.ts'
import type { TransactOptions } from './connections.ts'
import type { AccountRepository, UserRepository } from './repositories/accounts.ts'
import type { AssetRepository } from './repositories/assets.ts'
import type { AuditRepository } from './repositories/audit.ts'
import type { CachePurgeRepository } from './repositories/cache-purges.ts'
import type { CertificateRepository } from './repositories/certificates.ts'
import type { ChangeRepository } from './repositories/changes.ts'
import type { ExpiredPreviewRepository } from './repositories/expired-previews.ts'
import type { IdempotencyRepository } from './repositories/idempotency.ts'
import type { KeyRepository } from './repositories/keys.ts'
import type { EmailChangeRepository, MailRepository } from './repositories/mails.ts'
import type { MemberRepository } from './repositories/members.ts'
import type { OriginalRepository, VariantRepository } from './repositories/originals.ts'
import type { OverviewRepository } from './repositories/overview.ts'
import type { PageRepository } from './repositories/pages.ts'
import type { PasskeyRepository } from './repositories/passkeys.ts'
import type { ProjectRepository } from './repositories/projects.ts'
import type { PruningRepository } from './repositories/pruning.ts'
import type { PushRepository } from './repositories/pushes.ts'
import type { RecurringWorkRepository } from './repositories/recurring-work.ts'
import type { RedirectRepository } from './repositories/redirects.ts'
import type { RefreshRepository } from './repositories/refreshes.ts'
import type { ReleaseRepository } from './repositories/releases.ts'
import type { ReviewRepository } from './repositories/reviews.ts'
import type { SecondFactorRepository } from './repositories/second-factors.ts'
import type { ContentKeyRepository, LostSecretRepository } from './repositories/secrets.ts'
import type {
  SessionRepository,
  SetUpLinkRepository,
  SignInAttemptRepository,
} from './repositories/sessions.ts'
import type { SettingsRepository } from './repositories/settings.ts'
import type { SourceRepository } from './repositories/sources.ts'
import type { TransferOfferRepository } from './repositories/transfer-offers.ts'
import type { UsageRepository } from './repositories/usage.ts'
import type { VisitRepository } from './repositories/visits.ts'
import type { WebhookRepository } from './repositories/webhooks.ts'

/**
 * The database of the services. Implemented over Knex; `test/contract/database-contract.ts` is the executable form of
 * this comment. Unique indexes decide about conflicts: a write that would violate one throws
 * `ServiceError('conflict')`.
 */
export interface Database {
  /** Reads as of the newest commit. A read never waits for a write. */
  readonly read: Repositories
  /** Reads what may miss the last half minute of changes, from a replica where there is one. `read` may run twice. */
  readLate<T>(read: (repositories: Repositories) => Promise<T>): Promise<T>
  /**
   * Runs `work` as one transaction. It holds the write lock from its start, so that its reads stay valid until the
   * commit. Rolls back when `work` rejects. Never wait for anything slow inside.
   */
  write<T>(
    work: (repositories: Repositories, attempt: Attempt) => Promise<T>,
    options?: TransactOptions,
  ): Promise<T>
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

/** Runs a part of a transaction. Nothing remains of a part that rejects: the transaction continues without it. */
export type Attempt = <T>(part: () => Promise<T>) => Promise<T>

export interface Repositories {
  readonly users: UserRepository
  readonly accounts: AccountRepository
  readonly keys: KeyRepository
  readonly sessions: SessionRepository
  readonly setUpLinks: SetUpLinkRepository
  readonly signInAttempts: SignInAttemptRepository
  readonly secondFactors: SecondFactorRepository
  readonly passkeys: PasskeyRepository
  readonly mails: MailRepository
  readonly emailChanges: EmailChangeRepository
  readonly expiredPreviews: ExpiredPreviewRepository
  readonly projects: ProjectRepository
  readonly members: MemberRepository
  readonly settings: SettingsRepository
  readonly pages: PageRepository
  readonly releases: ReleaseRepository
  readonly redirects: RedirectRepository
  readonly refreshes: RefreshRepository
  readonly reviews: ReviewRepository
  readonly assets: AssetRepository
  readonly originals: OriginalRepository
  readonly variants: VariantRepository
  readonly contentKeys: ContentKeyRepository
  readonly lostSecrets: LostSecretRepository
  readonly pruning: PruningRepository
  readonly recurringWork: RecurringWorkRepository
  readonly idempotency: IdempotencyRepository
  readonly usage: UsageRepository
  readonly visits: VisitRepository
  readonly jobs: JobQueue
  readonly webhooks: WebhookRepository
  readonly cachePurges: CachePurgeRepository
  readonly certificates: CertificateRepository
  readonly overview: OverviewRepository
  readonly audit: AuditRepository
  readonly changes: ChangeRepository
  readonly sources: SourceRepository
  readonly pushes: PushRepository
  readonly transferOffers: TransferOfferRepository
}
