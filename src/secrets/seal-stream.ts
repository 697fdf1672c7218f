import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { Transform } from 'node:stream'
import { CIPHER, IV_BYTES, NOT_DECRYPTED, TAG_BYTES } from './seal.ts'

/** Bytes that sealing adds to a file: iv and tag. */
export const SEALED_FILE_OVERHEAD = IV_BYTES + TAG_BYTES

/** A random iv. Every sealing needs one of its own: two plaintexts under one iv would give each other away. */
export function newIv(): Uint8Array {
  return randomBytes(IV_BYTES)
}

/**
 * Seals a file of any size, chunk by chunk: iv, ciphertext, tag, for any AES-256-GCM client. The same plaintext under
 * the same iv is the same file again.
 *
 * @param key 32 bytes.
 * @param iv of `newIv`, for this plaintext only.
 */
export function createSealStream(key: Uint8Array, iv: Uint8Array): Transform {
  const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES })
  const stream = new Transform({
    transform: (chunk: Uint8Array, _, done) => done(null, cipher.update(chunk)),
    flush(done) {
      cipher.final()
      done(null, cipher.getAuthTag())
    },
  })
  stream.push(iv)
  return stream
}

/**
 * Opens a file of `createSealStream`. Its chunks are not to be trusted before the last one: only the end of the file shows
 * whether it was changed.
 *
 * @throws {RangeError} if the key is wrong, or the file was changed or cut off.
 */
export async function* openChunks(
  file: AsyncIterable<Uint8Array>,
  key: Uint8Array,
): AsyncGenerator<Uint8Array> {
  let held = Buffer.alloc(0)
  let decipher: ReturnType<typeof createDecipher> | null = null
  for await (const chunk of file) {
    held = Buffer.concat([held, chunk])
    if (decipher === null) {
      if (held.byteLength < SEALED_FILE_OVERHEAD) continue
      decipher = createDecipher(key, held.subarray(0, IV_BYTES))
      held = held.subarray(IV_BYTES)
    }
    // The last bytes of the file are its tag.
    const end = held.byteLength - TAG_BYTES
    if (end <= 0) continue
    yield decipher.update(held.subarray(0, end))
    held = held.subarray(end)
  }
  try {
    if (decipher === null) throw new Error('The file is shorter than an iv and a tag.')
    decipher.setAuthTag(held).final()
  } catch (error) {
    throw new RangeError(NOT_DECRYPTED, { cause: error })
  }
}

function createDecipher(key: Uint8Array, iv: Uint8Array) {
  return createDecipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES })
}
