import { createHmac, timingSafeEqual } from 'node:crypto'
import type { UserId } from '../domain/ids.ts'

/** The proof that the password of a user was right, while a code is asked for. */
export interface SignInChallenge {
  readonly userId: UserId
  /** ISO 8601 UTC. */
  readonly expiresAt: string
}

const FORM = /^([a-z0-9]{16})\.([a-z0-9]{1,10})\.([\w-]{43})$/

/**
 * Returns a token for a form: `{user}.{expiry}.{signature}`.
 *
 * @param passwordHash makes it worthless once the password is another one.
 */
export function signChallenge(
  { userId, expiresAt }: SignInChallenge,
  passwordHash: string,
  key: Uint8Array,
): string {
  const claim = `${userId}.${Date.parse(expiresAt).toString(36)}`
  return `${claim}.${signature(claim, passwordHash, key)}`
}

/** The user whom a token names, whether it is signed or not. */
export function challengedUser(token: string): UserId | null {
  const [, userId] = FORM.exec(token) ?? []
  return userId === undefined ? null : (userId as UserId)
}

/** Reports whether the token was signed with the key, for this password, and has not expired. */
export function isChallenge(token: string, passwordHash: string, key: Uint8Array, now: string): boolean {
  const [, userId = '', expiry = '', given = ''] = FORM.exec(token) ?? []
  const expected = signature(`${userId}.${expiry}`, passwordHash, key)
  if (given.length !== expected.length || !timingSafeEqual(Buffer.from(given), Buffer.from(expected)))
    return false
  return Date.parse(now) < Number.parseInt(expiry, 36)
}

function signature(claim: string, passwordHash: string, key: Uint8Array): string {
  return createHmac('sha256', key)
    .update(JSON.stringify([claim, passwordHash]))
    .digest('base64url')
}
