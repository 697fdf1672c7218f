import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { ServiceError } from '../domain/errors.ts'
import { mapConcurrently } from '../platform/concurrency.ts'
import type { MasterKey } from '../secrets/master-key.ts'
import { sealWithPassphrase } from '../secrets/passphrase.ts'
import type { Storage } from '../storage/storage.ts'
import {
  type BackedUpObject,
  type Backup,
  blobsOf,
  type Digested,
  MANIFEST,
  writeManifest,
} from './backup.ts'
import { type Blobs, createBlobs } from './blobs.ts'

/** Small parts, so that the next backup sends little more than the pages of the database that have changed. */
const PART_BYTES = 1024 * 1024
/** Published files in memory at a time. */
const CONCURRENT_OBJECTS = 8

/** Binds the sealed master key to its use. */
export const MASTER_KEY_CONTEXT = 'quoin backup: master key'

export interface BackupPorts {
  /** The place of the backup. */
  readonly place: Storage
  /** Published files; null when a bucket holds them. */
  readonly store: Storage | null
  readonly masterKey: MasterKey
  readonly passphrase: string
  readonly onProgress: OnProgress
}

/** @param what `database` in bytes, or `files`. */
export type OnProgress = (what: 'database' | 'files', done: number, total: number) => void

/** A consistent copy of the database that nobody writes to. */
export interface DatabaseCopy extends Pick<Backup, 'version' | 'createdAt' | 'migrations'> {
  readonly file: FileHandle
}

export interface WrittenBackup {
  readonly backup: Backup
  /** What had to be sent, because an earlier backup in the place did not hold it. */
  readonly sent: { readonly blobs: number; readonly bytes: number }
}

/**
 * Writes a backup, while the service runs. It replaces the earlier backup in the place in one step: until then, and
 * when this fails, that one remains.
 *
 * The database comes first and published files after it, so each file is of the time of the copy or newer. A publish
 * in between can replace or remove files that the copy names. Their bytes are in the database, from which
 * `quoin verify --repair` writes them.
 */
export async function createBackup(
  { file, ...origin }: DatabaseCopy,
  { place, store, masterKey, passphrase, onProgress }: BackupPorts,
): Promise<WrittenBackup> {
  const before = await createBlobs(place).list()
  const { blobs, sent } = counting(createBlobs(place, new Set(before)))
  const sealed = await sealWithPassphrase(masterKey.reveal(), passphrase, MASTER_KEY_CONTEXT)
  const backup: Backup = {
    ...origin,
    database: await storeDatabase(file, blobs, onProgress),
    objects: store === null ? null : await storeObjects(store, blobs, onProgress),
    masterKey: { id: masterKey.id, ...sealed },
  }
  const needed = new Set(blobsOf(backup).map(({ sha256 }) => sha256))
  await assertStored(needed, blobs)
  await place.put({ key: MANIFEST, body: writeManifest(backup) })
  await blobs.remove(before.filter((digest) => !needed.has(digest)))
  return { backup, sent: sent() }
}

async function storeDatabase(
  file: FileHandle,
  blobs: Blobs,
  onProgress: OnProgress,
): Promise<Backup['database']> {
  const { size } = await file.stat()
  const whole = createHash('sha256')
  const parts: Digested[] = []
  for (let start = 0; start < size; start += PART_BYTES) {
    const part = Buffer.alloc(Math.min(PART_BYTES, size - start))
    const { bytesRead } = await file.read(part, 0, part.byteLength, start)
    if (bytesRead < part.byteLength) throw new Error('The copy of the database became shorter.')
    whole.update(part)
    const { sha256, bytes } = await blobs.store(part)
    parts.push({ sha256, bytes })
    onProgress('database', start + bytes, size)
  }
  return { sha256: whole.digest('hex'), bytes: size, parts }
}

async function storeObjects(
  store: Storage,
  blobs: Blobs,
  onProgress: OnProgress,
): Promise<readonly BackedUpObject[]> {
  const keys = await store.list('')
  let done = 0
  const found = await mapConcurrently(keys, CONCURRENT_OBJECTS, async (key) => {
    const body = await store.get(key)
    onProgress('files', ++done, keys.length)
    // Unpublished since the list was read.
    if (body === null) return null
    const { sha256, bytes } = await blobs.store(body)
    return { key, sha256, bytes }
  })
  return found.filter((object) => object !== null)
}

/** Another backup to the same place removes what its own does not need. */
async function assertStored(needed: ReadonlySet<string>, blobs: Blobs): Promise<void> {
  const stored = new Set(await blobs.list())
  if ([...needed].every((digest) => stored.has(digest))) return
  throw new ServiceError(
    'conflict',
    'Another backup to the same place has removed files of this one, which was not completed. Run one backup at a time.',
  )
}

function counting(blobs: Blobs): { readonly blobs: Blobs; readonly sent: () => WrittenBackup['sent'] } {
  let sent = { blobs: 0, bytes: 0 }
  return {
    sent: () => sent,
    blobs: {
      ...blobs,
      async store(body) {
        const stored = await blobs.store(body)
        if (stored.isNew) sent = { blobs: sent.blobs + 1, bytes: sent.bytes + stored.bytes }
        return stored
      },
    },
  }
}
