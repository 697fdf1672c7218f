import { createHash } from 'node:crypto'
import type { SignInAttempt } from '../../db/repositories/sessions.ts'
import type { Repositories } from '../../db/repositories.ts'
import { addressKey } from '../../domain/email-address.ts'
import { RateLimitError } from '../../domain/errors.ts'
import type { UserId } from '../../domain/ids.ts'

/** Failed attempts for one account, and as many from one address, within an hour. */
export const MAX_FAILURES = 20
const WINDOW_MS = 60 * 60 * 1000

/** Returns the time up to which attempts do not count any more. */
export function attemptsEnd(now: string): string {
  return new Date(Date.parse(now) - WINDOW_MS).toISOString()
}

/** The account that an attempt is for, whether it exists or not. */
export function accountHash(email: string): string {
  return createHash('sha256').update(addressKey(email)).digest('hex')
}

/** Hashes a browser that is remembered for a user. Its failures are counted apart from those for the account. */
export function browserHash(browser: string, user: UserId): string {
  return createHash('sha256').update(`known browser ${browser} ${user}`).digest('hex')
}

/**
 * Records an attempt in a browser that is remembered for the account, as `recordAttempt`. Failures in other browsers do
 * not count: a stranger cannot lock the owner out.
 *
 * @throws {RateLimitError} when the browser has too many.
 */
export async function recordKnownAttempt(
  { signInAttempts }: Pick<Repositories, 'signInAttempts'>,
  attempt: SignInAttempt,
): Promise<void> {
  const { accountHash, attemptedAt } = attempt
  const last = await signInAttempts.nthNewest({ accountHash }, MAX_FAILURES, attemptsEnd(attemptedAt))
  if (last !== null) throw tooMany(last, attemptedAt)
  await signInAttempts.insert(attempt)
}

/**
 * Records an attempt as a failed one, before the password is checked, so that attempts at the same time count too. An
 * attempt that succeeds is deleted.
 *
 * They are counted in the database, because all processes of an installation share the limit, and it outlives them.
 *
 * @param isKnown whether the account has a session from this address: the failures of others do not lock its owner out
 *   there.
 * @throws {RateLimitError} when the account or the address has too many.
 */
export async function recordAttempt(
  { signInAttempts }: Pick<Repositories, 'signInAttempts'>,
  attempt: SignInAttempt,
  isKnown: boolean,
): Promise<void> {
  const { accountHash, address, attemptedAt } = attempt
  const after = attemptsEnd(attemptedAt)
  const ofAddress = await signInAttempts.nthNewest({ address }, MAX_FAILURES, after)
  const ofAccount = await signInAttempts.nthNewest({ accountHash }, MAX_FAILURES, after)
  const [last] = [ofAddress, isKnown ? null : ofAccount]
    .filter((time) => time !== null)
    .sort()
    .reverse()
  if (last !== undefined) throw tooMany(last, attemptedAt)
  await signInAttempts.insert(attempt)
}

/** Returns the same error for an account and an address: it must not reveal which accounts exist. */
function tooMany(last: string, now: string): RateLimitError {
  const retryAfter = Math.max(1, Math.ceil((Date.parse(last) + WINDOW_MS - Date.parse(now)) / 1000))
  const minutes = Math.ceil(retryAfter / 60)
  return new RateLimitError(
    `Too many attempts to sign in. Try again in ${minutes === 1 ? 'a minute' : `${minutes} minutes`}.`,
    { window: 'hour', limit: MAX_FAILURES, retryAfter },
  )
}
