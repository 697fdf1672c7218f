import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { ServiceError } from '../domain/errors.ts'
import { mapConcurrently } from '../platform/concurrency.ts'
import type { MasterKey } from '../secrets/master-key.ts'
import { sealWithPassphrase } from '../secrets/passphrase.ts'
import { type Storage, StorageError } from '../storage/storage.ts'
import {
  type BackedUpObject,
  type Backup,
  blobsOf,
  type Digested,
  MANIFEST,
  writeManifest,
} from './backup.ts'
import { type Blobs, createBlobs } from './blobs.ts'

/** Bytes of a part. Parts are small, so the next backup sends little more than the changed pages of the database. */
const PART_BYTES = 1024 * 1024
/** Published files in memory at a time. */
const CONCURRENT_OBJECTS = 8
/** Larger files are read a chunk at a time, once for their digest and once to store them. */
const WHOLE_BYTES = 2 * 1024 * 1024
const ATTEMPTS = 5
/** Uploads that are copied at a time. */
const CONCURRENT_MEDIA = 4

/** Binds the sealed master key to its use. */
export const MASTER_KEY_CONTEXT = 'quoin backup: master key'

export interface BackupPorts {
  /** The place of the backup. */
  readonly place: Storage
  /** Published files; null when a bucket holds them. */
  readonly store: Storage | null
  /** Uploads; null when they are not part of the backup. Nothing removes uploads of the copy meanwhile. */
  readonly mediaStore: Pick<Storage, 'open'> | null
  readonly masterKey: MasterKey
  readonly passphrase: string
  readonly onProgress: OnProgress
}

/** @param what `database` in bytes, `files` that are published, or `media`: uploads. */
export type OnProgress = (what: 'database' | 'files' | 'media', done: number, total: number) => void

/** A consistent copy of the database, to which nothing writes. */
export interface DatabaseCopy extends Pick<Backup, 'version' | 'createdAt' | 'migrations'> {
  readonly file: FileHandle
  /** Objects of the media store that the database names. */
  readonly media: readonly BackedUpObject[]
}

export interface WrittenBackup {
  readonly backup: Backup
  /** Blobs that had to be sent, because no earlier backup in the place holds them. */
  readonly sent: { readonly blobs: number; readonly bytes: number }
  /** Keys in the media store whose bytes are missing there or damaged. The backup is complete but for these. */
  readonly lost: readonly string[]
}

/**
 * Writes a backup while the service runs, and replaces the earlier one in one step. After a failure the earlier backup
 * remains.
 *
 * The database comes first, so each published file is as old as the copy or newer. A publish in between can replace or
 * remove files named in the copy; `quoin verify --repair` writes them again from the database. The backup has all uploads
 * named in the copy: nothing removes them during a backup.
 */
export async function createBackup(
  { file, media, ...origin }: DatabaseCopy,
  { place, store, mediaStore, masterKey, passphrase, onProgress }: BackupPorts,
): Promise<WrittenBackup> {
  const before = await createBlobs(place).list()
  const { blobs, sent } = counting(createBlobs(place, new Set(before)))
  const sealed = await sealWithPassphrase(masterKey.reveal(), passphrase, MASTER_KEY_CONTEXT)
  const uploads = mediaStore === null ? null : await storeMedia(media, mediaStore, blobs, onProgress)
  const backup: Backup = {
    ...origin,
    database: await storeDatabase(file, blobs, onProgress),
    objects: store === null ? null : await storeObjects(store, blobs, onProgress),
    media: uploads?.stored ?? null,
    masterKey: { id: masterKey.id, ...sealed },
  }
  const needed = new Set(blobsOf(backup).map(({ sha256 }) => sha256))
  await assertStored(needed, blobs)
  await place.put({ key: MANIFEST, body: writeManifest(backup) })
  await blobs.remove(before.filter((digest) => !needed.has(digest)))
  return { backup, sent: sent(), lost: uploads?.lost ?? [] }
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
    const stored = await storeObject(key, store, blobs)
    onProgress('files', ++done, keys.length)
    // It is null when unpublished after the list was read.
    return stored && { key, sha256: stored.sha256, bytes: stored.bytes }
  })
  return found.filter((object) => object !== null)
}

async function storeObject(key: string, store: Storage, blobs: Blobs): Promise<Digested | null> {
  for (let attempt = 1; ; attempt++) {
    const object = await store.open(key)
    if (object === null) return null
    const { size } = object
    if (size <= WHOLE_BYTES) return blobs.store(await buffer(object.stream()))
    const hash = createHash('sha256')
    await pipeline(object.stream(), hash)
    const blob = { sha256: hash.digest('hex'), bytes: size }
    try {
      await blobs.storeStream(blob, () => chunksOf(key, store))
      return blob
    } catch (error) {
      // Another version may have been published between the two readings.
      if (attempt === ATTEMPTS) throw error
    }
  }
}

/** Reads only uploads that no earlier backup in the place has: their digests are known. */
async function storeMedia(
  media: readonly BackedUpObject[],
  store: Pick<Storage, 'open'>,
  blobs: Blobs,
  onProgress: OnProgress,
): Promise<{ readonly stored: readonly BackedUpObject[]; readonly lost: readonly string[] }> {
  let done = 0
  const results = await mapConcurrently(media, CONCURRENT_MEDIA, async (object) => {
    const isStored = await blobs
      .storeStream(object, () => chunksOf(object.key, store))
      .then(() => true)
      .catch(async (error) => {
        if (await isIntact(object, store)) throw error
        return false
      })
    onProgress('media', ++done, media.length)
    return isStored
  })
  return {
    stored: media.filter((_, index) => results[index]),
    lost: media.filter((_, index) => !results[index]).map(({ key }) => key),
  }
}

/** Reports whether the media store has the bytes. If not, the backup lists them as lost; if so, the place failed. */
async function isIntact({ key, sha256 }: BackedUpObject, store: Pick<Storage, 'open'>): Promise<boolean> {
  const object = await store.open(key)
  if (object === null) return false
  const hash = createHash('sha256')
  await pipeline(object.stream(), hash)
  return hash.digest('hex') === sha256
}

/** The bytes of an object, which is opened when the first one is asked for. */
function chunksOf(key: string, store: Pick<Storage, 'open'>): Readable {
  async function* chunks() {
    const object = await store.open(key)
    if (object === null) throw new StorageError(`${key} is missing.`, { transient: false })
    yield* object.stream()
  }
  return Readable.from(chunks(), { objectMode: false })
}

/** Throws when another backup to the same place, which did not need files of this one, has removed them. */
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
      async storeStream(blob, open) {
        const stored = await blobs.storeStream(blob, open)
        if (stored.isNew) sent = { blobs: sent.blobs + 1, bytes: sent.bytes + blob.bytes }
        return stored
      },
    },
  }
}
