import { systemTimers } from '../platform/clock.ts'
import { createLocalFolderStorage } from '../storage/local-folder.ts'
import { createRetryingStorage } from '../storage/retrying-storage.ts'
import type { Storage } from '../storage/storage.ts'
import type { StorageTarget } from '../storage/storage-url.ts'

/** The S3 client is loaded only where a bucket is named: it takes as long as all the rest. */
export async function openStorage(target: StorageTarget): Promise<Storage> {
  if (target.kind === 'folder') return createLocalFolderStorage({ root: target.folder })
  const { createS3Storage } = await import('../storage/s3.ts')
  return createRetryingStorage(createS3Storage(target), { timers: systemTimers, random: Math.random })
}
