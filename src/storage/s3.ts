import { addAbortSignal, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import {
  type _Error,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  type GetObjectCommandOutput,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3'
import pLimit from 'p-limit'
import { cacheTagHeaders, cacheTags } from '../cdn/cache-tags.ts'
import { objectHeaders } from '../domain/artifact.ts'
import { contentDisposition } from '../domain/content-disposition.ts'
import { assertSafeKey, assertSafePrefix, isSafeKey, projectOfKey } from '../domain/storage-key.ts'
import { createS3Client, withAbortSignal, withPayloadDigest } from './s3-client.ts'
import { bucketUnusable, isNotFound, isTransientCode, isUnsupported, toStorageError } from './s3-errors.ts'
import {
  bodySize,
  type OpenObject,
  type Storage,
  StorageError,
  type StoredObject,
  type StreamedBody,
} from './storage.ts'
import type { BucketTarget } from './storage-url.ts'
import { verifiedStream } from './streamed-body.ts'

/** Bytes of a key that S3 allows, including the prefix. */
const MAX_KEY_BYTES = 1024
/** Keys that S3 allows in one batch delete. */
const KEYS_PER_DELETE = 1000
const CONCURRENT_DELETES = 32
/** Objects up to this size are read into memory when opened, so that a slow visitor holds no connection. */
const BUFFERED_BYTES = 1024 * 1024
const SLICE_BYTES = 64 * 1024
/** Key of the object that `check` writes and removes. `list` leaves it out. */
const PROBE = '.quoin-check'

/** Stores objects in an S3 bucket, below a prefix. Does not retry; failures are a `StorageError`. */
export function createS3Storage(target: BucketTarget): Storage {
  const client = createS3Client(target)
  const Bucket = target.bucket

  return {
    async put({ key, body }, { signal } = {}) {
      assertSafeKey(key)
      await attempt(`put ${key}`, signal, () => put(key, body, signal))
    },

    async get(key, { signal } = {}) {
      assertSafeKey(key)
      return attempt(`get ${key}`, signal, async () => {
        const found = await request(key, signal)
        return found && readAll(found.body, signal)
      })
    },

    async open(key, { signal } = {}) {
      assertSafeKey(key)
      return attempt(`open ${key}`, signal, async () => {
        const found = await request(key, signal)
        if (found === null) return null
        const { body, size, etag } = found
        const content = size <= BUFFERED_BYTES ? await readAll(body, signal) : body
        return { size, etag, headers: objectHeaders(key), ...readable(content) }
      })
    },

    async headers(key, { signal } = {}) {
      assertSafeKey(key)
      if (!fits(key)) return null
      const input = withAbortSignal(signal, { Bucket, Key: target.prefix + key })
      return attempt(`read the headers of ${key}`, signal, async () => {
        try {
          const head = await client.send(new HeadObjectCommand(input))
          const { ContentType = '', CacheControl = '', ContentEncoding } = head
          return {
            contentType: ContentType,
            cacheControl: CacheControl,
            ...(ContentEncoding === 'gzip' && { contentEncoding: ContentEncoding }),
          }
        } catch (error) {
          if (isNotFound(error)) return null
          throw error
        }
      })
    },

    async delete(keys, { signal } = {}) {
      keys.forEach(assertSafeKey)
      const possible = [...new Set(keys)].filter(fits)
      await attempt(`delete ${keys.length} objects`, signal, async () => {
        for (let start = 0; start < possible.length; start += KEYS_PER_DELETE)
          await remove(possible.slice(start, start + KEYS_PER_DELETE), signal)
      })
    },

    async list(prefix, { signal } = {}) {
      assertSafePrefix(prefix)
      return attempt(`list ${prefix}`, signal, async () => (await keysIn(prefix, signal)).sort())
    },

    async check({ signal } = {}) {
      signal?.throwIfAborted()
      try {
        await put(PROBE, Buffer.from('check'), signal)
        const probe = await request(PROBE, signal)
        if (probe !== null) await readAll(probe.body, signal)
        await page(PROBE, undefined, signal)
        await removeOne(PROBE, signal)
      } catch (error) {
        signal?.throwIfAborted()
        throw bucketUnusable(target, error)
      }
    },
  }

  async function put(
    key: string,
    body: StoredObject['body'],
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { contentType, cacheControl, contentEncoding } = objectHeaders(key)
    const disposition = contentDisposition(key)
    const input = {
      Bucket,
      Key: target.prefix + key,
      ...('open' in body ? withPayloadDigest(body.digest, streamed(body)) : { Body: body }),
      ContentLength: bodySize(body),
      ContentType: contentType,
      CacheControl: cacheControl,
      ...(contentEncoding !== undefined && { ContentEncoding: contentEncoding }),
      ...(disposition !== null && { ContentDisposition: disposition }),
      ...cacheMetadata(key),
    }
    await client.send(new PutObjectCommand(withAbortSignal(signal, input)))
  }

  /** Sends a GET without reading the body; null if there is no object. */
  async function request(key: string, signal: AbortSignal | undefined): Promise<Found | null> {
    if (!fits(key)) return null
    try {
      const input = withAbortSignal(signal, { Bucket, Key: target.prefix + key })
      return toFound(await client.send(new GetObjectCommand(input)))
    } catch (error) {
      if (isNotFound(error)) return null
      throw error
    }
  }

  async function remove(keys: readonly string[], signal: AbortSignal | undefined): Promise<void> {
    const [only] = keys
    if (keys.length === 1 && only !== undefined) return removeOne(only, signal)
    const Objects = keys.map((key) => ({ Key: target.prefix + key }))
    const input = withAbortSignal(signal, { Bucket, Delete: { Objects, Quiet: true } })
    try {
      const { Errors = [] } = await client.send(new DeleteObjectsCommand(input))
      const failed = Errors.filter(({ Code }) => Code !== 'NoSuchKey')
      if (failed.length > 0) throw notDeleted(failed, keys.length)
    } catch (error) {
      if (!isUnsupported(error)) throw error
      const slot = pLimit(CONCURRENT_DELETES)
      await Promise.all(keys.map((key) => slot(() => removeOne(key, signal))))
    }
  }

  async function removeOne(key: string, signal: AbortSignal | undefined): Promise<void> {
    try {
      const input = withAbortSignal(signal, { Bucket, Key: target.prefix + key })
      await client.send(new DeleteObjectCommand(input))
    } catch (error) {
      if (!isNotFound(error)) throw error
    }
  }

  async function keysIn(prefix: string, signal: AbortSignal | undefined): Promise<string[]> {
    const keys: string[] = []
    for (let token: string | undefined, more = true; more; ) {
      const {
        Contents = [],
        EncodingType,
        IsTruncated,
        NextContinuationToken,
      } = await page(prefix, token, signal)
      for (const { Key = '' } of Contents) {
        const key = (EncodingType === 'url' ? decodeKey(Key) : Key).slice(target.prefix.length)
        if (isSafeKey(key) && key !== PROBE) keys.push(key)
      }
      token = NextContinuationToken
      more = IsTruncated === true && token !== undefined
    }
    return keys
  }

  function page(prefix: string, token: string | undefined, signal: AbortSignal | undefined) {
    const input = {
      Bucket,
      Prefix: target.prefix + prefix,
      ContinuationToken: token,
      // XML cannot represent every character of a key.
      EncodingType: 'url' as const,
    }
    return client.send(new ListObjectsV2Command(withAbortSignal(signal, input)))
  }

  /** Reports whether the key is short enough with the prefix. No object can have a longer one. */
  function fits(key: string): boolean {
    return Buffer.byteLength(target.prefix + key) <= MAX_KEY_BYTES
  }
}

/** The checksum is that of the signature; the SDK would send the body in chunks to add one of its own. */
function streamed(body: StreamedBody) {
  return { Body: verifiedStream(body), ChecksumSHA256: Buffer.from(body.digest, 'hex').toString('base64') }
}

/** An object whose body is one version even if the object is replaced. */
interface Found {
  readonly body: Readable
  readonly size: number
  readonly etag: string
}

function toFound({ Body, ContentLength, ETag }: GetObjectCommandOutput): Found {
  if (!(Body instanceof Readable) || ContentLength === undefined || ETag === undefined)
    throw new StorageError('The bucket answered without a body, its length or an entity tag.', {
      transient: false,
    })
  return { body: Body, size: ContentLength, etag: ETag.startsWith('"') ? ETag : `"${ETag}"` }
}

function readable(content: Buffer | Readable): Pick<OpenObject, 'bufferedBytes' | 'stream' | 'close'> {
  if (content instanceof Readable) {
    return {
      bufferedBytes: 0,
      stream: (range) => (range === undefined ? content : sliceOf(content, range)),
      close: async () => void content.destroy(),
    }
  }
  return {
    bufferedBytes: content.length,
    stream: ({ start, end } = { start: 0, end: content.length - 1 }) =>
      Readable.from(slicesOf(content.subarray(start, end + 1)), { objectMode: false }),
    close: async () => {},
  }
}

/** Slices, because a slow client is measured by the chunks that it takes. */
function* slicesOf(content: Buffer): Iterable<Buffer> {
  for (let start = 0; start < content.length; start += SLICE_BYTES)
    yield content.subarray(start, start + SLICE_BYTES)
}

/** A part of a stream. Closes the stream after it without reading the rest. */
function sliceOf(body: Readable, range: { readonly start: number; readonly end: number }): Readable {
  const part = Readable.from(chunksOf(body, range), { objectMode: false })
  return part.once('close', () => body.destroy())
}

async function* chunksOf(
  body: Readable,
  { start, end }: { readonly start: number; readonly end: number },
): AsyncGenerator<Buffer> {
  let at = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    const part = chunk.subarray(Math.max(start - at, 0), Math.max(end + 1 - at, 0))
    at += chunk.length
    if (part.length > 0) yield part
    if (at > end) return
  }
}

/** Returns the cache tags of a published object. A bucket answers them as headers that begin with `x-amz-meta-`. */
function cacheMetadata(key: string): { readonly Metadata?: Record<string, string> } {
  const project = projectOfKey(key)
  return project === null ? {} : { Metadata: { ...cacheTagHeaders(cacheTags(project, [key])) } }
}

async function readAll(body: Readable, signal: AbortSignal | undefined): Promise<Buffer> {
  return buffer(signal === undefined ? body : addAbortSignal(signal, body))
}

async function attempt<T>(
  operation: string,
  signal: AbortSignal | undefined,
  call: () => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted()
  try {
    return await call()
  } catch (error) {
    signal?.throwIfAborted()
    throw error instanceof StorageError ? error : toStorageError(operation, error)
  }
}

function notDeleted(failed: readonly _Error[], of: number): StorageError {
  const [{ Key, Code } = {}] = failed
  return new StorageError(`The bucket did not delete ${failed.length} of ${of} objects; ${Key}: ${Code}.`, {
    transient: failed.every(({ Code }) => isTransientCode(Code)),
  })
}

function decodeKey(key: string): string {
  return decodeURIComponent(key.replaceAll('+', ' '))
}
