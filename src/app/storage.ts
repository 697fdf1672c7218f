import type { Timers } from '../domain/timers.ts'
import { systemTimers } from '../platform/clock.ts'
import { createLocalFolderStorage } from '../storage/local-folder.ts'
import { createRetryingStorage } from '../storage/retrying-storage.ts'
import { type Storage, StorageError } from '../storage/storage.ts'
import type { StorageTarget } from '../storage/storage-url.ts'
import { asConfigError } from './database.ts'

/** Loads the S3 client only for a bucket, because it takes as long to load as everything else. */
export async function openStorage(target: StorageTarget): Promise<Storage> {
  if (target.kind === 'folder') return createLocalFolderStorage({ root: target.folder })
  const { createS3Storage } = await import('../storage/s3.ts')
  return createRetryingStorage(createS3Storage(target), { timers: systemTimers, random: Math.random })
}

/** Longest wait of a start for a store that does not work yet. */
const START_MS = 15_000
const START_PAUSE_MS = 1_000

/**
 * Checks a store for a start. Tries again for 15 s while the error may pass by itself, as that of a busy bucket. Any
 * other error ends it at once.
 *
 * @param onWait called when it is tried again for the first time.
 * @throws {ConfigError} with one line.
 */
export async function awaitStore(
  setting: string,
  store: Pick<Storage, 'check'>,
  { monotonic, timers }: { readonly monotonic: () => number; readonly timers: Pick<Timers, 'sleep'> },
  onWait: (error: unknown) => void,
): Promise<void> {
  const end = monotonic() + START_MS
  await asConfigError(setting, async () => {
    for (let tries = 1; ; tries++) {
      try {
        return await store.check()
      } catch (error) {
        if (!(error instanceof StorageError && error.transient) || monotonic() >= end) throw error
        if (tries === 1) onWait(error)
      }
      await timers.sleep(START_PAUSE_MS)
    }
  })
}
