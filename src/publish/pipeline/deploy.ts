import { isAssetKey, STAGES } from '../../domain/artifact.ts'
import type { ProjectId } from '../../domain/ids.ts'
import { storageKey } from '../../domain/storage-key.ts'
import { eachAtOnce } from '../../platform/concurrency.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Upload } from '../ledger/upload.ts'
import type { Plan, Removal } from './plan.ts'

/** Keys removed by one call. */
const KEYS_A_CALL = 500

/**
 * Apply a plan so that nothing live ever names an object that is not there: assets, then pages,
 * then new pages of listings, then navigation and listings, then the manifest, and deletes only after
 * that: of the site's own files, then of pages. Safe to run again after a failure part-way.
 *
 * @param encode what is stored for an upload: its body as it is, or sealed.
 */
export async function deploy(
  { uploads, deletes }: Pick<Plan, 'uploads' | 'deletes'>,
  projectId: ProjectId,
  storage: Pick<Storage, 'put' | 'delete'>,
  encode: (upload: Upload) => Uint8Array,
): Promise<void> {
  for (const stage of STAGES) {
    const due = uploads.filter(({ artifact }) => artifact.stage === stage)
    await eachAtOnce(due, (upload) =>
      storage.put({ key: storageKey(projectId, upload.artifact.key), body: encode(upload) }),
    )
  }
  await remove(projectId, deletes, storage)
}

/** Remove objects of a project, those first that name others. */
export async function remove(
  projectId: ProjectId,
  objects: readonly Removal[],
  storage: Pick<Storage, 'delete'>,
): Promise<void> {
  const [own, ofPages] = [objects.filter(isOfSite), objects.filter((object) => !isOfSite(object))]
  for (const step of [own, ofPages]) {
    await deleteAll(
      step.map(({ key }) => storageKey(projectId, key)),
      storage,
    )
  }
}

/** Whether it may name pages, and is none itself. */
export function isOfSite({ key, owner: { kind } }: Removal): boolean {
  return kind !== 'page' && kind !== 'redirect' && !isAssetKey(key)
}

/** @param keys storage keys, however many. */
export async function deleteAll(keys: readonly string[], storage: Pick<Storage, 'delete'>): Promise<void> {
  for (let start = 0; start < keys.length; start += KEYS_A_CALL) {
    await storage.delete(keys.slice(start, start + KEYS_A_CALL))
  }
}
