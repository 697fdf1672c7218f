import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const EXPIRY_BYTES = 8
const RANDOM_BYTES = 24
const SIGNATURE_BYTES = 32

/**
 * Returns a random challenge that needs no row until it is answered: expiry, random bytes, signature.
 *
 * @param purpose what the answer is for; a challenge of one purpose is worth nothing for another.
 * @param expiresAt milliseconds since 1970.
 */
export function signedChallenge(purpose: string, expiresAt: number, key: Uint8Array): Uint8Array {
  const expiry = Buffer.alloc(EXPIRY_BYTES)
  expiry.writeBigUInt64BE(BigInt(expiresAt))
  const claim = Buffer.concat([expiry, randomBytes(RANDOM_BYTES)])
  return Buffer.concat([claim, signature(claim, purpose, key)])
}

/** When a challenge expires, ISO 8601 UTC; null unless it was signed for this purpose and has not expired. */
export function challengeEnd(
  challenge: string,
  purpose: string,
  key: Uint8Array,
  now: string,
): string | null {
  const bytes = Buffer.from(challenge, 'base64url')
  if (bytes.byteLength !== EXPIRY_BYTES + RANDOM_BYTES + SIGNATURE_BYTES) return null
  const claim = bytes.subarray(0, EXPIRY_BYTES + RANDOM_BYTES)
  if (!timingSafeEqual(bytes.subarray(claim.byteLength), signature(claim, purpose, key))) return null
  const expiresAt = Number(claim.readBigUInt64BE())
  return Date.parse(now) < expiresAt ? new Date(expiresAt).toISOString() : null
}

function signature(claim: Uint8Array, purpose: string, key: Uint8Array): Uint8Array {
  return createHmac('sha256', key).update(purpose).update('\0').update(claim).digest()
}
