import type { Session } from '../../db/repositories/sessions.ts'
import type { Repositories } from '../../db/repositories.ts'
import type { Caller } from '../../domain/caller.ts'
import { isPlaceholder } from '../../domain/email-address.ts'
import { ServiceError } from '../../domain/errors.ts'
import { fieldFailure } from '../../domain/field-errors.ts'
import { readId, type SessionId } from '../../domain/ids.ts'
import { passwordError } from '../../domain/password-rule.ts'
import { hashBearerToken, isBearerTokenForm, newBearerToken } from '../../secrets/bearer-token.ts'
import { recordAct } from '../audit/record-act.ts'
import { createConfirmPassword, sessionEnded, wrongCurrent } from './confirm-password.ts'
import { actorOf, browserAfter, type PersonActor, type SessionWithToken } from './new-session.ts'
import { createPasswordAttempts } from './password-attempts.ts'
import { callerOfSession, isLiveSession, ownSession } from './session-caller.ts'
import { createSignIn, liveSessions, type SignInPorts } from './sign-in.ts'

/** The use of a session is recorded at most once in this time, so that requests rarely write. */
const TOUCH_MS = 60_000

/** A session as its user sees it. */
export interface ListedSession extends Session {
  /** True for the session of the request. */
  readonly isCurrent: boolean
}

export type SessionService = ReturnType<typeof createSessionService>

/** The sessions of users who sign in with a password. */
export function createSessionService(ports: SignInPorts) {
  const { db, now, passwords } = ports
  const attempts = createPasswordAttempts(ports)
  const { withPassword } = createConfirmPassword(ports)
  return {
    ...createSignIn(ports),

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
      const live = await liveSessions(db.read, caller.userId, now())
      return live.map((session) => ({ ...session, isCurrent: session.id === own }))
    },

    /**
     * Ends a session of the caller's user, even the session of the request.
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

    /**
     * Ends all other sessions of the caller's user, and forgets the browsers in which the user has signed in: see
     * `knowBrowser`.
     *
     * @returns their number.
     */
    async revokeOthers(caller: Caller): Promise<number> {
      const own = ownSession(caller)
      return db.write(async (repositories) => {
        const ended = await repositories.sessions.deleteOthers(caller.userId, own)
        for (const id of ended) await recordEnd(repositories, caller, id)
        await repositories.users.forgetBrowsers(caller.userId, now())
        return ended.length
      })
    },

    /** Returns the cookie of the session's browser, which is remembered for the user from now on. */
    knowBrowser(caller: Caller, cookie: string): string {
      ownSession(caller)
      return browserAfter(ports, caller.userId, cookie)
    },

    /** Ends the session with this token, if there is one. */
    async signOut(token: string): Promise<void> {
      if (!isBearerTokenForm(token)) return
      const found = await db.read.sessions.findByHash(hashBearerToken(token))
      if (found === null) return
      await db.write((repositories) => end(repositories, actorOf(found.session), found.session.id))
    },

    /**
     * Gives the first user of an installation an address in place of `owner@localhost`. Any other address stays: it
     * decides which invitations are a person's, and nothing here proves a new one.
     *
     * @param readEmail reads the address; called once the password is known to be right.
     * @throws {ServiceError} `forbidden` for any other address; `conflict` when the address is taken;
     *   `validation_error` for `current_password`.
     */
    async setEmail(caller: Caller, password: string, readEmail: () => string): Promise<void> {
      if (!isPlaceholder(caller.email))
        throw new ServiceError('forbidden', 'The operator of the service changes this address.')
      await withPassword(caller, password, async (repositories) => {
        const email = readEmail()
        const user = await repositories.users.find(caller.userId)
        if (user === null || !isPlaceholder(user.email)) throw sessionEnded()
        const other = await repositories.users.findByAddress(email)
        if (other !== null && other.id !== user.id)
          throw fieldFailure('conflict', [{ path: 'email', message: 'is taken.', code: 'taken' }])
        await repositories.users.setEmail(user.id, email, null)
        const act = { act: 'user.set_email', of: { userId: user.id }, target: user.id } as const
        await recordAct(repositories, ports, caller, act)
      })
    },

    /**
     * Changes the password of the caller's user. The session of the request gets another token, all others end, and all
     * other browsers become unknown.
     *
     * @param cookie names the browser; empty without one.
     * @throws {ServiceError} `validation_error` for `current_password` or `new_password`; `rate_limit_exceeded` and
     *   `service_unavailable` as `signIn`.
     */
    async changePassword(
      caller: Caller,
      current: string,
      next: string,
      cookie = '',
    ): Promise<SessionWithToken> {
      const own = ownSession(caller)
      const invalid = passwordError(next, 'new_password', caller.email)
      if (invalid !== null) throw fieldFailure('validation_error', [invalid])
      const found = await db.read.sessions.find(own)
      if (found === null) throw sessionEnded()
      const stored = await db.read.users.passwordHash(caller.userId)
      const id = await attempts.begin(caller.email, found.session.address, true)
      if (!(await attempts.verify(id, current, stored))) throw wrongCurrent()
      const hash = await passwords.hash(next)
      const token = newBearerToken()
      return db.write(async (repositories) => {
        const { users, sessions, signInAttempts } = repositories
        // Either may have changed while the passwords were hashed.
        if ((await users.passwordHash(caller.userId)) !== stored) throw wrongCurrent()
        const session = (await sessions.find(own))?.session
        if (session === undefined) throw sessionEnded()
        await signInAttempts.delete(id)
        await users.setPasswordHash(caller.userId, hash)
        await users.forgetBrowsers(caller.userId, now())
        await sessions.deleteOthers(caller.userId, own)
        await sessions.replaceToken(own, hashBearerToken(token))
        const act = {
          act: 'user.set_password',
          of: { userId: caller.userId },
          target: caller.userId,
        } as const
        await recordAct(repositories, ports, caller, act)
        return { token, session, browser: browserAfter(ports, caller.userId, cookie) }
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
}
