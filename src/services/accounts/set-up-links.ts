import type { User } from '../../db/repositories/accounts.ts'
import type { Repositories } from '../../db/repositories.ts'
import { type Actor, OPERATOR, SERVICE } from '../../domain/audit.ts'
import { isPlaceholder } from '../../domain/email-address.ts'
import { ServiceError } from '../../domain/errors.ts'
import { fieldFailure } from '../../domain/field-errors.ts'
import type { UserId } from '../../domain/ids.ts'
import { passwordError } from '../../domain/password-rule.ts'
import { hashBearerToken, isBearerTokenForm, newBearerToken } from '../../secrets/bearer-token.ts'
import { recordAct } from '../audit/record-act.ts'
import type { ServiceContext } from '../context.ts'
import { actorOf, type Client, type SessionWithToken } from './new-session.ts'
import { isUsable, type SignInPorts, sessionOf, startOrAsk } from './sign-in.ts'

const LINK_MS = 24 * 60 * 60 * 1000

/**
 * Address of the page that sets a password, below the base URL, with the token of a link.
 *
 * The token is in the query, because a page without JavaScript sees no fragment. A GET shows the form and changes
 * nothing, so programs that open links use none up; its answer must have `Referrer-Policy: no-referrer` and
 * `Cache-Control: no-store`. Logs of the service have paths without queries.
 */
export function setUpPath(token: string): string {
  return `/dashboard/set-up?token=${token}`
}

export type SetUpLinkIssuer = ReturnType<typeof createSetUpLinkIssuer>

/** Issues one-time links with which users set their password, the first one or one in place of a forgotten one. */
export function createSetUpLinkIssuer(ports: Pick<ServiceContext, 'db' | 'newId' | 'now'>) {
  const { db, now } = ports

  return {
    /**
     * Creates a link for a user, which replaces the one before and ends after 24 hours.
     *
     * @param actor who asks for it.
     * @returns its token, which is stored as a hash only: see `setUpPath`.
     * @throws {ServiceError} `not_found`.
     */
    async issue(userId: UserId, actor: Actor = OPERATOR): Promise<string> {
      return db.write(async (repositories) => {
        if ((await repositories.users.find(userId)) === null) throw noUser()
        return putLink(repositories, userId, actor)
      })
    },

    /** Reports whether any user has a password. */
    isSetUp: (): Promise<boolean> => db.read.users.hasPasswords(),

    /** Issues a link unless an earlier one is still valid: several processes call this at their start. */
    async issueUnlessOpen(userId: UserId): Promise<string | null> {
      return db.write(async (repositories) => {
        const open = await repositories.setUpLinks.ofUser(userId, now())
        return open === null ? putLink(repositories, userId, SERVICE) : null
      })
    },

    /**
     * Lets a user sign in without a code, who lost the app and the recovery codes. False when none was needed.
     *
     * @throws {ServiceError} `not_found`.
     */
    async removeSecondFactor(userId: UserId): Promise<boolean> {
      return db.write(async (repositories) => {
        if ((await repositories.users.find(userId)) === null) throw noUser()
        if (!(await repositories.secondFactors.delete(userId))) return false
        const act = { act: 'user.disable_second_factor', of: { userId }, target: userId } as const
        await recordAct(repositories, ports, OPERATOR, act)
        return true
      })
    },
  }

  async function putLink(repositories: Repositories, userId: UserId, actor: Actor): Promise<string> {
    const token = newBearerToken()
    const createdAt = now()
    const expiresAt = new Date(Date.parse(createdAt) + LINK_MS).toISOString()
    await repositories.setUpLinks.put({ userId, createdAt, expiresAt }, hashBearerToken(token))
    const act = { act: 'user.issue_set_up_link', of: { userId }, target: userId } as const
    await recordAct(repositories, ports, actor, act)
    return token
  }
}

export type SetUpLinkService = ReturnType<typeof createSetUpLinkService>

/** The links, and how users redeem them. */
export function createSetUpLinkService(
  ports: SignInPorts & {
    /** Called when keys of a user may have ended, so that this process refuses them at once. */
    readonly onAccessEnded: () => void
  },
) {
  const { db, newId, now, passwords, onAccessEnded } = ports

  return {
    ...createSetUpLinkIssuer(ports),

    /** The address of the user whose link it is; null when it was used, replaced or has expired. */
    async emailOf(token: string): Promise<string | null> {
      if (!isBearerTokenForm(token)) return null
      const found = await db.read.setUpLinks.findByHash(hashBearerToken(token), now())
      return found === null || found.user.lockedAt !== null ? null : found.user.email
    },

    /**
     * Sets the password of the user and ends all previous sessions. Where the address was not verified, all passkeys,
     * codes and keys end too. Then it signs the user in, or asks for a code first. Of several calls with one token, one
     * succeeds.
     *
     * @throws {CodeNeededError} when the user has a second factor, after the password was set: `confirm` of the
     *   sessions signs the user in.
     * @throws {ServiceError} `not_found` when the link was used, replaced or has expired; `validation_error` for
     *   `password`; `service_unavailable` when too many users sign in at once.
     */
    async redeem(token: string, password: string, client: Client): Promise<SessionWithToken> {
      const tokenHash = hashBearerToken(token)
      const found = isBearerTokenForm(token) ? await db.read.setUpLinks.findByHash(tokenHash, now()) : null
      if (found === null || found.user.lockedAt !== null) throw usedUp()
      const { user } = found
      const invalid = passwordError(password, 'password', user.email)
      if (invalid !== null) throw fieldFailure('validation_error', [invalid])
      const hash = await passwords.hash(password)
      const signedIn = await db.write(async (repositories) => {
        const { users, sessions, setUpLinks } = repositories
        if (!(await isUsable(users, user.id)) || !(await setUpLinks.take(tokenHash))) throw usedUp()
        await users.setPasswordHash(user.id, hash)
        if (isUnproved(user)) await users.endAccess(user.id, now())
        await users.forgetBrowsers(user.id, now())
        if (!isPlaceholder(user.email)) await users.verify(user.id, now())
        await sessions.deleteOthers(user.id, null)
        const signIn = { id: newId<'ses'>(), user, client, passwordHash: hash }
        const started = await startOrAsk(repositories, ports, signIn)
        const person = { ...SERVICE, userId: user.id, clientAddress: client.address }
        const actor = 'session' in started ? actorOf(started.session) : person
        const act = { act: 'user.set_password', of: { userId: user.id }, target: user.id } as const
        await recordAct(repositories, ports, actor, act)
        return started
      })
      onAccessEnded()
      return sessionOf(signedIn)
    },
  }
}

/**
 * Reports whether the account was created by a link that anyone could hold, and its address is still unproved. The
 * first proof gives the account to the owner of the mailbox, and ends passkeys and keys of the person who held the
 * link.
 */
function isUnproved({ email, verifiedAt, canCreateProjects }: User): boolean {
  return verifiedAt === null && !canCreateProjects && !isPlaceholder(email)
}

function noUser(): ServiceError {
  return new ServiceError('not_found', 'No user has this id.')
}

function usedUp(): ServiceError {
  return new ServiceError(
    'not_found',
    'This link was used already, was replaced by a newer one, or is older than 24 hours. Ask for another one: quoin users set-up <email>.',
  )
}
