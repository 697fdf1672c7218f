import { createHash } from 'node:crypto'
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
  /** @throws {StorageError} if the blob is missing, or its bytes have changed. */
  read(blob: Digested): Promise<Uint8Array>
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
