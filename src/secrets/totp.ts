import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/* One-time codes by time, as RFC 6238 describes them: HMAC-SHA-1, steps of 30 s, 6 digits, which all apps know. */

const STEP_MS = 30_000
const DIGITS = 6
/** Length of a secret of HMAC-SHA-1, as RFC 4226 recommends. */
const SECRET_BYTES = 20
/** Clocks of phones may differ by a step, and users take a while to type. */
const TOLERANCE = 1

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export function newTotpSecret(): Uint8Array {
  return randomBytes(SECRET_BYTES)
}

/** The code of a step: the number of 30 s since 1970. */
export function totpCode(secret: Uint8Array, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const hash = createHmac('sha1', secret).update(counter).digest()
  const offset = (hash.at(-1) ?? 0) & 0xf
  const number = hash.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/**
 * Returns the step around now with this code; null when no such step has it.
 *
 * @param now in Unix milliseconds.
 */
export function totpStep(secret: Uint8Array, code: string, now: number): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const current = Math.floor(now / STEP_MS)
  const around = Array.from({ length: 2 * TOLERANCE + 1 }, (_, i) => current - TOLERANCE + i)
  const matches = around.filter((step) =>
    timingSafeEqual(Buffer.from(totpCode(secret, step)), Buffer.from(code)),
  )
  return matches.at(-1) ?? null
}

/** Encodes bytes as users type them into an app. */
export function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => BASE32[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}

/** The address that adds an account to an app, as a link or as a QR code. */
export function totpUri(secret: Uint8Array, account: string): string {
  const parameters = new URLSearchParams({ secret: base32(secret), issuer: 'Quoin' })
  return `otpauth://totp/${encodeURIComponent(`Quoin:${account}`)}?${parameters}`
}
