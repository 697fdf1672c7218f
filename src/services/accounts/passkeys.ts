import type { User } from '../../db/repositories/accounts.ts'
import type { Passkey } from '../../db/repositories/passkeys.ts'
import type { Repositories } from '../../db/repositories.ts'
import type { Act } from '../../domain/audit.ts'
import type { Caller } from '../../domain/caller.ts'
import { ServiceError } from '../../domain/errors.ts'
import { fieldFailure } from '../../domain/field-errors.ts'
import { type PasskeyId, readId, type UserId } from '../../domain/ids.ts'
import type { RelyingParty } from '../../domain/relying-party.ts'
import { challengeEnd, signedChallenge } from '../../secrets/signed-challenge.ts'
import {
  namedCredential,
  registrationOptions,
  signInOptions,
  verifyRegistration,
  verifySignIn,
} from '../../secrets/webauthn.ts'
import { recordAct } from '../audit/record-act.ts'
import { createConfirmPassword } from './confirm-password.ts'
import { type Client, type SessionWithToken, startSession } from './new-session.ts'
import { ownSession } from './session-caller.ts'
import type { SignInPorts } from './sign-in.ts'

/** Passkeys of a user. Each device of a person may have one. */
const MAX_PASSKEYS = 20
const MAX_NAME = 60
/** Characters of a response; browsers send some 2,000. */
const MAX_RESPONSE = 16_384
/** Time to answer a challenge. */
const CHALLENGE_MS = 10 * 60 * 1000

const SIGN_IN = 'sign in'

interface PasskeyUse {
  /** Action that the challenge was signed for. */
  readonly purpose: string
  readonly party: RelyingParty
  /** User whose passkey it has to be; null for any. */
  readonly owner: UserId | null
}

export type PasskeyService = ReturnType<typeof createPasskeyService>

/**
 * Passkeys, with which users sign in without a password and a code: the device of a user holds the key, and asks for a
 * PIN, a finger or a face before it signs. Each challenge is accepted once.
 */
export function createPasskeyService(ports: SignInPorts) {
  const { db, newId, now, masterKey, refusals } = ports
  const { withPassword } = createConfirmPassword(ports)
  const key = masterKey.derive('passkey challenge')

  return {
    async list(caller: Caller): Promise<readonly Passkey[]> {
      ownSession(caller)
      return db.read.passkeys.list(caller.userId)
    },

    /**
     * Options for a browser that creates a passkey, as JSON.
     *
     * @throws {ServiceError} `conflict` when the user has too many; as `withPassword`.
     */
    async begin(caller: Caller, password: string, party: RelyingParty): Promise<string> {
      const present = await withPassword(caller, password, ({ passkeys }) => passkeys.list(caller.userId))
      assertRoom(present)
      return registrationOptions({
        party,
        user: { id: caller.userId, name: caller.email },
        challenge: newChallenge(registrationBy(caller)),
        exclude: present.map(({ credentialId }) => credentialId),
      })
    },

    /**
     * Adds the passkey that a browser has created.
     *
     * @param answer JSON of the browser; only one that was created for the session of `begin` is accepted.
     * @throws {ServiceError} `validation_error` for `name` or the answer; `conflict` when it was added already, or the
     *   user has too many.
     */
    async add(
      caller: Caller,
      answer: { readonly response: string; readonly name: string },
      party: RelyingParty,
    ): Promise<void> {
      const purpose = registrationBy(caller)
      const name = readName(answer.name)
      const { credential, used } = await checked(purpose, answer.response, async (isChallenge) =>
        verifyRegistration(answer.response, party, isChallenge),
      ).catch((cause) => {
        throw fieldFailure('validation_error', [{ path: 'response', message: REFUSED, code: 'invalid' }], {
          cause,
        })
      })
      await db.write(async (repositories) => {
        const { passkeys } = repositories
        assertRoom(await passkeys.list(caller.userId))
        if (!(await passkeys.useChallenge(used.challenge, used.expiresAt)))
          throw new ServiceError('conflict', 'This passkey was added already.')
        const createdAt = now()
        await passkeys.insert({
          ...credential,
          id: newId<'psk'>(),
          userId: caller.userId,
          name,
          createdAt,
          usedAt: null,
        })
        await record(repositories, caller, 'user.add_passkey')
      })
    },

    /** @throws {ServiceError} `not_found`; `validation_error` for `name`. */
    async rename(caller: Caller, ref: string, name: string): Promise<void> {
      await change(caller, ref, async ({ passkeys }, id) =>
        passkeys.rename(caller.userId, id, readName(name)),
      )
    },

    /** @throws {ServiceError} `not_found`. */
    async remove(caller: Caller, ref: string): Promise<void> {
      await change(caller, ref, async (repositories, id) => {
        const isRemoved = await repositories.passkeys.delete(caller.userId, id)
        if (isRemoved) await record(repositories, caller, 'user.remove_passkey')
        return isRemoved
      })
    },

    /** Options for a browser that signs in with any passkey of this site, as JSON. */
    signInOptions: (party: RelyingParty): Promise<string> => signInOptions(party, newChallenge(SIGN_IN)),

    /**
     * Starts a session. No code is asked for: a passkey needs possession of a device, and a PIN, a finger or a face.
     *
     * @param response JSON of the browser.
     * @throws {ServiceError} `unauthorized`, alike for every reason.
     */
    async signIn(response: string, party: RelyingParty, client: Client): Promise<SessionWithToken> {
      const { address } = client
      return used(
        { purpose: SIGN_IN, party, owner: null },
        response,
        async (repositories, user) => startSession(repositories, ports, { id: newId<'ses'>(), user, client }),
        (userId, reason) => refusals.record({ userId, address, reason }),
      )
    },

    /** Options for a browser that confirms something with a passkey, as JSON, for the caller's session only. */
    confirmOptions: (caller: Caller, party: RelyingParty): Promise<string> =>
      signInOptions(party, newChallenge(confirmationBy(caller))),

    /**
     * Changes something after a passkey of the caller's user was used.
     *
     * @param response JSON of the browser, to the options of `confirmOptions`.
     * @param change runs in the transaction that uses the passkey.
     * @throws {ServiceError} `forbidden` when the passkey was refused.
     */
    async withPasskey<T>(
      caller: Caller,
      response: string,
      party: RelyingParty,
      change: (repositories: Repositories) => Promise<T>,
    ): Promise<T> {
      const use = { purpose: confirmationBy(caller), party, owner: caller.userId }
      return used(use, response, change).catch((error) => {
        if (!(error instanceof ServiceError) || error.name !== 'unauthorized') throw error
        throw new ServiceError('forbidden', error.message, { cause: error })
      })
    },
  }

  /**
   * Checks the answer of a browser, and uses its challenge up.
   *
   * @param onRefused called when the passkey is a user's, and was refused.
   * @throws {ServiceError} `unauthorized`, alike for every reason.
   */
  async function used<T>(
    { purpose, party, owner }: PasskeyUse,
    response: string,
    change: (repositories: Repositories, user: User) => Promise<T>,
    onRefused: (userId: UserId, reason: 'passkey' | 'locked') => void = () => {},
  ): Promise<T> {
    const credentialId = response.length > MAX_RESPONSE ? null : namedCredential(response)
    const passkey = credentialId === null ? null : await db.read.passkeys.findByCredential(credentialId)
    if (passkey === null || (owner !== null && passkey.userId !== owner)) throw refused()
    const { credential: counter, used } = await checked(purpose, response, (isChallenge) =>
      verifySignIn(response, party, isChallenge, passkey),
    ).catch((cause) => {
      onRefused(passkey.userId, 'passkey')
      throw refused({ cause })
    })
    const result = await db.write(async (repositories) => {
      const { users, passkeys } = repositories
      // It may have been removed, or used by the same browser in another tab, while it was checked.
      const stored = await passkeys.findByCredential(passkey.credentialId)
      const user = await users.find(passkey.userId)
      const isFresh = stored !== null && (stored.counter === passkey.counter || counter > stored.counter)
      if (!isFresh || user === null) return 'passkey'
      if (user.lockedAt !== null) return 'locked'
      if (!(await passkeys.useChallenge(used.challenge, used.expiresAt))) return 'passkey'
      await passkeys.recordUse(passkey.id, { counter, usedAt: now() })
      return { changed: await change(repositories, user) }
    })
    if (typeof result !== 'string') return result.changed
    onRefused(passkey.userId, result)
    throw refused()
  }

  function newChallenge(purpose: string): Uint8Array {
    return signedChallenge(purpose, Date.parse(now()) + CHALLENGE_MS, key)
  }

  /** Checks an answer, and finds the challenge in it, which the caller uses up. */
  async function checked<T>(
    purpose: string,
    response: string,
    verify: (isChallenge: (challenge: string) => boolean) => Promise<T>,
  ) {
    if (response.length > MAX_RESPONSE) throw new Error('The answer is too long.')
    const answered: { readonly challenge: string; readonly expiresAt: string }[] = []
    const credential = await verify((challenge) => {
      const expiresAt = challengeEnd(challenge, purpose, key, now())
      if (expiresAt !== null) answered.push({ challenge, expiresAt })
      return expiresAt !== null
    })
    const [used] = answered
    if (used === undefined) throw new Error('The answer has no challenge.')
    return { credential, used }
  }

  async function change(
    caller: Caller,
    ref: string,
    work: (repositories: Repositories, id: PasskeyId) => Promise<boolean>,
  ): Promise<void> {
    ownSession(caller)
    const id = readId('psk', ref)
    if (id === null || !(await db.write((repositories) => work(repositories, id))))
      throw new ServiceError('not_found', 'You have no such passkey. It may have been removed already.')
  }

  function record(repositories: Repositories, caller: Caller, act: Act): Promise<void> {
    return recordAct(repositories, ports, caller, {
      act,
      of: { userId: caller.userId },
      target: caller.userId,
    })
  }
}

/** Bound to the session in which the password was given. */
function registrationBy(caller: Caller): string {
  return `register ${caller.userId} ${ownSession(caller)}`
}

/** Bound to the session, so that an answer to another page confirms nothing. */
function confirmationBy(caller: Caller): string {
  return `confirm ${caller.userId} ${ownSession(caller)}`
}

function assertRoom(passkeys: readonly Passkey[]): void {
  if (passkeys.length >= MAX_PASSKEYS)
    throw new ServiceError('conflict', `You have ${MAX_PASSKEYS} passkeys. Remove one first.`)
}

function readName(text: string): string {
  const name = text.trim().replace(/\s+/g, ' ')
  if (name !== '' && [...name].length <= MAX_NAME) return name
  const message =
    name === '' ? 'is needed, so that you know it again.' : `has more than ${MAX_NAME} characters.`
  throw fieldFailure('validation_error', [{ path: 'name', message, code: 'invalid' }])
}

const REFUSED = 'The passkey was refused, or the page was open for too long. Try again.'

function refused(options?: ErrorOptions): ServiceError {
  return new ServiceError('unauthorized', REFUSED, options)
}
