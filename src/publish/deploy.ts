import pLimit from 'p-limit'
import { STAGES } from '../domain/artifact.ts'
import type { ProjectId } from '../domain/ids.ts'
import { storageKey } from '../domain/storage-key.ts'
import type { CallOptions, Storage } from '../storage/storage.ts'
import type { Upload } from './ledger.ts'
import type { Plan } from './plan.ts'

/** Uploads under way at once. */
const CONCURRENCY = 32

/**
 * Apply a plan so that nothing live ever names an object that is not there: assets, then pages,
 * then navigation and listings, then the manifest, and deletes only after that.
 * Safe to run again after a failure part-way.
 *
 * @param encode what is stored for an upload: its body as it is, or sealed.
 */
export async function deploy(
  { uploads, deletes }: Plan,
  projectId: ProjectId,
  storage: Storage,
  encode: (upload: Upload) => Uint8Array,
  options: CallOptions = {},
): Promise<void> {
  for (const stage of STAGES) {
    const due = uploads.filter(({ artifact }) => artifact.stage === stage)
    await eachAtOnce(due, (upload) =>
      storage.put({ key: storageKey(projectId, upload.artifact.key), body: encode(upload) }, options),
    )
  }
  await storage.delete(
    deletes.map((key) => storageKey(projectId, key)),
    options,
  )
}

/** Waits for all, so that no write is still under way when a failure is reported, then throws the first one. */
export async function eachAtOnce<Item>(
  items: readonly Item[],
  write: (item: Item) => Promise<void>,
): Promise<void> {
  const limit = pLimit(CONCURRENCY)
  const ended = await Promise.allSettled(items.map((item) => limit(() => write(item))))
  const failed = ended.find((write) => write.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}
