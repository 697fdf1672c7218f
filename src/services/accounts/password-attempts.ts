import type { SessionId, UserId } from '../../domain/ids.ts'
import { MAX_PASSWORD_BYTES } from '../../domain/password-rule.ts'
import type { Passwords } from '../../secrets/password-hash.ts'
import type { ServiceContext } from '../context.ts'
import { accountHash, browserHash, recordAttempt, recordKnownAttempt } from './sign-in-limit.ts'

export interface AttemptPorts extends Pick<ServiceContext, 'db' | 'newId' | 'now'> {
  readonly passwords: Passwords
}

/** Checks of passwords and codes that count as failures until they succeed. */
export function createPasswordAttempts({ db, newId, now, passwords }: AttemptPorts) {
  return {
    /**
     * Counts an attempt.
     *
     * @param isKnown whether the account has a session from this address.
     * @param known the browser and its user, where it is remembered for the account; null elsewhere.
     * @returns its id, which a session after it has too. A success deletes the attempt.
     * @throws {RateLimitError}
     */
    async begin(
      email: string,
      address: string,
      isKnown: boolean,
      known: { readonly browser: string; readonly userId: UserId } | null = null,
    ): Promise<SessionId> {
      const id = newId<'ses'>()
      const attemptedAt = now()
      await db.write((repositories) => {
        if (known === null) {
          const attempt = { id, accountHash: accountHash(email), address, attemptedAt }
          return recordAttempt(repositories, attempt, isKnown)
        }
        // Without the address: it does not count for that either.
        const ofBrowser = browserHash(known.browser, known.userId)
        return recordKnownAttempt(repositories, { id, accountHash: ofBrowser, address: '', attemptedAt })
      })
      return id
    },

    /**
     * Reports whether the password has this hash.
     *
     * @param id of the attempt.
     * @param stored null where there is none, for the same work.
     * @throws {UnavailableError} when too many users sign in at once. The attempt does not count then.
     */
    async verify(id: SessionId, password: string, stored: string | null): Promise<boolean> {
      const isTooLong = Buffer.byteLength(password) > MAX_PASSWORD_BYTES
      try {
        return (await passwords.verify(isTooLong ? '' : password, stored)) && !isTooLong
      } catch (error) {
        await db.write(({ signInAttempts }) => signInAttempts.delete(id))
        throw error
      }
    },
  }
}
