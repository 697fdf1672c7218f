import { projectPrefix, storageKey } from '../domain/storage-key.ts'
import type { Storage } from '../storage/storage.ts'
import type { PublishPorts } from './batch.ts'
import type { Lease } from './ledger.ts'

/** Keys removed by one call. */
const KEYS_A_CALL = 500

/**
 * Remove everything a deleted project has on the CDN, the manifest first, until nothing is left under
 * its prefix; then forget its rows. May be repeated until it succeeds.
 */
export async function purge(lease: Lease, { ledger, storage }: PublishPorts): Promise<void> {
  const { projectId } = lease
  await storage.delete([storageKey(projectId, '_index.json')])
  const prefix = projectPrefix(projectId)
  for (let keys = await storage.list(prefix); keys.length > 0; keys = await storage.list(prefix)) {
    await deleteAll(keys, storage)
  }
  await ledger.forget(lease)
}

/** @param keys storage keys, however many. */
export async function deleteAll(keys: readonly string[], storage: Pick<Storage, 'delete'>): Promise<void> {
  for (let start = 0; start < keys.length; start += KEYS_A_CALL) {
    await storage.delete(keys.slice(start, start + KEYS_A_CALL))
  }
}
