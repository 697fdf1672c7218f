import { createHash } from 'node:crypto'
import { constants, createReadStream, type ReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Opens no symbolic link. Node accepts numeric flags, but its types do not. */
const FLAGS = (constants.O_RDONLY | constants.O_NOFOLLOW) as unknown as string

export interface FileBody {
  /** In bytes. */
  readonly size: number
  /** SHA-256, hex. */
  readonly digest: string
  open(): Readable
}

/**
 * Reads a file for its size and digest, a part at a time. Does not follow a symbolic link.
 *
 * @returns the body as it is now; `open` reads the file again.
 * @throws the system's error if the file cannot be read.
 */
export async function readFileBody(file: string): Promise<FileBody> {
  const hash = createHash('sha256')
  let size = 0
  await pipeline(openFile(file), async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) {
      size += chunk.byteLength
      hash.update(chunk)
    }
  })
  return { size, digest: hash.digest('hex'), open: () => openFile(file) }
}

/** Opens a file for reading, and no symbolic link. @param range first and last byte. */
export function openFile(
  file: string,
  range: { readonly start?: number; readonly end?: number } = {},
): ReadStream {
  return createReadStream(file, { flags: FLAGS, ...range })
}
