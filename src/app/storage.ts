import { systemTimers } from '../platform/clock.ts'
import { createLocalFolderStorage } from '../storage/local-folder.ts'
import { createRetryingStorage } from '../storage/retrying-storage.ts'
import type { Storage } from '../storage/storage.ts'
import type { StorageTarget } from '../storage/storage-url.ts'
import { ConfigError } from './config.ts'

/**
 * Loads the S3 client only for a bucket, because it takes as long to load as everything else.
 *
 * @throws {ConfigError} for a bucket where the client is not installed.
 */
export async function openStorage(target: StorageTarget): Promise<Storage> {
  if (target.kind === 'folder') return createLocalFolderStorage({ root: target.folder })
  const { createS3Storage } = await loadS3()
  return createRetryingStorage(createS3Storage(target), { timers: systemTimers, random: Math.random })
}

async function loadS3() {
  try {
    return await import('../storage/s3.ts')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')) throw error
    throw new ConfigError(
      'Buckets need the package @aws-sdk/client-s3, which npm leaves out with --omit=optional. Install it: npm install --include=optional.',
    )
  }
}
