import pLimit from 'p-limit'
import { STAGES } from '../domain/artifact.ts'
import type { ProjectId } from '../domain/ids.ts'
import { storageKey } from '../domain/storage-key.ts'
import type { CallOptions, Storage } from '../storage/storage.ts'
import type { Plan } from './plan.ts'

/** Uploads under way at once. */
const CONCURRENCY = 32

/**
 * Apply a plan so that nothing live ever names an object that is not there: assets, then pages,
 * then navigation and listings, then the manifest, and deletes only after that.
 * Safe to run again after a failure part-way.
 */
export async function deploy(
  { uploads, deletes }: Plan,
  projectId: ProjectId,
  storage: Storage,
  options: CallOptions = {},
): Promise<void> {
  const limit = pLimit(CONCURRENCY)
  for (const stage of STAGES) {
    const due = uploads.filter(({ artifact }) => artifact.stage === stage)
    await settleAll(
      due.map(({ artifact: { key, body } }) =>
        limit(() => storage.put({ key: storageKey(projectId, key), body }, options)),
      ),
    )
  }
  await storage.delete(
    deletes.map((key) => storageKey(projectId, key)),
    options,
  )
}

/** Waits for all, so that no write is still under way when a failure is reported, then throws the first one. */
async function settleAll(writes: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(writes)).find((write) => write.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}
