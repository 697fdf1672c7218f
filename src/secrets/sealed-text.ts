import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { IV_BYTES, open, seal, TAG_BYTES } from './seal.ts'

/** Most bytes that a text may have. */
const MAX_BYTES = 16 * 1024

/** Seals texts into URL-safe characters. @param key 32 bytes. */
export function createTextSeal(key: Uint8Array) {
  return {
    /** @param context what the text is for; `open` needs the same. */
    seal: (text: string, context: string) => sealText(text, key, context),
    /** Null for a text that was not sealed with this key for this context. */
    open: (sealed: string, context: string) => openText(sealed, key, context),
  }
}

/** Compresses the text first. */
function sealText(text: string, key: Uint8Array, context: string): string {
  const { iv, ciphertext, tag } = seal(deflateRawSync(text), key, Buffer.from(context))
  return Buffer.concat([iv, ciphertext, tag]).toString('base64url')
}

function openText(sealed: string, key: Uint8Array, context: string): string | null {
  const bytes = Buffer.from(sealed, 'base64url')
  if (bytes.byteLength < IV_BYTES + TAG_BYTES) return null
  const parts = {
    iv: bytes.subarray(0, IV_BYTES),
    ciphertext: bytes.subarray(IV_BYTES, bytes.byteLength - TAG_BYTES),
    tag: bytes.subarray(bytes.byteLength - TAG_BYTES),
  }
  try {
    const compressed = open(parts, key, Buffer.from(context))
    return inflateRawSync(compressed, { maxOutputLength: MAX_BYTES }).toString()
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}
