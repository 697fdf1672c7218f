import type { Session } from '../../db/repositories/sessions.ts'
import type { Repositories } from '../../db/repositories.ts'
import type { Caller } from '../../domain/caller.ts'
import { ServiceError } from '../../domain/errors.ts'
import { fieldFailure } from '../../domain/field-errors.ts'
import { readId, type SessionId, type UserId } from '../../domain/ids.ts'
import { MAX_PASSWORD_BYTES, passwordError } from '../../domain/password-rule.ts'
import { hashBearerToken, isBearerTokenForm, newBearerToken } from '../../secrets/bearer-token.ts'
import type { Passwords } from '../../secrets/password-hash.ts'
import { recordAct } from '../audit/record-act.ts'
import type { ServiceContext } from '../context.ts'
import { actorOf, type Client, type PersonActor, type SessionWithToken, startSession } from './new-session.ts'
import { callerOfSession, isLiveSession } from './session-caller.ts'
import { accountHash, recordAttempt } from './sign-in-limit.ts'

/** The use of a session is recorded at most once in this time, so that requests rarely write. */
const TOUCH_MS = 60_000

/** The id of no user, for the same look-up where there is none. */
const NO_USER = '' as UserId

export interface SessionPorts extends Pick<ServiceContext, 'db' | 'newId' | 'now'> {
  readonly passwords: Passwords
}

export interface SignIn extends Client {
  readonly email: string
  readonly password: string
}

/** A session as its user sees it. */
export interface ListedSession extends Session {
  /** Whether it is the session of the request. */
  readonly isCurrent: boolean
}

export type SessionService = ReturnType<typeof createSessionService>

/** The sessions of people who sign in with a password. */
export function createSessionService(ports: SessionPorts) {
  const { db, newId, now, passwords } = ports
  return {
    /**
     * Answers alike for a wrong password, an unknown address and a user without a password, after the same work.
     *
     * @throws {ServiceError} `unauthorized` when the address or the password is wrong; `rate_limit_exceeded` (a
     *   `RateLimitError` with the time to wait) after too many failures for the account or from the address;
     *   `service_unavailable` (with the same) when too many people sign in at once.
     */
    async signIn({ email, password, ...client }: SignIn): Promise<SessionWithToken> {
      const address = email.trim()
      const found = await db.read.users.credentials(address)
      const known = await liveSessions(found?.user.id ?? NO_USER)
      const id = await beginAttempt(
        address,
        client.address,
        known.some((session) => session.address === client.address),
      )
      const stored = found?.passwordHash ?? null
      if (!(await verify(id, password, stored)) || found === null || stored === null) throw wrongPassword()
      const renewed = passwords.isOutdated(stored) ? await passwords.hash(password) : null
      return db.write(async (repositories) => {
        const { users, signInAttempts } = repositories
        // It was changed while it was checked.
        if ((await users.passwordHash(found.user.id)) !== stored) throw wrongPassword()
        if (renewed !== null) await users.setPasswordHash(found.user.id, renewed)
        await signInAttempts.delete(id)
        return startSession(repositories, ports, { id, user: found.user, client })
      })
    },

    /** The session with this token, and the caller of its requests; null when there is none, or it has ended. */
    async authenticate(
      token: string,
    ): Promise<{ readonly caller: Caller; readonly session: Session } | null> {
      if (!isBearerTokenForm(token)) return null
      const found = await db.read.sessions.findByHash(hashBearerToken(token))
      const time = now()
      if (found === null || !isLiveSession(found.session, time)) return null
      const { id, usedAt } = found.session
      if (Date.parse(time) - Date.parse(usedAt) >= TOUCH_MS)
        await db.write(({ sessions }) => sessions.touch(id, time))
      return { caller: await callerOfSession(db.read, found, time), session: found.session }
    },

    /** The live sessions of the caller's user, last used first. */
    async list(caller: Caller): Promise<readonly ListedSession[]> {
      const own = ownSession(caller)
      const live = await liveSessions(caller.userId)
      return live.map((session) => ({ ...session, isCurrent: session.id === own }))
    },

    /**
     * Ends a session of the caller's user, which may be that of the request.
     *
     * @param ref a session's id in either form.
     * @throws {ServiceError} `not_found`.
     */
    async revoke(caller: Caller, ref: string): Promise<void> {
      ownSession(caller)
      const id = readId('ses', ref)
      const isEnded = id !== null && (await db.write((repositories) => end(repositories, caller, id)))
      if (!isEnded)
        throw new ServiceError('not_found', 'You have no such session. It may have ended already.')
    },

    /** Ends all sessions of the caller's user but that of the request. @returns their number. */
    async revokeOthers(caller: Caller): Promise<number> {
      const own = ownSession(caller)
      return db.write(async (repositories) => {
        const ended = await repositories.sessions.deleteOthers(caller.userId, own)
        for (const id of ended) await recordEnd(repositories, caller, id)
        return ended.length
      })
    },

    /** Ends the session with this token, if there is one. */
    async signOut(token: string): Promise<void> {
      if (!isBearerTokenForm(token)) return
      const found = await db.read.sessions.findByHash(hashBearerToken(token))
      if (found === null) return
      await db.write((repositories) => end(repositories, actorOf(found.session), found.session.id))
    },

    /**
     * Changes the password of the caller's user. The session of the request gets another token, all others end.
     *
     * @throws {ServiceError} `validation_error` for `current_password` or `new_password`; `rate_limit_exceeded` and
     *   `service_unavailable` as `signIn`.
     */
    async changePassword(caller: Caller, current: string, next: string): Promise<SessionWithToken> {
      const own = ownSession(caller)
      const invalid = passwordError(next, 'new_password', caller.email)
      if (invalid !== null) throw fieldFailure('validation_error', [invalid])
      const found = await db.read.sessions.find(own)
      if (found === null) throw ended()
      const stored = await db.read.users.passwordHash(caller.userId)
      const id = await beginAttempt(caller.email, found.session.address, true)
      if (!(await verify(id, current, stored))) throw wrongCurrent()
      const hash = await passwords.hash(next)
      const token = newBearerToken()
      return db.write(async (repositories) => {
        const { users, sessions, signInAttempts } = repositories
        // Either may have changed while the passwords were hashed.
        if ((await users.passwordHash(caller.userId)) !== stored) throw wrongCurrent()
        const session = (await sessions.find(own))?.session
        if (session === undefined) throw ended()
        await signInAttempts.delete(id)
        await users.setPasswordHash(caller.userId, hash)
        await sessions.deleteOthers(caller.userId, own)
        await sessions.replaceToken(own, hashBearerToken(token))
        const act = {
          act: 'user.set_password',
          of: { userId: caller.userId },
          target: caller.userId,
        } as const
        await recordAct(repositories, ports, caller, act)
        return { token, session }
      })
    },
  }

  /** False when the actor's user has no such session. */
  async function end(repositories: Repositories, actor: PersonActor, id: SessionId): Promise<boolean> {
    const isEnded = await repositories.sessions.delete(actor.userId, id)
    if (isEnded) await recordEnd(repositories, actor, id)
    return isEnded
  }

  function recordEnd(repositories: Repositories, actor: PersonActor, id: SessionId): Promise<void> {
    const act = { act: 'session.end', of: { userId: actor.userId }, target: id } as const
    return recordAct(repositories, ports, actor, act)
  }

  async function liveSessions(userId: UserId): Promise<readonly Session[]> {
    const time = now()
    return (await db.read.sessions.list(userId)).filter((session) => isLiveSession(session, time))
  }

  /** @returns the id of the attempt, and of the session that it may lead to. */
  async function beginAttempt(email: string, address: string, isKnown: boolean): Promise<SessionId> {
    const id = newId<'ses'>()
    const attempt = { id, accountHash: accountHash(email), address, attemptedAt: now() }
    await db.write((repositories) => recordAttempt(repositories, attempt, isKnown))
    return id
  }

  async function verify(id: SessionId, password: string, stored: string | null): Promise<boolean> {
    const isTooLong = Buffer.byteLength(password) > MAX_PASSWORD_BYTES
    try {
      return (await passwords.verify(isTooLong ? '' : password, stored)) && !isTooLong
    } catch (error) {
      // The password was not checked.
      await db.write(({ signInAttempts }) => signInAttempts.delete(id))
      throw error
    }
  }
}

/** @throws {ServiceError} `forbidden` for a key: sessions are the business of the person who signs in. */
function ownSession({ via }: Caller): SessionId {
  if (via.kind !== 'session')
    throw new ServiceError(
      'forbidden',
      'Sign in for this: API keys have no access to sessions and passwords.',
    )
  return via.id
}

function wrongPassword(): ServiceError {
  return new ServiceError('unauthorized', 'The e-mail address or the password is wrong.')
}

function wrongCurrent(): ServiceError {
  return fieldFailure('validation_error', [
    { path: 'current_password', message: 'is not your current password.', code: 'invalid' },
  ])
}

function ended(): ServiceError {
  return new ServiceError('unauthorized', 'The session has ended. Sign in again.')
}
