import type { Knex } from 'knex'
import { LRUCache } from 'lru-cache'
import type { ProjectId } from '../domain/ids.ts'
import { createAccountRepository } from './account-usage.ts'
import { createAssetRepository } from './assets.ts'
import { createAuditRepository } from './audit.ts'
import { createCachePurgeRepository } from './cache-purges.ts'
import { createCertificateRepository } from './certificates.ts'
import { createChangeRepository } from './changes.ts'
import type { Connections } from './connections.ts'
import { createContentKeyRepository } from './content-keys.ts'
import { createExpiredPreviewRepository } from './expired-previews.ts'
import { createIdempotencyRepository } from './idempotency.ts'
import { createJobQueue } from './jobs.ts'
import { createKeyRepository } from './keys.ts'
import { createLostSecretRepository } from './lost-secrets.ts'
import { createEmailChangeRepository, createMailRepository } from './mails.ts'
import { createMemberRepository } from './members.ts'
import { createOriginalRepository } from './originals.ts'
import { createOverviewRepository } from './overview.ts'
import { createPageRepository, type KnownHome, type KnownHomes } from './pages.ts'
import { createPasskeyRepository } from './passkeys.ts'
import { createProjectRepository } from './projects.ts'
import { createPruningRepository } from './pruning.ts'
import { createPushRepository } from './pushes.ts'
import { createRecurringWorkRepository } from './recurring-work.ts'
import { createRedirectRepository } from './redirects.ts'
import { createRefreshRepository } from './refreshes.ts'
import { createReleaseRepository } from './releases.ts'
import type { Attempt, Database, Repositories } from './repositories.ts'
import { createReviewRepository } from './reviews.ts'
import { createSecondFactorRepository } from './second-factors.ts'
import { createSessionRepository } from './sessions.ts'
import { createSetUpLinkRepository } from './set-up-links.ts'
import { createSettingsRepository } from './settings.ts'
import { createSignInAttemptRepository } from './sign-in-attempts.ts'
import { createSourceRepository } from './sources.ts'
import { createTransferOfferRepository } from './transfer-offers.ts'
import { createUsageRepository } from './usage.ts'
import { createUserRepository } from './users.ts'
import { createVariantRepository } from './variants.ts'
import { createVisitRepository } from './visits.ts'
import { createWebhookRepository } from './webhooks.ts'

/** Number of projects in the cache. */
const CACHED_PROJECTS = 1_000

/** The services' database over these connections. */
export function createDatabase({ transact, reader, late, ...connections }: Connections): Database {
  const homes = new LRUCache<ProjectId, KnownHome>({ max: CACHED_PROJECTS })
  return {
    read: repositories(reader, homes),
    readLate: (read) => late((db) => read(repositories(db, null))),

    async write(work, options) {
      // Projects read inside the transaction enter the shared cache only after the commit.
      const { result, found } = await transact(
        async (trx) => {
          const found = new Map<ProjectId, KnownHome>()
          const known: KnownHomes = {
            get: (id) => found.get(id) ?? homes.get(id),
            set: (id, home) => found.set(id, home),
          }
          return { result: await work(repositories(trx, known), createAttempt(trx)), found }
        },
        undefined,
        options,
      )
      for (const [id, home] of found) homes.set(id, home)
      return result
    },

    check: connections.check,
    checkFile: connections.checkFile,
    close: connections.close,
  }
}

function createAttempt(trx: Knex): Attempt {
  return async (part) => {
    await trx.raw('SAVEPOINT attempt')
    try {
      const result = await part()
      await trx.raw('RELEASE SAVEPOINT attempt')
      return result
    } catch (error) {
      // Errors that ended the transaction or its connection leave no savepoint.
      await trx.raw('ROLLBACK TO SAVEPOINT attempt').catch(() => Promise.reject(error))
      await trx.raw('RELEASE SAVEPOINT attempt')
      throw error
    }
  }
}

function repositories(db: Knex, known: KnownHomes | null): Repositories {
  return {
    users: createUserRepository(db),
    accounts: createAccountRepository(db),
    keys: createKeyRepository(db),
    sessions: createSessionRepository(db),
    setUpLinks: createSetUpLinkRepository(db),
    signInAttempts: createSignInAttemptRepository(db),
    secondFactors: createSecondFactorRepository(db),
    passkeys: createPasskeyRepository(db),
    mails: createMailRepository(db),
    emailChanges: createEmailChangeRepository(db),
    expiredPreviews: createExpiredPreviewRepository(db),
    projects: createProjectRepository(db),
    members: createMemberRepository(db),
    settings: createSettingsRepository(db),
    pages: createPageRepository(db, known),
    releases: createReleaseRepository(db),
    redirects: createRedirectRepository(db),
    refreshes: createRefreshRepository(db),
    reviews: createReviewRepository(db),
    assets: createAssetRepository(db),
    originals: createOriginalRepository(db),
    variants: createVariantRepository(db),
    contentKeys: createContentKeyRepository(db),
    lostSecrets: createLostSecretRepository(db),
    pruning: createPruningRepository(db),
    recurringWork: createRecurringWorkRepository(db),
    idempotency: createIdempotencyRepository(db),
    usage: createUsageRepository(db),
    visits: createVisitRepository(db),
    jobs: createJobQueue(db),
    webhooks: createWebhookRepository(db),
    cachePurges: createCachePurgeRepository(db),
    certificates: createCertificateRepository(db),
    overview: createOverviewRepository(db),
    audit: createAuditRepository(db),
    changes: createChangeRepository(db),
    sources: createSourceRepository(db),
    pushes: createPushRepository(db),
    transferOffers: createTransferOfferRepository(db),
  }
}
