import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { User } from '../../../src/db/repositories/accounts.ts'
import { CodeNeededError } from '../../../src/domain/errors.ts'
import type { UserId } from '../../../src/domain/ids.ts'
import { createPasskeyService } from '../../../src/services/accounts/passkeys.ts'
import { openSecret } from '../../../src/services/accounts/use-code.ts'
import { totpCode } from '../../../src/secrets/totp.ts'
import { MAX_FAILURES } from '../../../src/services/accounts/sign-in-limit.ts'
import { errorOf } from '../service-fixture.ts'
import { createPeopleFixture, ELSEWHERE, HOME, PASSWORD, type PeopleFixture } from './people-fixture.ts'

const PARTY = { id: 'quoin.example.com', origin: 'https://quoin.example.com' }

let fixture: PeopleFixture
let user: User
beforeEach(async () => {
  fixture = await createPeopleFixture()
  user = await fixture.newPerson('ada@example.com')
})
afterEach(() => fixture.close())

const signIn = (email: string, password: string, client = HOME) =>
  errorOf(fixture.sessions.signIn({ email, password, ...client }))

/** The rows of refused sign-ins, oldest first. */
async function refusals(of: { readonly userId: UserId } | null = null) {
  await fixture.ports.refusals.idle()
  const filter = { of, act: 'session.refuse', createdAfter: null, createdBefore: null } as const
  const { items } = await fixture.db.read.audit.list(filter, { limit: 100, offset: 0 })
  return items
    .map(({ target, reason, count, actor }) => [target, reason, count, actor.clientAddress ?? null] as const)
    .reverse()
}

describe('refused sign-ins are one row of the audit log', () => {
  test('for each address and reason within ten minutes, and then another one', async () => {
    for (let i = 0; i < 3; i++) await signIn(user.email, 'wrong')
    await signIn('Ada@Example.com', 'wrong', ELSEWHERE)
    expect(await refusals({ userId: user.id })).toEqual([
      [user.id, 'password', 3, HOME.address],
      [user.id, 'password', 1, ELSEWHERE.address],
    ])
    fixture.pass(10 * 60)
    await signIn(user.email, 'wrong')
    expect((await refusals()).slice(2)).toEqual([[user.id, 'password', 1, HOME.address]])
  })

  test('with a count of all that come at once', async () => {
    await Promise.all(Array.from({ length: 12 }, () => signIn(user.email, 'wrong')))
    expect(await refusals()).toEqual([[user.id, 'password', 12, HOME.address]])
  })

  test('under the user alone, and in the name of the service', async () => {
    await signIn(user.email, 'wrong')
    await fixture.ports.refusals.idle()
    const all = { of: null, act: 'session.refuse', createdAfter: null, createdBefore: null } as const
    const [row] = (await fixture.db.read.audit.list(all, { limit: 1, offset: 0 })).items
    expect(row).toMatchObject({ userId: user.id, projectId: null, before: null, after: null })
    expect(row?.actor).toEqual({ via: { kind: 'service' }, clientAddress: HOME.address })
  })

  test('but never for an unknown name, a success, or a password that a code follows', async () => {
    await signIn('nobody@example.com', 'wrong')
    await signIn('', '')
    expect(await signIn(user.email, PASSWORD)).toBe('no error')
    await enableCodes()
    expect(await signIn(user.email, PASSWORD)).toBe('unauthorized')
    expect(await refusals()).toEqual([])
  })

  test('with at most 20 addresses of an account, and one row for all others', async () => {
    for (let i = 0; i < 25; i++) await signIn(user.email, 'wrong', { ...HOME, address: `203.0.113.${i}` })
    const rows = await refusals()
    const counted = rows.reduce((sum, [, , count]) => sum + (count ?? 0), 0)
    expect([rows.length, counted]).toEqual([21, 25])
    expect(rows.at(-1)).toEqual([user.id, 'limit', 5, null])
  })
})

describe('the reason of a refused sign-in', () => {
  test('is the limit after too many failures, with the right password too', async () => {
    for (let i = 0; i < MAX_FAILURES; i++) await signIn(user.email, 'wrong')
    expect(await signIn(user.email, PASSWORD)).toBe('rate_limit_exceeded')
    expect(await refusals()).toEqual([
      [user.id, 'password', MAX_FAILURES, HOME.address],
      [user.id, 'limit', 1, HOME.address],
    ])
  })

  test('is the lock of an account only where the password was right', async () => {
    await fixture.accounts.lock(user.id, { isConfirmed: true })
    expect(await signIn(user.email, PASSWORD)).toBe('unauthorized')
    await signIn(user.email, 'wrong')
    expect(await refusals()).toEqual([
      [user.id, 'locked', 1, HOME.address],
      [user.id, 'password', 1, HOME.address],
    ])
  })

  test('is a wrong code after the right password, and the lock that came between both', async () => {
    await enableCodes()
    const challenge = await challenged()
    expect(await errorOf(fixture.sessions.confirm(challenge, '000000', HOME))).toBe('validation_error')
    await fixture.accounts.lock(user.id, { isConfirmed: true })
    expect(await errorOf(fixture.sessions.confirm(challenge, await code(), HOME))).toBe('unauthorized')
    expect(await errorOf(fixture.sessions.confirm('invented', '000000', HOME))).toBe('unauthorized')
    expect(await refusals()).toEqual([
      [user.id, 'code', 1, HOME.address],
      [user.id, 'locked', 1, HOME.address],
    ])
  })

  test('is a passkey of the user that proves nothing, and none for an unknown passkey', async () => {
    await fixture.db.write(({ passkeys }) =>
      passkeys.insert({
        id: fixture.ports.newId<'psk'>(),
        userId: user.id,
        name: 'Phone',
        credentialId: 'known',
        publicKey: Buffer.from('key').toString('base64url'),
        counter: 0,
        createdAt: fixture.clock.now,
        usedAt: null,
      }),
    )
    const passkeys = createPasskeyService(fixture.ports)
    for (const id of ['known', 'unknown']) {
      const response = JSON.stringify({ id, rawId: id, type: 'public-key', response: {} })
      expect(await errorOf(passkeys.signIn(response, PARTY, HOME))).toBe('unauthorized')
    }
    expect(await refusals()).toEqual([[user.id, 'passkey', 1, HOME.address]])
  })
})

test('a deleted user leaves no address from which sign-ins were refused', async () => {
  await signIn(user.email, 'wrong')
  await fixture.ports.refusals.idle()
  await fixture.db.write(({ audit }) => audit.blankAddresses(user.id))
  expect(await refusals()).toEqual([[user.id, 'password', 1, null]])
})

test('a refusal that is stored after the deletion of its user leaves nothing', async () => {
  await fixture.db.write(({ users }) => users.erase(user.id, fixture.clock.now))
  fixture.ports.refusals.record({ userId: user.id, address: HOME.address, reason: 'password' })
  expect(await refusals()).toEqual([])
})

async function enableCodes(): Promise<void> {
  const { token } = await fixture.sessions.signIn({ email: user.email, password: PASSWORD, ...HOME })
  const { caller } = (await fixture.sessions.authenticate(token)) ?? expect.unreachable()
  await fixture.secondFactors.begin(caller, PASSWORD)
  await fixture.secondFactors.enable(caller, await code())
  fixture.pass(30)
}

async function code(): Promise<string> {
  const factor = (await fixture.db.read.secondFactors.find(user.id)) ?? expect.unreachable()
  const secret = openSecret(fixture.ports.masterKey, factor)
  return totpCode(secret, Math.floor(Date.parse(fixture.clock.now) / 30_000))
}

async function challenged(): Promise<string> {
  const error: unknown = await fixture.sessions
    .signIn({ email: user.email, password: PASSWORD, ...HOME })
    .catch((thrown: unknown) => thrown)
  return error instanceof CodeNeededError ? error.challenge : expect.unreachable()
}
