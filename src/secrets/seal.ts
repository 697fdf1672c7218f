import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

export const CIPHER = 'aes-256-gcm'
export const IV_BYTES = 12
/** Passed to Node explicitly, because it would accept tags of four bytes. */
export const TAG_BYTES = 16

export const NOT_DECRYPTED = 'The data cannot be decrypted: the key is wrong, or the data was changed.'

/** The result of AES-256-GCM. */
export interface Sealed {
  /** 12 random bytes, fresh for each sealing. */
  readonly iv: Uint8Array
  readonly ciphertext: Uint8Array
  /** 16 bytes. */
  readonly tag: Uint8Array
}

const NO_DATA = new Uint8Array()

/**
 * Encrypts and authenticates a plaintext.
 *
 * @param key 32 bytes.
 * @param context additional authenticated data. It is not stored; `open` needs the same. Empty when absent.
 */
export function seal(plaintext: Uint8Array, key: Uint8Array, context: Uint8Array = NO_DATA): Sealed {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES }).setAAD(context)
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()])
  return { iv, ciphertext, tag: cipher.getAuthTag() }
}

/** @throws {RangeError} if the key or the context is wrong, or the data was changed. */
export function open(
  { iv, ciphertext, tag }: Sealed,
  key: Uint8Array,
  context: Uint8Array = NO_DATA,
): Uint8Array {
  if (iv.byteLength !== IV_BYTES || tag.byteLength !== TAG_BYTES)
    throw new RangeError(
      'The sealed data is invalid: AES-256-GCM needs an iv of 12 bytes and a tag of 16 bytes.',
    )
  try {
    const decipher = createDecipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES })
    decipher.setAAD(context).setAuthTag(tag)
    return Buffer.concat([decipher.update(ciphertext), decipher.final()])
  } catch (error) {
    throw new RangeError(NOT_DECRYPTED, { cause: error })
  }
}

/** Creates a file of a project in Data Mode: JSON with `iv`, `ciphertext` and `tag` in base64, for any AES-256-GCM client. */
export function sealFile(plaintext: Uint8Array, key: Uint8Array): Uint8Array {
  const { iv, ciphertext, tag } = seal(plaintext, key)
  return Buffer.from(
    `${JSON.stringify({ iv: base64(iv), ciphertext: base64(ciphertext), tag: base64(tag) })}\n`,
  )
}

/** Returns the size of the output of `sealFile` for a plaintext of this size. */
export function sealedFileSize(plaintextBytes: number): number {
  const base64Length = (bytes: number) => Math.ceil(bytes / 3) * 4
  const form = JSON.stringify({ iv: '', ciphertext: '', tag: '' }).length + 1
  return form + base64Length(IV_BYTES) + base64Length(plaintextBytes) + base64Length(TAG_BYTES)
}

/** Decrypts a file of `sealFile`. @throws {RangeError} as `open`, or if it is no such file. */
export function openFile(file: Uint8Array, key: Uint8Array): Uint8Array {
  const parts = JSON.parse(Buffer.from(file).toString())
  const [iv, ciphertext, tag] = ['iv', 'ciphertext', 'tag'].map((part) =>
    Buffer.from(String(parts[part]), 'base64'),
  )
  if (iv === undefined || ciphertext === undefined || tag === undefined)
    throw new RangeError('The file is not an encrypted page of a project in Data Mode.')
  return open({ iv, ciphertext, tag }, key)
}

/** Seals into one array: iv, tag, ciphertext. */
export function sealBytes(plaintext: Uint8Array, key: Uint8Array, context?: Uint8Array): Uint8Array {
  const { iv, ciphertext, tag } = seal(plaintext, key, context)
  return Buffer.concat([iv, tag, ciphertext])
}

/** Decrypts the result of `sealBytes`. @throws {RangeError} as `open`. */
export function openBytes(bytes: Uint8Array, key: Uint8Array, context?: Uint8Array): Uint8Array {
  const iv = bytes.subarray(0, IV_BYTES)
  const tag = bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES)
  return open({ iv, tag, ciphertext: bytes.subarray(IV_BYTES + TAG_BYTES) }, key, context)
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}
