import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { StorageError, type StreamedBody } from './storage.ts'

/** Opens a body. The stream fails before its last chunk if its bytes are not those that were announced. */
export function verifiedStream(body: StreamedBody): Readable {
  return Readable.from(verifiedChunks(body), { objectMode: false })
}

async function* verifiedChunks({ size, digest, open }: StreamedBody): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  let bytes = 0
  let held: Buffer | null = null
  for await (const chunk of open() as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength
    hash.update(chunk)
    if (bytes > size) throw changed()
    if (held !== null) yield held
    held = chunk
  }
  if (bytes !== size || hash.digest('hex') !== digest) throw changed()
  if (held !== null) yield held
}

function changed(): StorageError {
  return new StorageError('The file changed while it was read.', { transient: false })
}
