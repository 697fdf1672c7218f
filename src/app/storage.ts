import { systemTimers } from '../platform/clock.ts'
import { createLocalFolderStorage } from '../storage/local-folder.ts'
import { createRetryingStorage } from '../storage/retrying-storage.ts'
import type { Storage } from '../storage/storage.ts'
import type { StorageTarget } from '../storage/storage-url.ts'

/** Loads the S3 client only for a bucket, because it takes as long to load as everything else. */
export async function openStorage(target: StorageTarget): Promise<Storage> {
  if (target.kind === 'folder') return createLocalFolderStorage({ root: target.folder })
  const { createS3Storage } = await import('../storage/s3.ts')
  return createRetryingStorage(createS3Storage(target), { timers: systemTimers, random: Math.random })
}
