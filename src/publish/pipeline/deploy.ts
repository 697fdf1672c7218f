import { Readable } from 'node:stream'
import { type CopiedBody, isSharedKey, STAGES } from '../../domain/artifact.ts'
import type { ProjectId } from '../../domain/ids.ts'
import { storageKey } from '../../domain/storage-key.ts'
import { forEachConcurrently } from '../../platform/concurrency.ts'
import { type Storage, StorageError, type StreamedBody } from '../../storage/storage.ts'
import type { Upload } from '../ledger/upload.ts'
import type { Plan, Removal } from './plan.ts'

/** Keys per delete call. */
const KEYS_PER_CALL = 500

/**
 * Applies a plan in an order in which no live object ever references a missing one: assets, then pages, then new
 * listing pages, then navigation and listings, then the manifest; after that the deletes, of the site's own files
 * first, then of pages. Copies of other objects follow the objects. Safe to run again after a failure part-way.
 *
 * @param encode the bytes to store for an upload: its body, or the sealed body.
 * @param mediaBody the body of an upload whose artifact is an original.
 */
export async function deploy(
  { uploads, deletes }: Pick<Plan, 'uploads' | 'deletes'>,
  projectId: ProjectId,
  storage: Pick<Storage, 'put' | 'delete' | 'open'>,
  encode: (upload: Upload) => Uint8Array,
  mediaBody: (upload: Upload) => Promise<StreamedBody> = refuseMedia,
): Promise<void> {
  for (const stage of STAGES) {
    const due = uploads.filter(({ artifact }) => artifact.stage === stage && artifact.copied === undefined)
    await forEachConcurrently(due, async (upload) => {
      const { key, spilled, original } = upload.artifact
      if (spilled !== undefined) throw new Error(`${key} is in a spill file.`)
      const body = original === undefined ? encode(upload) : await mediaBody(upload)
      await storage.put({ key: storageKey(projectId, key), body })
    })
  }
  await forEachConcurrently(
    uploads.filter(({ artifact }) => artifact.copied !== undefined),
    async ({ artifact: { key, copied } }) => {
      if (copied === undefined) return
      await storage.put({ key: storageKey(projectId, key), body: copyOf(projectId, copied, storage) })
    },
  )
  await remove(projectId, deletes, storage)
}

function copyOf(
  projectId: ProjectId,
  { key, digest, size }: CopiedBody,
  storage: Pick<Storage, 'open'>,
): StreamedBody {
  return { digest, size, open: () => Readable.from(chunks(), { objectMode: false }) }

  async function* chunks(): AsyncGenerator<Buffer> {
    const object = await storage.open(storageKey(projectId, key))
    if (object === null)
      throw new StorageError(`The object ${key} is missing on the store, and no copy of it can be made.`, {
        transient: false,
      })
    yield* object.stream()
  }
}

async function refuseMedia({ artifact: { key } }: Upload): Promise<never> {
  throw new Error(`No pages are rendered here, but a file of one is to be uploaded: ${key}.`)
}

/** Removes objects of a project in order, references before their targets. */
export async function remove(
  projectId: ProjectId,
  objects: readonly Removal[],
  storage: Pick<Storage, 'delete'>,
): Promise<void> {
  const siteFiles = objects.filter(isOfSite)
  const others = objects.filter((object) => !isOfSite(object))
  for (const step of [siteFiles, others]) {
    await deleteAll(
      step.map(({ key }) => storageKey(projectId, key)),
      storage,
    )
  }
}

/** Reports whether the object is a file of the site with possible references to pages. */
export function isOfSite({ key, owner: { kind } }: Removal): boolean {
  return kind !== 'page' && kind !== 'redirect' && !isSharedKey(key)
}

/** @param keys storage keys, any number of them. */
export async function deleteAll(keys: readonly string[], storage: Pick<Storage, 'delete'>): Promise<void> {
  for (let start = 0; start < keys.length; start += KEYS_PER_CALL) {
    await storage.delete(keys.slice(start, start + KEYS_PER_CALL))
  }
}
