import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { ServiceError, UnavailableError } from '../domain/errors.ts'
import { HEAD_BYTES } from '../domain/media-type.ts'
import { fallbackOn, hasCode } from '../platform/fs-errors.ts'
import { mkdirp } from '../platform/mkdirp.ts'
import { removeTemporary } from '../platform/remove-temporary.ts'

/** An upload that has arrived whole, in a temporary file. */
export interface IncomingFile {
  /** Absolute path. */
  readonly path: string
  readonly bytes: number
  /** SHA-256, hex. */
  readonly digest: string
  /** The first bytes, which identify the type of the file. */
  readonly head: Buffer
}

/** Receives uploads into temporary files, a chunk at a time. */
export interface IncomingFiles {
  /**
   * Reads a stream to its end into a file for this user only. The stream is not destroyed at an error, because the
   * answer may go over the same connection.
   *
   * @param largest bytes that a file with this head may have.
   * @returns the file, which the caller removes.
   * @throws {ServiceError} `payload_too_large`, `invalid_request` when the stream ends early, `service_unavailable`
   *   when the disk is full. No file is left.
   */
  receive(source: Readable, largest: (head: Buffer) => number): Promise<IncomingFile>
  remove(file: Pick<IncomingFile, 'path'>): Promise<void>
  /** The absolute path of a file that the caller writes and removes. A sweep finds it like the others. */
  reserve(): Promise<string>
  /** Removes files that a killed process left. */
  sweep(): Promise<void>
}

/** Mode of a file for its user only. */
const PRIVATE = 0o600
const SUFFIX = '.upload'
/** A file without a write for this long is not being received: stalled connections are closed earlier. */
const STALE_MS = 2 * 60 * 60 * 1000
/** Seconds after which a client may try again when the disk is full. */
const RETRY_SECONDS = 60

export function createIncomingFiles(folder: string): IncomingFiles {
  return {
    async receive(source, largest) {
      const path = await reserve()
      const handle = await open(path, 'wx', PRIVATE).catch(refuseFullDisk)
      try {
        return { path, ...(await fill(handle, source, largest)) }
      } catch (error) {
        await removeTemporary(path)
        if (hasCode(error, ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE']))
          throw new ServiceError('invalid_request', 'The upload ended early.', { cause: error })
        return refuseFullDisk(error)
      } finally {
        await handle.close()
      }
    },

    reserve,

    remove: ({ path }) => removeTemporary(path),

    async sweep() {
      for (const name of await fallbackOn(['ENOENT'], readdir(folder), [])) {
        // Or one that was written beside an upload.
        if (!name.includes(SUFFIX)) continue
        const path = join(folder, name)
        const stats = await fallbackOn(['ENOENT'], stat(path), null)
        if (stats !== null && Date.now() - stats.mtimeMs > STALE_MS) await rm(path, { force: true })
      }
    },
  }

  async function reserve(): Promise<string> {
    await mkdirp(folder)
    return join(folder, randomUUID() + SUFFIX)
  }
}

async function fill(
  handle: FileHandle,
  source: Readable,
  largest: (head: Buffer) => number,
): Promise<Omit<IncomingFile, 'path'>> {
  const hash = createHash('sha256')
  let head = Buffer.alloc(0)
  let bytes = 0
  let limit = Number.POSITIVE_INFINITY
  for await (const chunk of source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES - head.length)])
    if (head.length === HEAD_BYTES && limit === Number.POSITIVE_INFINITY) limit = largest(head)
    bytes += chunk.length
    if (bytes > limit) throw tooLarge(limit)
    hash.update(chunk)
    await handle.appendFile(chunk)
  }
  return { bytes, digest: hash.digest('hex'), head }
}

export function tooLarge(limit: number): ServiceError {
  const megabytes = Number((limit / 1e6).toFixed(1))
  return new ServiceError(
    'payload_too_large',
    `The file is larger than the ${megabytes} MB that a file of this kind may have.`,
  )
}

function refuseFullDisk(error: unknown): never {
  if (!hasCode(error, ['ENOSPC', 'EDQUOT'])) throw error
  throw new UnavailableError('The service has no room for uploads now.', RETRY_SECONDS)
}
