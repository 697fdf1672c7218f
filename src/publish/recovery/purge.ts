import { projectPrefix } from '../../domain/storage-key.ts'
import type { Lease } from '../ledger/leases.ts'
import { deleteAll, isOfSite, remove } from '../pipeline/deploy.ts'
import type { PublishPorts } from '../ports.ts'

/**
 * Removes all objects of a deleted project from the CDN, then its rows. Removes the manifest first, then other files
 * that reference pages, then everything under the project's prefix until nothing is listed. Safe to repeat.
 */
export async function purge(
  lease: Lease,
  { releaseQueue, liveState, storage }: Pick<PublishPorts, 'releaseQueue' | 'liveState' | 'storage'>,
): Promise<void> {
  const { projectId } = lease
  await remove(projectId, [{ key: '_index.json', owner: { kind: 'site', id: '' } }], storage)
  await remove(projectId, (await liveState.allObjects(projectId)).filter(isOfSite), storage)
  const prefix = projectPrefix(projectId)
  for (let keys = await storage.list(prefix); keys.length > 0; keys = await storage.list(prefix)) {
    await deleteAll(keys, storage)
  }
  await releaseQueue.deleteProject(lease)
}
