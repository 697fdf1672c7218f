import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import type { OpenObject } from '../../storage/storage.ts'
import type { Coding } from './accept-encoding.ts'
import { wrapStoreErrors } from './store-failed.ts'

/** A smaller body fits into one packet without compression. */
const SMALLEST_BYTES = 1024
/** Twice the size of a list of 10,000 pages. A larger body is streamed uncompressed. */
const LARGEST_BYTES = 8 * 1024 * 1024
/** Size of the cache, in compressed bytes. */
const CACHE_BYTES = 16 * 1024 * 1024
/** Concurrent compressions; the other threads of the pool serve file I/O. */
const CONCURRENCY = 2
/** Waiting and running compressions. Above this, visitors get the text uncompressed, which costs almost nothing. */
const MAX_PENDING = 32

/** Types worth compressing; images and fonts are compressed already. */
const TEXT =
  /^(text\/.*|application\/(.*\+)?(json|xml)|application\/(jsonl|x-ndjson|yaml|toml)|image\/svg\+xml)(;|$)/

export interface Compression {
  /**
   * The body of the object in that coding; closes the object. Null, with the object still open, when it should be sent
   * uncompressed: too small, too large, or too many compressions are pending.
   *
   * @throws {StoreFailed} when the object cannot be read.
   */
  body(key: string, object: OpenObject, coding: Coding): Promise<Buffer | null>
}

export interface CompressionOptions {
  readonly compress?: (body: Buffer, coding: Coding) => Promise<Buffer>
  readonly cacheBytes?: number
}

/** Reports whether objects of this type are compressed for clients that accept it. */
export function isText(contentType: string): boolean {
  return TEXT.test(contentType)
}

/** Compresses objects, with a cache and one compression for concurrent requests of the same version. */
export function createCompression({
  compress = compressed,
  cacheBytes: keptBytes = CACHE_BYTES,
}: CompressionOptions = {}): Compression {
  const cache = new LRUCache<string, Buffer>({ maxSize: keptBytes, sizeCalculation: sizeOf })
  const pending = new Map<string, Promise<Buffer>>()
  const slot = pLimit(CONCURRENCY)

  return {
    async body(key, object, coding) {
      if (object.size < SMALLEST_BYTES || object.size > LARGEST_BYTES) return null
      const version = `${coding} ${object.etag} ${key}`
      const known = cache.get(version) ?? pending.get(version)
      if (known !== undefined) {
        await object.close()
        return known
      }
      return pending.size < MAX_PENDING ? start(version, object, coding) : null
    },
  }

  async function start(version: string, object: OpenObject, coding: Coding): Promise<Buffer> {
    const compressing = slot(async () => compress(await wrapStoreErrors(buffer(object.stream())), coding))
    pending.set(version, compressing)
    try {
      const body = await compressing
      cache.set(version, body)
      return body
    } finally {
      pending.delete(version)
    }
  }
}

/** Memory of an entry: the buffer behind a small body can be larger than the body. */
function sizeOf(body: Buffer, version: string): number {
  return body.buffer.byteLength + version.length
}

/** Compresses at levels of at most 0.5 ms for a page of 14 KB; the next level takes ten times as long for 1 %. */
async function compressed(body: Buffer, coding: Coding): Promise<Buffer> {
  if (coding === 'gzip') return promisify(gzip)(body, { level: 6 })
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_MODE, BROTLI_PARAM_SIZE_HINT, BROTLI_MODE_TEXT } = constants
  return promisify(brotliCompress)(body, {
    params: {
      [BROTLI_PARAM_QUALITY]: 5,
      [BROTLI_PARAM_MODE]: BROTLI_MODE_TEXT,
      [BROTLI_PARAM_SIZE_HINT]: body.length,
    },
  })
}
