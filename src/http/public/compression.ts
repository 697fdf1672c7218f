import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import type { OpenObject } from '../../storage/storage.ts'
import type { Coding } from './accept-encoding.ts'
import { orStoreFailed } from './store-failed.ts'

/** A body smaller than this fits into a packet as it is. */
const SMALLEST_BYTES = 1024
/** The list of 10,000 pages has half of it. A larger body is sent as it is, piece by piece. */
const LARGEST_BYTES = 8 * 1024 * 1024
/** What is kept in memory, in compressed bytes. */
const KEPT_BYTES = 16 * 1024 * 1024
/** So many at a time: the rest of the threads are for files. */
const RUNNING = 2
/** Beyond so many that wait or run, the next visitors get the text as it is, which costs next to nothing. */
const UNDER_WAY = 32

/** What is text; pictures, fonts and whatever is not known are left alone. */
const TEXT = /^(text\/.*|application\/(json|xml|atom\+xml)|image\/svg\+xml)(;|$)/

export interface Compression {
  /**
   * The object's body in that coding; frees the object. Null, with the object still open, when it is
   * best sent as it is: too small, too large, or too much is being compressed already.
   *
   * @throws {StoreFailed} when the object cannot be read.
   */
  body(key: string, object: OpenObject, coding: Coding): Promise<Buffer | null>
}

export interface CompressionOptions {
  readonly compress?: (body: Buffer, coding: Coding) => Promise<Buffer>
  readonly keptBytes?: number
}

/** Whether an object of this type travels compressed, where the client takes it so. */
export function isText(contentType: string): boolean {
  return TEXT.test(contentType)
}

/** Compresses each version of an object once for as long as memory for it lasts, whoever asks and how often. */
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

/** What is held in memory: a small body has more room behind it than it fills. */
function sizeOf(body: Buffer, version: string): number {
  return body.buffer.byteLength + version.length
}

/**
 * Levels at which a page of 14 KB takes half a millisecond or less: another step costs ten times as
 * much for a hundredth of the size.
 */
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
