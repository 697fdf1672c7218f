import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import type { OpenObject } from '../../storage/storage.ts'
import type { Coding } from './accept-encoding.ts'
import { orStoreFailed } from './store-failed.ts'

/** A smaller body fits into one packet without compression. */
const SMALLEST_BYTES = 1024
/** Twice the size of a list of 10,000 pages. A larger body is streamed uncompressed. */
const LARGEST_BYTES = 8 * 1024 * 1024
/** Size of the cache, in compressed bytes. */
const KEPT_BYTES = 16 * 1024 * 1024
/** Concurrent compressions; the other threads of the pool serve file I/O. */
const RUNNING = 2
/** Waiting and running compressions. Above this, visitors get the text uncompressed, which costs almost nothing. */
const UNDER_WAY = 32

/** Types worth compressing; pictures and fonts are compressed already. */
const TEXT = /^(text\/.*|application\/(json|xml|atom\+xml)|image\/svg\+xml)(;|$)/

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
  readonly keptBytes?: number
}

/** Whether objects of this type are compressed for clients that accept it. */
export function isText(contentType: string): boolean {
  return TEXT.test(contentType)
}

/** Compresses objects, with a cache and one compression for concurrent requests of the same version. */
export function createCompression({
  compress = compressed,
  keptBytes = KEPT_BYTES,
}: CompressionOptions = {}): Compression {
  const kept = new LRUCache<string, Buffer>({ maxSize: keptBytes, sizeCalculation: sizeOf })
  const underWay = new Map<string, Promise<Buffer>>()
  const slot = pLimit(RUNNING)

  return {
    async body(key, object, coding) {
      if (object.size < SMALLEST_BYTES || object.size > LARGEST_BYTES) return null
      const version = `${coding} ${object.etag} ${key}`
      const known = kept.get(version) ?? underWay.get(version)
      if (known !== undefined) {
        await object.close()
        return known
      }
      return underWay.size < UNDER_WAY ? begin(version, object, coding) : null
    },
  }

  async function begin(version: string, object: OpenObject, coding: Coding): Promise<Buffer> {
    const making = slot(async () => compress(await orStoreFailed(buffer(object.stream())), coding))
    underWay.set(version, making)
    try {
      const body = await making
      kept.set(version, body)
      return body
    } finally {
      underWay.delete(version)
    }
  }
}

/** Memory of an entry: the buffer behind a small body can be larger than the body. */
function sizeOf(body: Buffer, version: string): number {
  return body.buffer.byteLength + version.length
}

/** Compresses at levels that take at most 0.5 ms for a page of 14 KB; the next level takes ten times as long for 1 %. */
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
