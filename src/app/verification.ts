import { performance } from 'node:perf_hooks'
import { createLedger } from '../db/ledger.ts'
import { createImagePool } from '../images/child-pool.ts'
import { systemTime, systemTimers } from '../platform/clock.ts'
import { IMAGE_CHILD } from '../platform/package-paths.ts'
import { createPublishedMedia } from '../publish/published-media.ts'
import { createLeaseHolder } from '../publish/queue/lease-holder.ts'
import { createRecover } from '../publish/recovery/recover.ts'
import { createAccountOf } from '../services/accounts/account-of.ts'
import { randomId } from '../services/new-id.ts'
import { createVerificationService, type VerificationService } from '../services/operating/verification.ts'
import { isHeldByBackup } from './backup-hold.ts'
import type { Config } from './config.ts'
import { asConfigError } from './database.ts'
import { openInstallation } from './installation.ts'
import { openLog } from './log.ts'
import { openMedia } from './media.ts'
import { openRenderer } from './renderer.ts'
import { openThemes } from './server-themes.ts'
import { openStorage } from './storage.ts'

/** The service behind `quoin verify`. A server may run on the same database and store meanwhile. */
export interface OpenVerification {
  readonly verification: VerificationService
  close(): Promise<void>
}

/**
 * @param options.recover whether to end the interrupted releases of the projects that are repaired.
 * @throws {ConfigError} with one line if the database or the store cannot be used.
 */
export async function openVerification(
  config: Config,
  options: { readonly recover: boolean },
): Promise<OpenVerification> {
  const log = openLog(config)
  const storage = await openStorage(config.storage)
  await asConfigError('QUOIN_STORAGE_URL', () => storage.check())
  const installed = await openThemes(config)
  const { db, connections, masterKey } = await openInstallation(config)
  const ledger = createLedger(connections, {
    now: systemTime,
    newId: randomId,
    // A server sends it.
    onCachePurge: config.purge === null ? null : () => {},
  })
  const renderer = openRenderer(config, installed, createAccountOf(db))
  const monotonic = () => performance.now()
  const { store: mediaStore, incoming } = await openMedia(config)
  const images = createImagePool({ entry: IMAGE_CHILD, size: 1 })
  const publishedMedia = createPublishedMedia(ledger.storedArtifacts, mediaStore)
  const ports = { ...ledger, storage, publishedMedia, renderer, masterKey, now: systemTime, monotonic, log }
  const leaseHolder = createLeaseHolder({ ...ports, holder: randomId() })
  const recover = createRecover({ ...ports, leaseHolder, timers: systemTimers })
  return {
    verification: createVerificationService({
      db,
      ports: { ...ports, leaseHolder, ...(options.recover && { recover }) },
      media: { ...ports, db, mediaStore, images, incoming, isHeld: isHeldByBackup(config) },
    }),
    async close() {
      await Promise.all([renderer.close(), images.close()])
      await db.close()
    },
  }
}
