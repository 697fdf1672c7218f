import { fromBase64 } from './base64.ts'

/** An image or file in the `assets` of a decrypted page, or one of its `variants`. */
export interface SealedFile {
  /** Address of the encrypted file on the CDN, relative to the project's folder. */
  readonly file: string
  readonly content_type: string
  /** In pixels, for images and videos; null for other files. */
  readonly width: number | null
  readonly height: number | null
  /** Size of the decrypted file. */
  readonly bytes: number
  /** SHA-256 of the decrypted file, hex. */
  readonly digest: string
}

/** An image or file that a page shows. */
export interface SealedAsset extends SealedFile {
  /** Smaller images, by format, then width. */
  readonly variants: readonly SealedFile[]
}

const IV_BYTES = 12

/**
 * Decrypts an image or file of a page in Data Mode, in browsers and in Node.
 *
 * @param key the content key, as for `decryptPage`.
 * @param sealed the bytes of its `file`.
 * @param asset the entry in the page's `assets`. An attacker who can write to the CDN could swap two files of one key,
 *   so the bytes must have the digest in the page.
 * @throws when the key is wrong, or the file is damaged, cut off or not the expected one.
 */
export async function decryptAsset(
  key: string,
  sealed: ArrayBuffer | Uint8Array<ArrayBuffer>,
  { file, digest }: Pick<SealedFile, 'file' | 'digest'>,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(sealed)
  const contentKey = await crypto.subtle.importKey('raw', fromBase64(key), 'AES-GCM', false, ['decrypt'])
  const algorithm = { name: 'AES-GCM', iv: bytes.subarray(0, IV_BYTES), tagLength: 128 }
  const plaintext = await crypto.subtle.decrypt(algorithm, contentKey, bytes.subarray(IV_BYTES))
  if (hex(await crypto.subtle.digest('SHA-256', plaintext)) !== digest)
    throw new Error(`${file} holds another file than the page names.`)
  return new Uint8Array(plaintext)
}

function hex(bytes: ArrayBuffer): string {
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
