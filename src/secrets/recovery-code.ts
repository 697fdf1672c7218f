import { createHash, randomBytes } from 'node:crypto'
import { base32 } from './totp.ts'

/** 16 characters of base32. */
const BYTES = 10

/** A random code of 80 bits that users write down: `abcd-efgh-ijkl-mnop`. */
export function newRecoveryCode(): string {
  const text = base32(randomBytes(BYTES)).toLowerCase()
  return (text.match(/.{4}/g) ?? []).join('-')
}

/** The stored form, in hex, of a code in any case and with any signs between. Enough random bits for plain SHA-256. */
export function hashRecoveryCode(code: string): string {
  const typed = code.toLowerCase().replace(/[^a-z2-7]/g, '')
  return createHash('sha256').update(typed).digest('hex')
}
