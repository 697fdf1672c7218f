import { createHash } from 'node:crypto'
import { pipeline, type Readable, Transform } from 'node:stream'
import { StorageError, type StreamedBody } from './storage.ts'

/**
 * Opens a body. The stream fails before its last chunk if its bytes are not the announced ones. Destroying it closes
 * the body, also while the body stalls.
 */
export function verifiedStream({ size, digest, open }: StreamedBody): Readable {
  const hash = createHash('sha256')
  let bytes = 0
  let held: Buffer | null = null
  const verified = new Transform({
    transform(chunk: Buffer, _, done) {
      bytes += chunk.byteLength
      hash.update(chunk)
      if (bytes > size) return done(changed())
      if (held !== null) this.push(held)
      held = chunk
      done()
    },
    flush(done) {
      if (bytes !== size || hash.digest('hex') !== digest) return done(changed())
      done(null, held ?? undefined)
    },
  })
  // The error of the body becomes the error of the stream, which its reader gets.
  return pipeline(open(), verified, () => {})
}

function changed(): StorageError {
  return new StorageError('The file changed while it was read.', { transient: false })
}

/** The same body. @param onChunk called with the bytes that its reader has taken since it was opened. */
export function watchedBody(body: StreamedBody, onChunk: (taken: number) => void): StreamedBody {
  const watch = () => {
    let taken = 0
    return new Transform({
      transform(chunk: Buffer, _, done) {
        taken += chunk.byteLength
        onChunk(taken)
        done(null, chunk)
      },
    })
  }
  // The error of the body becomes the error of the stream, which its reader gets.
  return { ...body, open: () => pipeline(body.open(), watch(), () => {}) }
}
