import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { mapConcurrently } from '../platform/concurrency.ts'
import { openWithPassphrase } from '../secrets/passphrase.ts'
import { type Storage, StorageError } from '../storage/storage.ts'
import { type BackedUpObject, type Backup, blobsOf, MANIFEST, readManifest } from './backup.ts'
import { createBlobs } from './blobs.ts'
import { MASTER_KEY_CONTEXT, type OnProgress } from './create-backup.ts'

/** Blobs in memory at a time. */
const CONCURRENT_BLOBS = 8
/** Larger ones are copied a chunk at a time. */
const WHOLE_BYTES = 2 * 1024 * 1024

/** Returns null when the place holds no complete backup. @throws {RangeError} if this version cannot read it. */
export async function findBackup(place: Storage): Promise<Backup | null> {
  const manifest = await place.get(MANIFEST)
  return manifest === null ? null : readManifest(manifest)
}

/** The keys as `parseMasterKey` reads them. @throws {RangeError} if the passphrase is wrong. */
export function openMasterKey({ masterKey }: Backup, passphrase: string): Promise<string> {
  return openWithPassphrase(masterKey, passphrase, MASTER_KEY_CONTEXT)
}

/** Reads everything. @throws {StorageError} naming the first part that is missing or has changed. */
export async function checkBackup(
  backup: Backup,
  place: Storage,
  onProgress: (done: number, total: number) => void,
): Promise<void> {
  const blobs = createBlobs(place)
  const all = blobsOf(backup)
  let done = 0
  await mapConcurrently(all, CONCURRENT_BLOBS, async (blob) => {
    await blobs.check(blob)
    onProgress(++done, all.length)
  })
}

/** Writes the published files, or the uploads, into a store. @throws {StorageError} */
export async function restoreObjects(
  all: readonly BackedUpObject[],
  place: Storage,
  store: Pick<Storage, 'put'>,
  onProgress: (done: number, total: number) => void,
): Promise<void> {
  const blobs = createBlobs(place)
  let done = 0
  await mapConcurrently(all, CONCURRENT_BLOBS, async ({ key, ...blob }) => {
    const body =
      blob.bytes <= WHOLE_BYTES
        ? await blobs.read(blob)
        : { size: blob.bytes, digest: blob.sha256, open: () => blobs.open(blob) }
    await store.put({ key, body })
    onProgress(++done, all.length)
  })
}

/** Writes the database into an empty file. @throws {StorageError} unless the file is what was backed up. */
export async function restoreDatabase(
  { database }: Pick<Backup, 'database'>,
  place: Storage,
  file: Pick<FileHandle, 'writeFile' | 'sync'>,
  onProgress: OnProgress,
): Promise<void> {
  const blobs = createBlobs(place)
  const whole = createHash('sha256')
  let done = 0
  for (const part of database.parts) {
    const body = await blobs.read(part)
    whole.update(body)
    // Unlike `write`, it does not end before all is written.
    await file.writeFile(body)
    done += body.byteLength
    onProgress('database', done, database.bytes)
  }
  if (done !== database.bytes || whole.digest('hex') !== database.sha256)
    throw new StorageError('The backup is damaged: the parts of the database do not make up the whole.', {
      transient: false,
    })
  await file.sync()
}
