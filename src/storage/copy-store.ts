import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { mapConcurrently } from '../platform/concurrency.ts'
import { type Storage, StorageError, type StoredObject } from './storage.ts'

/** Objects that are copied at a time. */
const CONCURRENT_COPIES = 8
/** Larger ones are streamed. */
const WHOLE_BYTES = 2 * 1024 * 1024

export interface CopiedStore {
  readonly objects: number
  readonly bytes: number
  /** Objects that the target did not have, or had with other bytes. */
  readonly copied: number
}

/**
 * Copies every object to another store, and reads each copy back. An object that is there with the same bytes is not
 * sent again, so an interrupted copy continues where it ended.
 *
 * @param onProgress called with the objects that are done, and with all.
 * @throws {RangeError} when the target holds other objects. Nothing was written then.
 * @throws {StorageError} when a copy has other bytes than its original.
 */
export async function copyStore(
  from: Storage,
  to: Storage,
  onProgress: (done: number, total: number) => void,
): Promise<CopiedStore> {
  const keys = await from.list('')
  const present = new Set(await to.list(''))
  assertOwn(present, new Set(keys))
  let done = 0
  const copies = await mapConcurrently(keys, CONCURRENT_COPIES, async (key) => {
    const original = await fingerprintOf(from, key)
    const isPresent = present.has(key) && isSame(await fingerprintOf(to, key), original)
    if (!isPresent) await copyObject(key, original, from, to)
    onProgress(++done, keys.length)
    return { bytes: original.size, isPresent }
  })
  return {
    objects: keys.length,
    bytes: copies.reduce((sum, { bytes }) => sum + bytes, 0),
    copied: copies.filter(({ isPresent }) => !isPresent).length,
  }
}

function assertOwn(present: ReadonlySet<string>, own: ReadonlySet<string>): void {
  for (const key of present)
    if (!own.has(key))
      throw new RangeError(`holds ${key}, which is not in the store that is copied. Name an empty place`)
}

interface Fingerprint {
  /** In bytes. */
  readonly size: number
  /** SHA-256, hex. */
  readonly digest: string
}

function isSame(one: Fingerprint, other: Fingerprint): boolean {
  return one.size === other.size && one.digest === other.digest
}

async function copyObject(key: string, original: Fingerprint, from: Storage, to: Storage): Promise<void> {
  await to.put({ key, body: await bodyOf(key, original, from) })
  if (!isSame(await fingerprintOf(to, key), original))
    throw new StorageError(`The copy of ${key} has other bytes than the original.`, { transient: false })
}

async function bodyOf(
  key: string,
  { size, digest }: Fingerprint,
  from: Storage,
): Promise<StoredObject['body']> {
  if (size > WHOLE_BYTES) return { size, digest, open: () => Readable.from(chunksOf(from, key)) }
  const body = await from.get(key)
  if (body === null) throw missing(key)
  return body
}

async function fingerprintOf(store: Storage, key: string): Promise<Fingerprint> {
  const hash = createHash('sha256')
  let size = 0
  for await (const chunk of chunksOf(store, key)) {
    hash.update(chunk)
    size += chunk.byteLength
  }
  return { size, digest: hash.digest('hex') }
}

async function* chunksOf(store: Storage, key: string): AsyncGenerator<Buffer> {
  const object = await store.open(key)
  if (object === null) throw missing(key)
  yield* object.stream()
}

function missing(key: string): StorageError {
  return new StorageError(`${key} was removed while the store was copied.`, { transient: false })
}
