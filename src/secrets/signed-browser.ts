import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { UserId } from '../domain/ids.ts'
import { REMEMBERED_DAYS } from '../domain/remembered-browser.ts'

/** Most users of one browser. A further one replaces the one that signed in least recently. */
const MAX_USERS = 5
const DAY_MS = 24 * 60 * 60 * 1000

/** A browser in which users have signed in. It gives no right: only failures of it are counted apart. */
export interface RememberedBrowser {
  /** Random; each browser has its own. */
  readonly id: string
  /** The users that signed in, last one first, with the time in milliseconds since 1970. */
  readonly users: readonly (readonly [id: UserId, signedInAt: number])[]
}

/**
 * The browser as a cookie has it: id, users with their times, signature.
 *
 * @param key derived from the master key for this purpose.
 */
export function signBrowser({ id, users }: RememberedBrowser, key: Uint8Array): string {
  const claim = [id, ...users.map(([user, time]) => `${user}~${time.toString(36)}`)].join('.')
  return `${claim}.${signature(claim, key)}`
}

/**
 * Reads a remembered browser; null for anything that was not signed with the key. Users whose sign-in is too long ago
 * are left out.
 */
export function readBrowser(value: string, key: Uint8Array, now: string): RememberedBrowser | null {
  const end = value.lastIndexOf('.')
  if (end < 0 || value.length > MAX_LENGTH) return null
  const claim = value.slice(0, end)
  const [given, expected] = [Buffer.from(value.slice(end + 1)), Buffer.from(signature(claim, key))]
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
  const [id = '', ...entries] = claim.split('.')
  const oldest = Date.parse(now) - REMEMBERED_DAYS * DAY_MS
  const users = entries.flatMap((entry) => {
    const [user = '', time = ''] = entry.split('~')
    const signedInAt = Number.parseInt(time, 36)
    return signedInAt > oldest ? [[user as UserId, signedInAt] as const] : []
  })
  return { id, users }
}

/** The browser after a sign-in. A new one gets an id. */
export function withSignIn(browser: RememberedBrowser | null, user: UserId, now: string): RememberedBrowser {
  const { id, users } = browser ?? { id: randomBytes(12).toString('base64url'), users: [] }
  const others = users.filter(([other]) => other !== user)
  return { id, users: [[user, Date.parse(now)] as const, ...others].slice(0, MAX_USERS) }
}

/** @param after when the user's browsers were forgotten, ISO 8601 UTC; null for never. */
export function isRememberedFor({ users }: RememberedBrowser, user: UserId, after: string | null): boolean {
  return users.some(([id, signedInAt]) => id === user && (after === null || signedInAt >= Date.parse(after)))
}

/** Far above the length of five users. */
const MAX_LENGTH = 500

function signature(claim: string, key: Uint8Array): string {
  return createHmac('sha256', key).update(claim).digest('base64url')
}
