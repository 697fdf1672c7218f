import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
/** Node would take a tag of four bytes for good enough if it were not told. */
const TAG_BYTES = 16

/** What AES-256-GCM makes of a plaintext. */
export interface Sealed {
  /** 12 random bytes, fresh for each sealing. */
  readonly iv: Uint8Array
  readonly ciphertext: Uint8Array
  /** 16 bytes. */
  readonly tag: Uint8Array
}

const NO_DATA = new Uint8Array()

/**
 * Encrypt so that nobody without the key reads it, and nobody changes it unnoticed.
 *
 * @param key 32 bytes.
 * @param context additional data, not kept: opening takes the same. Empty when absent.
 */
export function seal(plaintext: Uint8Array, key: Uint8Array, context: Uint8Array = NO_DATA): Sealed {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES }).setAAD(context)
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()])
  return { iv, ciphertext, tag: cipher.getAuthTag() }
}

/** @throws {RangeError} when the key or the context is another, or a bit of it was changed. */
export function open(
  { iv, ciphertext, tag }: Sealed,
  key: Uint8Array,
  context: Uint8Array = NO_DATA,
): Uint8Array {
  if (iv.byteLength !== IV_BYTES || tag.byteLength !== TAG_BYTES)
    throw new RangeError('It is not sealed as AES-256-GCM seals here: 12 bytes of iv and 16 of tag.')
  try {
    const decipher = createDecipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES })
    decipher.setAAD(context).setAuthTag(tag)
    return Buffer.concat([decipher.update(ciphertext), decipher.final()])
  } catch (error) {
    throw new RangeError('It does not open: the key is another one, or it was changed.', { cause: error })
  }
}

/** A file of a project in Data Mode: `{ iv, ciphertext, tag }`, each in base64, which any client of AES-256-GCM opens. */
export function sealFile(plaintext: Uint8Array, key: Uint8Array): Uint8Array {
  const { iv, ciphertext, tag } = seal(plaintext, key)
  return Buffer.from(
    `${JSON.stringify({ iv: base64(iv), ciphertext: base64(ciphertext), tag: base64(tag) })}\n`,
  )
}

/** How many bytes `sealFile` makes of so many. */
export function sealedFileSize(plaintextBytes: number): number {
  const base64Length = (bytes: number) => Math.ceil(bytes / 3) * 4
  const form = JSON.stringify({ iv: '', ciphertext: '', tag: '' }).length + 1
  return form + base64Length(IV_BYTES) + base64Length(plaintextBytes) + base64Length(TAG_BYTES)
}

/** What `sealFile` made, opened. @throws {RangeError} as `open`, or when it is no such file. */
export function openFile(file: Uint8Array, key: Uint8Array): Uint8Array {
  const parts = JSON.parse(Buffer.from(file).toString())
  const [iv, ciphertext, tag] = ['iv', 'ciphertext', 'tag'].map((part) =>
    Buffer.from(String(parts[part]), 'base64'),
  )
  if (iv === undefined || ciphertext === undefined || tag === undefined)
    throw new RangeError('It is no sealed file.')
  return open({ iv, ciphertext, tag }, key)
}

/** Sealed, in one piece: iv, tag, ciphertext. */
export function sealBytes(plaintext: Uint8Array, key: Uint8Array, context?: Uint8Array): Uint8Array {
  const { iv, ciphertext, tag } = seal(plaintext, key, context)
  return Buffer.concat([iv, tag, ciphertext])
}

/** What `sealBytes` made, opened. @throws {RangeError} as `open`. */
export function openBytes(bytes: Uint8Array, key: Uint8Array, context?: Uint8Array): Uint8Array {
  const iv = bytes.subarray(0, IV_BYTES)
  const tag = bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES)
  return open({ iv, tag, ciphertext: bytes.subarray(IV_BYTES + TAG_BYTES) }, key, context)
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}
