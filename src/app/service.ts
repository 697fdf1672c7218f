import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import type { ProveDomain } from '../custom-domains/prove-domain.ts'
import type { DatabaseDescription } from '../db/connections.ts'
import { createLedger } from '../db/ledger.ts'
import type { Database } from '../db/repositories.ts'
import { watchQueries } from '../db/slow-queries.ts'
import { createWorkSignals, JOBS } from '../db/work-signals.ts'
import type { ProjectId } from '../domain/ids.ts'
import type { PublicAddresses } from '../domain/project.ts'
import type { Timers } from '../domain/timers.ts'
import { createApp, createWorkerApp } from '../http/app.ts'
import { createApiDocument } from '../http/openapi/api-document.ts'
import { createImagePool } from '../images/child-pool.ts'
import type { ImageProcessor } from '../images/image-processor.ts'
import { createJobRunner } from '../jobs/runner.ts'
import { createByteBudget } from '../limits/byte-budget.ts'
import { readVideoSize } from '../media/video-size.ts'
import { withRenderMetrics, withStorageMetrics } from '../metrics/measure-ports.ts'
import { createMetrics, type Metrics, type QueueStatus } from '../metrics/metrics.ts'
import { systemTimers } from '../platform/clock.ts'
import { every } from '../platform/every.ts'
import { createFairLimit } from '../platform/fair-limit.ts'
import { IMAGE_CHILD, PACKAGE_ROOT, THEME_FOLDERS, version } from '../platform/package-paths.ts'
import type { Ledger } from '../publish/ledger/ledger.ts'
import { createPublishedMedia } from '../publish/published-media.ts'
import { createLeaseHolder } from '../publish/queue/lease-holder.ts'
import { withLiveCache } from '../publish/queue/live-cache.ts'
import { createPublisher } from '../publish/queue/publisher.ts'
import type { Renderer } from '../renderer/renderer.ts'
import { createPasswords, type Passwords } from '../secrets/password-hash.ts'
import { createTextSeal } from '../secrets/sealed-text.ts'
import { sectionsJsonSchema } from '../sections/json-schema.ts'
import { createAccountLimits } from '../services/accounts/account-limits.ts'
import { createAccountOf } from '../services/accounts/account-of.ts'
import { type AccountService, createAccountService } from '../services/accounts/accounts.ts'
import { createAuthentication } from '../services/accounts/authentication.ts'
import { createKeyService } from '../services/accounts/keys.ts'
import type { SessionService } from '../services/accounts/sessions.ts'
import type { SetUpLinkService } from '../services/accounts/set-up-links.ts'
import { createUsageService } from '../services/accounts/usage.ts'
import { createAuditLogService } from '../services/audit/audit-log.ts'
import type { CertificateService } from '../services/certificates/certificates.ts'
import { createChangeService } from '../services/changes/changes.ts'
import { createJobService } from '../services/jobs/jobs.ts'
import { createAssetUploadService } from '../services/media/asset-uploads.ts'
import { createAssetService } from '../services/media/assets.ts'
import { createFindLostMedia } from '../services/media/lost-media.ts'
import { createMissingVariants } from '../services/media/missing-variants.ts'
import { createOriginalService } from '../services/media/originals.ts'
import { createPendingWebp } from '../services/media/pending-webp.ts'
import {
  PICTURES_AGAIN_AT_ONCE,
  PICTURES_AT_ONCE,
  PICTURES_AVIF_AT_ONCE,
} from '../services/media/picture-job.ts'
import { createReplacedVariants } from '../services/media/replaced-variants.ts'
import { createSocialOriginals } from '../services/media/social-originals.ts'
import { createMemberService } from '../services/members/members.ts'
import { createOfferService } from '../services/members/offers.ts'
import { type NewId, randomId } from '../services/new-id.ts'
import { createHousekeeping, HOUSEKEEPING_MS, type Housekeeping } from '../services/operating/housekeeping.ts'
import { createBulkPageService } from '../services/pages/bulk-pages.ts'
import { createPageService } from '../services/pages/pages.ts'
import { createPreviewService } from '../services/pages/previews.ts'
import { createRedirectService } from '../services/pages/redirects.ts'
import { createDomainService } from '../services/projects/domains.ts'
import { createProjectService, type ProjectService } from '../services/projects/projects.ts'
import { createStyleService } from '../services/projects/styles.ts'
import { createBulkPublishingService } from '../services/publishing/bulk-publishing.ts'
import { createDataModeService } from '../services/publishing/data-mode.ts'
import { createPageTexts } from '../services/publishing/page-texts.ts'
import { createProjectRedirectService } from '../services/publishing/project-redirects.ts'
import { createPublishingService } from '../services/publishing/publishing.ts'
import { createSchedulingService } from '../services/publishing/scheduling.ts'
import { createSocialPictures } from '../services/publishing/social-pictures.ts'
import { createStaleness } from '../services/publishing/staleness.ts'
import { createPushConflictService } from '../services/pushes/conflicts.ts'
import { createPushService } from '../services/pushes/pushes.ts'
import { createSourceService } from '../services/pushes/sources.ts'
import { createReviewService } from '../services/reviews/reviews.ts'
import { createVisitCounter } from '../services/visits/visit-counter.ts'
import { createVisitService } from '../services/visits/visits.ts'
import { createWebhookService } from '../services/webhooks/webhooks.ts'
import { createFairWrites } from '../storage/fair-writes.ts'
import type { Storage } from '../storage/storage.ts'
import type { Theme } from '../theme/theme.ts'
import { createResolve } from '../webhooks/resolve.ts'
import type { Resolve } from '../webhooks/target.ts'
import { openAccountServices } from './account-services.ts'
import { isHeldByBackup } from './backup-hold.ts'
import { openCertificates } from './certificates.ts'
import { addressesOf, type Config } from './config.ts'
import { domainRules, openProveDomain, ownHosts } from './domains.ts'
import { createFileCheck } from './file-check.ts'
import { openInstallation } from './installation.ts'
import { createJobKinds } from './job-kinds.ts'
import { openLog } from './log.ts'
import { openMedia } from './media.ts'
import { joinInstallation } from './membership.ts'
import { createOperatorStatus } from './operator-status.ts'
import { openRateLimits } from './rate-limits.ts'
import { openRenderer } from './renderer.ts'
import { openThemes } from './server-themes.ts'
import { awaitStore, openStorage } from './storage.ts'

/** Pictures read at once. One more than jobs take, so that uploads do not wait for them. */
const IMAGE_CHILDREN = PICTURES_AT_ONCE + PICTURES_AVIF_AT_ONCE + PICTURES_AGAIN_AT_ONCE + 1

/** Duration above which publishes are logged. */
const SLOW_PUBLISH_MS = 5_000

/** Largest share of one account or address in the memory for requests. */
const LARGEST_SHARE = 1 / 2
/** Memory free to every request. Most answers of the API are smaller. */
const FREE_BYTES = 16 * 1024

/** Uploads at once, of all accounts and of one. Each has a temporary file and a connection. */
const UPLOADS = 64
const UPLOADS_OF_ACCOUNT = 8
/** Previews at a time. A project is rendered in one process at a time, so more of an account would only wait for it. */
const PREVIEWS = 8
const PREVIEWS_OF_ACCOUNT = 2
/** Reading requests at a time: a few for each connection to the database, so that none is idle in between. */
const READS = 32
const READS_OF_ACCOUNT = 8

/** Interval at which a worker looks for releases of other processes, in case of a lost hint. */
const WORKER_SWEEP_MS = 250

/** Interval at which a worker looks for due housekeeping. */
const HOUSEKEEPING_CHECK_MS = 60 * 1000
const FILE_CHECK_MS = 24 * 60 * 60 * 1000
/** Interval of checks for due certificates. */
const RENEWAL_MS = 10_000

/** Running service, ready for requests. */
export interface Service {
  /** Runs the hourly housekeeping now. */
  runHousekeeping(): Promise<void>
  /** Runs it when it is due, as a worker does every minute. */
  readonly runHousekeepingIfDue: Housekeeping['pruneIfDue']
  /** Stores the visits counted in memory, as happens every few seconds by itself. */
  storeVisits(): Promise<void>
  readonly handle: ReturnType<ReturnType<typeof createApp>['callback']>
  /** Orders certificates; null where they come from elsewhere. */
  readonly certificates: CertificateService | null
  /** Records a closed connection, or the reason why it could not be served. */
  readonly onConnectionClosed: Metrics['connectionClosed']
  readonly onCertificateError: (error: unknown, host: string) => void
  /** Records the use of a renewed certificate, or the reason against it. */
  readonly onCertificateRenewed: () => void
  readonly onRenewalError: (error: unknown) => void
  readonly accounts: AccountService
  readonly sessions: SessionService
  readonly setUpLinks: SetUpLinkService
  readonly projects: ProjectService
  readonly storage: Storage
  readonly images: Pick<ImageProcessor, 'decodes'>
  readonly addresses: PublicAddresses
  /** Description of the database; null for a file opened by the module `sqlite3`. */
  readonly database: DatabaseDescription | null
  /** Stops the job queue. Resolves when no job is running. Requests are still answered. */
  stopJobs(): Promise<void>
  /** Finishes running work and closes the database. */
  close(): Promise<void>
}

/** Replacements for configured adapters, the clock and random ids; for tests. */
export interface ServiceOverrides {
  readonly storage?: Storage
  readonly mediaStore?: Storage
  readonly images?: ImageProcessor
  /** Current time, ISO 8601 UTC. */
  readonly now?: () => string
  readonly newId?: NewId
  readonly renderer?: (themes: ReadonlyMap<string, Theme>) => Renderer
  /** A monotonic clock in milliseconds. */
  readonly monotonic?: () => number
  readonly timers?: Timers
  /** Resolves the host names of webhooks and of custom domains. */
  readonly resolve?: Resolve
  readonly proveDomain?: ProveDomain
  readonly passwords?: Passwords
  /** Wraps the real ledger. */
  readonly ledger?: (ledger: Ledger) => Ledger
}

/**
 * Creates all parts of the service and starts it.
 *
 * @param baseUrl where clients reach the API, without a slash at its end.
 * @throws {ConfigError} with one line if something cannot be used. Nothing stays open.
 */
export async function openService(
  config: Config,
  baseUrl: string,
  adapters: ServiceOverrides = {},
): Promise<Service> {
  const log = openLog(config)
  const installed = await openThemes(config)
  const {
    newId = randomId,
    monotonic = () => performance.now(),
    timers = systemTimers,
    resolve = createResolve(),
  } = adapters
  const store = adapters.storage ?? (await openStorage(config.storage))
  const ready = (setting: string, checked: Storage) =>
    awaitStore(setting, checked, { monotonic, timers }, (error) =>
      log.warn({ err: error, setting }, 'A store does not work yet; it is tried again for 15 s.'),
    )
  await ready('QUOIN_STORAGE_URL', store)
  const media = await openMedia(config)
  const mediaStore = adapters.mediaStore ?? media.store
  await ready('QUOIN_MEDIA_URL', mediaStore)
  const installation = await openInstallation(config)
  const { db, connections, masterKey, description } = installation
  const owner: string = randomId()
  const membership = await joinInstallation({
    id: owner,
    config,
    installation,
    themes: installed.themes,
    log,
  }).catch(async (error) => {
    await db.close()
    throw error
  })
  for (const connection of new Set([connections.writer, connections.reader]))
    watchQueries(connection, monotonic, (query) => log.warn(query, 'A query was slow.'))
  const now = adapters.now ?? membership.now
  const works = config.role !== 'api'
  const metrics = createMetrics({ version: version(), queue: () => queueStatus(db, now()) })
  const storage = withStorageMetrics(store, metrics)

  const addresses = addressesOf(config, baseUrl)
  const { database } = config
  const signals = createWorkSignals(
    connections.writer,
    database.kind === 'postgres' ? database.directUrl : null,
    (error) =>
      log.warn(
        { err: error },
        'A hint that there is work could not be sent or received. Workers look for work too.',
      ),
  )
  const wake = () => (works ? jobs.wake() : signals.send(JOBS))
  const onCachePurge = config.purge === null ? null : wake
  const stored = createLedger(connections, { now, newId, onDeliveries: wake, onCachePurge })
  const ledger = withLiveCache(adapters.ledger?.(stored) ?? stored)
  const { liveState } = ledger
  const accountOf = createAccountOf(db)
  const inTurn = createFairWrites(accountOf)
  const renderer = withRenderMetrics(
    adapters.renderer?.(installed.themes) ?? openRenderer(config, installed, accountOf),
    metrics,
  )
  const publishedMedia = createPublishedMedia(ledger.storedArtifacts, mediaStore)
  const publishing = { ...ledger, storage, publishedMedia, renderer, masterKey, now }
  const publisher = createPublisher({
    ...publishing,
    holder: owner,
    monotonic,
    timers,
    inTurn,
    log,
    ...(config.role === 'worker' && { sweepMs: WORKER_SWEEP_MS }),
    ...(!works && { delegate: signals.send }),
    onSettled(ended, times) {
      for (const { state } of ended) metrics.releaseEnded(state)
      if (times === null) return
      metrics.batchPublished(times)
      const ms = Object.values(times).reduce((sum, time) => sum + time, 0)
      if (ms >= SLOW_PUBLISH_MS)
        log.warn(
          { releases: ended.slice(0, 10).map(({ id }) => id), count: ended.length, ...times },
          'A publish was slow.',
        )
    },
  })
  // A holder of its own: the publisher and a job must not share the lease of a project.
  const newLeaseHolder = () => createLeaseHolder({ ...ledger, holder: randomId(), monotonic, inTurn, log })
  const accountLimits = createAccountLimits({ planLimits: config.planLimits, now })
  const projects = createProjectService({
    db,
    accountLimits,
    newId,
    now,
    needsProof: config.domainProof,
    hasCdn: config.purge !== null,
  })
  const images = adapters.images ?? createImagePool({ entry: IMAGE_CHILD, size: IMAGE_CHILDREN, accountOf })
  const originals = createOriginalService({
    db,
    accountLimits,
    newId,
    now,
    mediaStore,
    log,
    isHeld: isHeldByBackup(config),
  })
  const socialOriginals = createSocialOriginals({
    images,
    originals,
    publishedMedia,
    incoming: media.incoming,
    accountOf,
    timers,
    log,
  })
  const pageTexts = createPageTexts({ renderer, timers })
  const socialPictures = createSocialPictures({
    db,
    renderer,
    pageTexts,
    socialOriginals,
    pendingWebp: createPendingWebp({ db, now, monotonic, timers }),
  })
  const context = { db, publisher, renderer, addresses, accountLimits, socialPictures, pageTexts, newId, now }
  const { authenticate, forgetKeys } = createAuthentication({ db, now, monotonic })
  const { refusals, mailSender, outbox, services } = openAccountServices({
    config,
    db,
    masterKey,
    passwords: adapters.passwords ?? createPasswords(),
    baseUrl,
    metrics,
    forgetKeys,
    newId,
    now,
    log,
  })
  const staleness = createStaleness({ ...context, liveState })
  const targets = {
    rules: { allowHttp: config.allowHttp, allowPrivate: config.webhookAllowPrivate },
    resolve,
  }
  const proveDomain = adapters.proveDomain ?? openProveDomain(config, resolve)
  const jobs = createJobRunner({
    db,
    kinds: createJobKinds({
      ...context,
      ...ledger,
      storage,
      publishedMedia,
      masterKey,
      newLeaseHolder,
      mediaStore,
      images,
      incoming: media.incoming,
      proveDomain,
      targets,
      config,
      metrics,
      monotonic,
      timers,
      log,
    }),
    holder: owner,
    now,
    monotonic,
    log,
  })

  const { limits, rateAccounts } = openRateLimits({ config, db, connections, now, monotonic, log })

  const countedVisits = createVisitCounter({
    db,
    now,
    onFailure: (error) =>
      log.error({ err: error }, 'Visits could not be stored. They are stored again within seconds.'),
  })

  const pages = createPageService({ ...context, staleness, liveState })
  const appPorts = {
    db,
    now,
    cursorSeal: createTextSeal(masterKey.derive('list-cursor')),
    monotonic,
    storage,
    log,
    metrics,
    addresses,
    projects,
    domains: createDomainService(context),
    styles: createStyleService({ ...context, timers }),
    themes: renderer.themes,
    pages,
    bulkPages: createBulkPageService({ ...context, pages }),
    redirects: createRedirectService({ db, pages }),
    projectRedirects: createProjectRedirectService(context),
    visits: createVisitService(context),
    pushes: createPushService(context),
    pushConflicts: createPushConflictService(context),
    sources: createSourceService({ db, staleness }),
    countedVisits,
    publishing: createPublishingService({ ...context, originals }),
    bulkPublishing: createBulkPublishingService({ ...context, staleness, wake }),
    scheduling: createSchedulingService(context),
    jobs: createJobService(context),
    usage: createUsageService(context),
    auditLog: createAuditLogService(context),
    changes: createChangeService(context),
    members: createMemberService({ ...context, outbox, baseUrl }),
    offers: createOfferService({ ...context, outbox, onTransferred: forgetKeys }),
    reviews: createReviewService(context),
    keys: createKeyService({ ...context, onChanged: forgetKeys }),
    dataMode: createDataModeService({
      ...context,
      masterKey,
      findLostMedia: createFindLostMedia({ db, liveState, publishedMedia, storage }),
    }),
    assets: createAssetService({ ...context, originals, mediaStore }),
    assetUploads: createAssetUploadService({
      ...context,
      originals,
      images,
      videoSize: readVideoSize,
      wake,
    }),
    incoming: media.incoming,
    mediaLimits: config.mediaLimits,
    readTurns: createFairLimit({ total: READS, perAccount: READS_OF_ACCOUNT }),
    largeTurns: createFairLimit({ total: 1, perAccount: 1 }),
    pauses: systemTimers,
    uploadTurns: createFairLimit({ total: UPLOADS, perAccount: UPLOADS_OF_ACCOUNT }),
    webhooks: createWebhookService({ ...context, ...targets, masterKey, wake }),
    previews: createPreviewService({
      ...context,
      publishedMedia,
      liveState,
      turns: createFairLimit({ total: PREVIEWS, perAccount: PREVIEWS_OF_ACCOUNT }),
      timers,
      baseUrl,
      signingKey: masterKey.derive('preview'),
    }),
    authenticate,
    limits,
    budget: createByteBudget({ total: config.requestMemoryBytes, share: LARGEST_SHARE, free: FREE_BYTES }),
    https: { allowHttp: config.allowHttp, trustProxy: config.trustProxy },
    ownHosts: ownHosts(baseUrl, addresses),
    domainRules: domainRules(config, baseUrl, addresses),
    document: () => createApiDocument({ themes: renderer.themes, baseUrl }),
    ...services,
    dashboard: {
      folders: {
        ...THEME_FOLDERS,
        templates: join(PACKAGE_ROOT, 'templates/dashboard'),
        bundles: join(PACKAGE_ROOT, 'dist'),
        shared: THEME_FOLDERS.templates,
      },
      formKey: masterKey.derive('dashboard-form'),
      baseUrl,
    },
    status: createOperatorStatus({ config, open: installation, now, log }),
    requestSample: config.requestSample,
    baseUrl,
    referenceTemplates: join(PACKAGE_ROOT, 'templates/api-reference'),
    sectionsSchema: sectionsJsonSchema,
  }
  const app = config.role === 'worker' ? createWorkerApp(appPorts) : createApp(appPorts)
  if (works) {
    publisher.start()
    jobs.start()
    mailSender?.start()
    signals.listen((topic) => (topic === JOBS ? jobs.wake() : publisher.wake(topic as ProjectId)))
  }
  const missingVariants = createMissingVariants({ ...context, images, wake })
  const housekeeping = createHousekeeping({
    ...ledger,
    db,
    masterKey,
    publisher,
    accountLimits,
    originals,
    missingVariants,
    replacedVariants: createReplacedVariants({ ...context, mediaStore, log, isHeld: isHeldByBackup(config) }),
    rateAccounts,
    now,
  })
  const checkFile = createFileCheck({ db, log })
  void checkFile()
  const fileChecks = every(FILE_CHECK_MS, checkFile)
  // The packages that decode pictures may have been installed for this start.
  const firstRequests = (works ? missingVariants.request() : Promise.resolve()).catch((error) =>
    log.error({ err: error }, 'Smaller pictures could not be requested. It is tried again within an hour.'),
  )
  const certificates = openCertificates({ config, baseUrl, addresses, db, masterKey, now, timers, log })
  void certificates?.start()
  const renewals = every(RENEWAL_MS, async () => certificates?.renew())
  const logFailure = (error: unknown) =>
    log.error({ err: error }, 'Housekeeping failed. It runs again within an hour.')
  // Uploads arrive in a folder of this process.
  const sweeps = every(HOUSEKEEPING_MS, () => media.incoming.sweep().catch(logFailure))
  const housekeepingChecks = every(HOUSEKEEPING_CHECK_MS, async () => {
    if (works) await housekeeping.pruneIfDue().catch(logFailure)
  })

  return {
    handle: app.callback(),
    certificates,
    onConnectionClosed: metrics.connectionClosed,
    onCertificateError: (error, host) => log.error({ err: error, host }, 'A certificate could not be read.'),
    onCertificateRenewed: () => log.info('The certificate was renewed.'),
    onRenewalError: (error) =>
      log.error({ err: error }, 'The renewed certificate cannot be used. The former one stays in use.'),
    accounts: createAccountService({ ...context, onRevoked: forgetKeys }),
    sessions: services.sessions,
    setUpLinks: services.setUpLinks,
    projects,
    storage,
    images,
    addresses,
    database: description,
    stopJobs: jobs.stop,
    async runHousekeeping() {
      await media.incoming.sweep()
      await housekeeping.prune()
    },
    runHousekeepingIfDue: housekeeping.pruneIfDue,
    storeVisits: countedVisits.flush,
    async close() {
      const cleaned = Promise.all([sweeps.stop(), housekeepingChecks.stop()])
      // An order that is under way goes on for minutes. Another process, or the next start, makes it again.
      void renewals.stop()
      await certificates?.stop().catch((error: unknown) => {
        log.error({ err: error }, 'Claims of certificates could not be released; they end in ten minutes.')
      })
      // Closing the database ends a check.
      void fileChecks.stop()
      // Running jobs wait for their publishes, so the publisher stops after them.
      await Promise.all([jobs.stop(), mailSender?.stop()])
      await Promise.all([
        publisher.stop(),
        cleaned,
        firstRequests,
        signals.close(),
        originals.idle(),
        socialOriginals.idle(),
      ])
      await membership.leave()
      const counted = countedVisits.flush().catch((error: unknown) => {
        log.error({ err: error }, 'Visits of the last seconds could not be stored.')
      })
      await Promise.all([counted, refusals.idle(), limits.close(), renderer.close(), images.close()])
      await db.close()
    },
  }
}

async function queueStatus(db: Database, now: string): Promise<readonly QueueStatus[]> {
  const kinds = await db.readLate(({ jobs }) => jobs.countByKind(now))
  return kinds.map(({ dueSince, ...status }) => ({
    ...status,
    oldestDueSeconds: dueSince === null ? 0 : Math.max(0, (Date.parse(now) - Date.parse(dueSince)) / 1000),
  }))
}
