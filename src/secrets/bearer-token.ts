import { createHash, randomBytes } from 'node:crypto'

const BYTES = 32
const FORM = /^[\w-]{43}$/

/** A random token of 256 bits for cookies and URLs, in base64url. */
export function newBearerToken(): string {
  return randomBytes(BYTES).toString('base64url')
}

/** Reports whether the text can be such a token. */
export function isBearerTokenForm(text: string): boolean {
  return FORM.test(text)
}

/** The stored form, in hex. A token has enough random bits that plain SHA-256 cannot be reversed by guessing. */
export function hashBearerToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
