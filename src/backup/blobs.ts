import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { mapConcurrently } from '../platform/concurrency.ts'
import { type Storage, StorageError } from '../storage/storage.ts'
import type { Digested } from './backup.ts'

const FOLDER = 'blobs/'
/** First digits. Each listing of a bucket has a time limit, so it covers a sixteenth. */
const DIGITS = [...'0123456789abcdef']
const CONCURRENT_LISTS = 4

/** Bytes by their digest: equal bytes are stored once. */
export interface Blobs {
  /** Stores the bytes unless they are there already. `isNew` says whether they were sent. */
  store(bytes: Uint8Array): Promise<Digested & { readonly isNew: boolean }>
  /**
   * Stores bytes of a known digest unless they are there already, a chunk at a time.
   *
   * @throws {StorageError} if the bytes have another digest.
   */
  storeStream(blob: Digested, open: () => Readable): Promise<{ readonly isNew: boolean }>
  /** @throws {StorageError} if the blob is missing, or its bytes have changed. */
  read(blob: Digested): Promise<Uint8Array>
  /** Opens a blob, which may be large. The stream fails if the blob is missing. */
  open(blob: Digested): Readable
  /** Reads a blob a chunk at a time. @throws as `read`. */
  check(blob: Digested): Promise<void>
  /** Digests of all blobs, from the store. */
  list(): Promise<readonly string[]>
  remove(digests: readonly string[]): Promise<void>
}

/** @param known digests of blobs that exist. */
export function createBlobs(storage: Storage, known: ReadonlySet<string> = new Set()): Blobs {
  const stored = new Set(known)

  return {
    async store(body) {
      const sha256 = sha256Of(body)
      const isNew = !stored.has(sha256)
      if (isNew) await storage.put({ key: keyOf(sha256), body })
      stored.add(sha256)
      return { sha256, bytes: body.byteLength, isNew }
    },

    async storeStream({ sha256, bytes }, open) {
      const isNew = !stored.has(sha256)
      if (isNew) await storage.put({ key: keyOf(sha256), body: { size: bytes, digest: sha256, open } })
      stored.add(sha256)
      return { isNew }
    },

    open: ({ sha256 }) => Readable.from(chunksOf(sha256), { objectMode: false }),

    async check({ sha256 }) {
      const hash = createHash('sha256')
      for await (const chunk of chunksOf(sha256)) hash.update(chunk)
      if (hash.digest('hex') !== sha256) throw damaged(`the bytes of ${keyOf(sha256)} have changed`)
    },

    async read({ sha256 }) {
      const body = await storage.get(keyOf(sha256))
      if (body === null) throw damaged(`${keyOf(sha256)} is missing`)
      if (sha256Of(body) !== sha256) throw damaged(`the bytes of ${keyOf(sha256)} have changed`)
      return body
    },

    async list() {
      const keys = await mapConcurrently(DIGITS, CONCURRENT_LISTS, (digit) => storage.list(FOLDER + digit))
      return keys.flat().map((key) => key.slice(key.lastIndexOf('/') + 1))
    },

    remove: (digests) => storage.delete(digests.map(keyOf)),
  }

  async function* chunksOf(sha256: string): AsyncGenerator<Buffer> {
    const object = await storage.open(keyOf(sha256))
    if (object === null) throw damaged(`${keyOf(sha256)} is missing`)
    yield* object.stream()
  }
}

function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function keyOf(sha256: string): string {
  return `${FOLDER}${sha256.slice(0, 2)}/${sha256}`
}

function damaged(what: string): StorageError {
  return new StorageError(`The backup is damaged: ${what}.`, { transient: false })
}
