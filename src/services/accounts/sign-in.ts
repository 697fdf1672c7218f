import type { User, UserRepository } from '../../db/repositories/accounts.ts'
import type { Session } from '../../db/repositories/sessions.ts'
import type { Database, Repositories } from '../../db/repositories.ts'
import type { RefusalReason } from '../../domain/audit.ts'
import { CodeNeededError, RateLimitError, ServiceError } from '../../domain/errors.ts'
import { fieldFailure } from '../../domain/field-errors.ts'
import type { SessionId, UserId } from '../../domain/ids.ts'
import type { MasterKey } from '../../secrets/master-key.ts'
import { challengedUser, isChallenge, signChallenge } from '../../secrets/sign-in-challenge.ts'
import type { ServiceContext } from '../context.ts'
import { type Client, rememberedBrowser, type SessionWithToken, startSession } from './new-session.ts'
import { type AttemptPorts, createPasswordAttempts } from './password-attempts.ts'
import { isLiveSession } from './session-caller.ts'
import type { SignInRefusals } from './sign-in-refusals.ts'
import { useCode } from './use-code.ts'

/** Time to type a code after the password was right. */
const CHALLENGE_MS = 10 * 60 * 1000

/** The id of no user, for the same look-up where there is none. */
const NO_USER = '' as UserId

export interface SignInPorts extends AttemptPorts {
  readonly masterKey: MasterKey
  readonly refusals: Pick<SignInRefusals, 'record'>
}

export interface SignIn extends Client {
  readonly email: string
  readonly password: string
}

/** A session, or the challenge of a sign-in that needs a code too. */
type SignedIn = SessionWithToken | { readonly challenge: string }

export function createSignIn(ports: SignInPorts) {
  const { db, now, passwords, masterKey, refusals } = ports
  const attempts = createPasswordAttempts(ports)

  return {
    /**
     * Answers alike for a wrong password, an unknown address and a user without a password, after the same work.
     *
     * @throws {CodeNeededError} when the user has a second factor: `confirm` ends the sign-in.
     * @throws {ServiceError} `unauthorized` when the address or the password is wrong; `rate_limit_exceeded` (a
     *   `RateLimitError` with the time to wait) after too many failures for the account or from the address;
     *   `service_unavailable` (with the same) when too many users sign in at once.
     */
    async signIn({ email, password, ...client }: SignIn): Promise<SessionWithToken> {
      const typed = email.trim()
      const found = await db.read.users.credentials(typed)
      const isKnown = await isKnownTo(db, found?.user.id ?? NO_USER, client, now())
      const refused = (reason: RefusalReason) => {
        if (found !== null) record(found.user.id, client, reason)
      }
      const id = await attempts
        .begin(typed, client.address, isKnown, found && knownIn(client, found.user))
        .catch(noting(refused))
      const stored = found?.passwordHash ?? null
      if (!(await attempts.verify(id, password, stored)) || found === null || stored === null) {
        refused('password')
        throw wrongPassword()
      }
      const renewed = passwords.isOutdated(stored) ? await passwords.hash(password) : null
      const signedIn = await db.write(async (repositories) => {
        const { users, signInAttempts } = repositories
        // It was changed while it was checked.
        if ((await users.passwordHash(found.user.id)) !== stored) return 'password'
        if (!(await isUsable(users, found.user.id))) return 'locked'
        if (renewed !== null) await users.setPasswordHash(found.user.id, renewed)
        await signInAttempts.delete(id)
        const passwordHash = renewed ?? stored
        return startOrAsk(repositories, ports, { id, user: found.user, client, passwordHash })
      })
      if (typeof signedIn !== 'string') return sessionOf(signedIn)
      refused(signedIn)
      throw wrongPassword()
    },

    /**
     * Ends a sign-in with a code of the user's app, or with a recovery code. Each code is accepted once.
     *
     * @throws {ServiceError} `unauthorized` when the challenge is too old, or the password was changed since;
     *   `validation_error` for `code`; `rate_limit_exceeded` as `signIn`.
     */
    async confirm(challenge: string, code: string, client: Client): Promise<SessionWithToken> {
      const { user, passwordHash } = await challenged(db.read, challenge)
      const refused = (reason: RefusalReason) => record(user.id, client, reason)
      if (user.lockedAt !== null) {
        refused('locked')
        throw tooLate()
      }
      const isKnown = await isKnownTo(db, user.id, client, now())
      const id = await attempts
        .begin(user.email, client.address, isKnown, knownIn(client, user))
        .catch(noting(refused))
      const confirmed = await db.write(async (repositories) => {
        if ((await repositories.users.passwordHash(user.id)) !== passwordHash) throw tooLate()
        if (!(await isUsable(repositories.users, user.id))) return 'locked'
        if (!(await useCode(repositories, masterKey, user.id, code, now()))) return 'code'
        await repositories.signInAttempts.delete(id)
        return startSession(repositories, ports, { id, user, client })
      })
      if (typeof confirmed !== 'string') return confirmed
      refused(confirmed)
      throw confirmed === 'code' ? wrongCode() : tooLate()
    },
  }

  function record(userId: UserId, { address }: Client, reason: RefusalReason): void {
    refusals.record({ userId, address, reason })
  }

  function knownIn({ browser: cookie = '' }: Client, user: User) {
    const browser = rememberedBrowser(ports, user, cookie)
    return browser === null ? null : { browser, userId: user.id }
  }

  async function challenged({ users }: Repositories, challenge: string) {
    const id = challengedUser(challenge)
    const user = id === null ? null : await users.find(id)
    const passwordHash = user === null ? null : await users.passwordHash(user.id)
    if (user === null || passwordHash === null) throw tooLate()
    if (!isChallenge(challenge, passwordHash, challengeKey(masterKey), now())) throw tooLate()
    return { user, passwordHash }
  }
}

/** Records an attempt that came after too many failures. */
function noting(refused: (reason: RefusalReason) => void): (error: unknown) => never {
  return (error) => {
    if (error instanceof RateLimitError) refused('limit')
    throw error
  }
}

/** Reports whether the user exists and is not locked. Call it in the transaction that starts a session. */
export async function isUsable({ find }: Pick<UserRepository, 'find'>, id: UserId): Promise<boolean> {
  const user = await find(id)
  return user !== null && user.lockedAt === null
}

/** Starts the session of a user whose password was right, or asks for a code first. */
export async function startOrAsk(
  repositories: Repositories,
  ports: Pick<ServiceContext, 'newId' | 'now'> & { readonly masterKey: MasterKey },
  {
    id,
    user,
    client,
    passwordHash,
  }: {
    readonly id: SessionId
    readonly user: User
    readonly client: Client
    readonly passwordHash: string
  },
): Promise<SignedIn> {
  const factor = await repositories.secondFactors.find(user.id)
  if (factor === null || factor.enabledAt === null)
    return startSession(repositories, ports, { id, user, client })
  const expiresAt = new Date(Date.parse(ports.now()) + CHALLENGE_MS).toISOString()
  const claim = { userId: user.id, expiresAt }
  return { challenge: signChallenge(claim, passwordHash, challengeKey(ports.masterKey)) }
}

/** @throws {CodeNeededError} Call it after the transaction: the error would undo it. */
export function sessionOf(signedIn: SignedIn): SessionWithToken {
  if ('challenge' in signedIn) throw new CodeNeededError(signedIn.challenge)
  return signedIn
}

/** The sessions of a user that have not ended, last used first. */
export async function liveSessions(
  { sessions }: Pick<Repositories, 'sessions'>,
  userId: UserId,
  now: string,
): Promise<readonly Session[]> {
  return (await sessions.list(userId)).filter((session) => isLiveSession(session, now))
}

async function isKnownTo(
  { read }: Pick<Database, 'read'>,
  userId: UserId,
  { address }: Client,
  now: string,
): Promise<boolean> {
  return (await liveSessions(read, userId, now)).some((session) => session.address === address)
}

function challengeKey(masterKey: MasterKey): Uint8Array {
  return masterKey.derive('sign-in challenge')
}

function wrongPassword(): ServiceError {
  return new ServiceError('unauthorized', 'The e-mail address or the password is wrong.')
}

function tooLate(): ServiceError {
  return new ServiceError(
    'unauthorized',
    'The code came too late, or the password has changed. Sign in again.',
  )
}

export function wrongCode(): ServiceError {
  return fieldFailure('validation_error', [
    { path: 'code', message: 'is wrong, or was used before. Wait for the next one.', code: 'invalid' },
  ])
}
