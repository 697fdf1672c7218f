import { addAbortSignal, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { type ObjectHeaders, objectHeaders } from '../../src/domain/artifact.ts'
import { assertSafeKey, assertSafePrefix } from '../../src/domain/storage-key.ts'
import type { Storage, StreamedBody } from '../../src/storage/storage.ts'
import { verifiedStream } from '../../src/storage/streamed-body.ts'

export type StorageOperation = 'put' | 'get' | 'open' | 'headers' | 'delete' | 'list' | 'check'

export interface MemoryStorage extends Storage {
  /** All writes in order, e.g. `put docs/index.html`. A `delete` has a line for each key. Tests may clear it. */
  readonly log: string[]
  /** Changes headers of an object, as another program could. The next `put` restores them. */
  changeHeaders(key: string, headers: Partial<ObjectHeaders>): void
}

export interface MemoryStorageOptions {
  /** Called before each operation, for `delete` once per key. If it returns an error, the operation throws it and does nothing. */
  readonly failOn?: (operation: StorageOperation, key: string) => Error | null
}

interface StoredEntry {
  readonly body: Buffer
  readonly etag: string
  readonly headers: ObjectHeaders
}

/** An in-memory storage that meets the whole contract except durability, and is as strict as a folder. */
export function createMemoryStorage({ failOn = () => null }: MemoryStorageOptions = {}): MemoryStorage {
  const objects = new Map<string, StoredEntry>()
  const log: string[] = []
  let versions = 0

  return {
    log,

    async put({ key, body }, { signal } = {}) {
      assertSafeKey(key)
      signal?.throwIfAborted()
      record('put', key)
      refuseTakenName(key)
      const bytes = 'open' in body ? await readStream(body, signal) : Buffer.from(body)
      versions += 1
      objects.set(key, { body: bytes, etag: `"${versions}"`, headers: objectHeaders(key) })
    },

    async get(key, { signal } = {}) {
      assertSafeKey(key)
      signal?.throwIfAborted()
      record('get', key)
      const object = objects.get(key)
      return object === undefined ? null : Buffer.from(object.body)
    },

    async open(key, { signal } = {}) {
      assertSafeKey(key)
      signal?.throwIfAborted()
      record('open', key)
      const object = objects.get(key)
      if (object === undefined) return null
      const { body, etag } = object
      return {
        size: body.length,
        etag,
        headers: objectHeaders(key),
        bufferedBytes: body.length,
        stream: (range) =>
          Readable.from([range ? body.subarray(range.start, range.end + 1) : body], { objectMode: false }),
        close: async () => {},
      }
    },

    async headers(key, { signal } = {}) {
      assertSafeKey(key)
      signal?.throwIfAborted()
      record('headers', key)
      return objects.get(key)?.headers ?? null
    },

    changeHeaders(key, headers) {
      const object = objects.get(key)
      if (object === undefined) throw new Error(`No object ${key}.`)
      objects.set(key, { ...object, headers: { ...object.headers, ...headers } })
    },

    async delete(keys, { signal } = {}) {
      keys.forEach(assertSafeKey)
      signal?.throwIfAborted()
      for (const key of keys) {
        record('delete', key)
        objects.delete(key)
      }
    },

    async list(prefix, { signal } = {}) {
      assertSafePrefix(prefix)
      signal?.throwIfAborted()
      record('list', prefix)
      return [...objects.keys()].filter((key) => key.startsWith(prefix)).sort()
    },

    async check({ signal } = {}) {
      signal?.throwIfAborted()
      record('check', '')
    },
  }

  function record(operation: StorageOperation, key: string): void {
    const failure = failOn(operation, key)
    if (failure !== null) throw failure
    log.push(`${operation} ${key}`.trimEnd())
  }

  function refuseTakenName(key: string): void {
    const taken = [...objects.keys()].find(
      (other) => other.startsWith(`${key}/`) || key.startsWith(`${other}/`),
    )
    if (taken !== undefined) throw new Error(`No object can lie at ${key} beside ${taken}.`)
  }
}

async function readStream(body: StreamedBody, signal: AbortSignal | undefined): Promise<Buffer> {
  const stream = verifiedStream(body)
  if (signal !== undefined) addAbortSignal(signal, stream)
  try {
    return await buffer(stream)
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  }
}
