import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { User } from '../../../src/db/repositories/accounts.ts'
import type { Caller } from '../../../src/domain/caller.ts'
import { CodeNeededError } from '../../../src/domain/errors.ts'
import { newMasterKey, parseMasterKey } from '../../../src/secrets/master-key.ts'
import { base32, totpCode } from '../../../src/secrets/totp.ts'
import { createSessionService } from '../../../src/services/accounts/sessions.ts'
import { MAX_FAILURES } from '../../../src/services/accounts/sign-in-limit.ts'
import { openSecret } from '../../../src/services/accounts/use-code.ts'
import { rewrapKeys } from '../../../src/services/operating/master-keys.ts'
import { errorOf } from '../service-fixture.ts'
import {
  answerOf,
  createPeopleFixture,
  ELSEWHERE,
  HOME,
  PASSWORD,
  type PeopleFixture,
} from './people-fixture.ts'

const STEP = 30

let fixture: PeopleFixture
let user: User
let caller: Caller
beforeEach(async () => {
  fixture = await createPeopleFixture()
  user = await fixture.newPerson('ada@example.com')
  const { token } = await fixture.sessions.signIn({ email: user.email, password: PASSWORD, ...HOME })
  caller = (await fixture.sessions.authenticate(token))?.caller ?? expect.unreachable()
})
afterEach(() => fixture.close())

/** The code that the app shows, or showed or will show some steps away. */
async function code(away = 0): Promise<string> {
  const factor = (await fixture.db.read.secondFactors.find(user.id)) ?? expect.unreachable()
  const secret = openSecret(fixture.ports.masterKey, factor)
  return totpCode(secret, Math.floor(Date.parse(fixture.clock.now) / 1000 / STEP) + away)
}

/** @returns the recovery codes. */
async function enable(): Promise<readonly string[]> {
  await fixture.secondFactors.begin(caller, PASSWORD)
  const codes = await fixture.secondFactors.enable(caller, await code())
  fixture.pass(STEP)
  return codes
}

/** The challenge of a sign-in whose password is right. */
async function challenge(client = HOME): Promise<string> {
  return fixture.sessions.signIn({ email: user.email, password: PASSWORD, ...client }).then(
    () => expect.unreachable(),
    (error) => {
      if (!(error instanceof CodeNeededError)) throw error
      return error.challenge
    },
  )
}
const confirm = async (typed: string, client = HOME) =>
  answerOf(fixture.sessions.confirm(await challenge(client), typed, client))
const WRONG = { name: 'validation_error', fields: [{ path: 'code' }] }

describe('enabling', () => {
  test('takes a code of the app, until which sign-ins need none', async () => {
    expect(await fixture.secondFactors.status(caller)).toEqual({ isEnabled: false, recoveryCodes: 0 })
    const app = await fixture.secondFactors.begin(caller, PASSWORD)
    expect(app.uri).toContain(`secret=${app.secret}`)
    expect(await fixture.secondFactors.pending(caller)).toEqual(app)
    await fixture.sessions.signIn({ email: user.email, password: PASSWORD, ...HOME })
    const wrong = String((Number(await code()) + 1) % 1_000_000).padStart(6, '0')
    expect(await answerOf(fixture.secondFactors.enable(caller, wrong))).toMatchObject(WRONG)
    expect(await fixture.secondFactors.enable(caller, await code())).toHaveLength(10)
    expect(await fixture.secondFactors.status(caller)).toEqual({ isEnabled: true, recoveryCodes: 10 })
    expect(await fixture.secondFactors.pending(caller)).toBeNull()
  })

  test('needs the password, so that a stolen session locks no one out', async () => {
    expect(await answerOf(fixture.secondFactors.begin(caller, 'wrong'))).toMatchObject({
      fields: [{ path: 'current_password' }],
    })
    expect(await errorOf(fixture.secondFactors.enable(caller, '123456'))).toBe('not_enabled')
  })

  test('ends within 15 minutes, and each beginning has another secret', async () => {
    const first = await fixture.secondFactors.begin(caller, PASSWORD)
    const old = await code()
    expect((await fixture.secondFactors.begin(caller, PASSWORD)).secret).not.toBe(first.secret)
    expect(await answerOf(fixture.secondFactors.enable(caller, old))).toMatchObject(WRONG)
    fixture.pass(15 * 60)
    expect(await fixture.secondFactors.pending(caller)).toBeNull()
    expect(await errorOf(fixture.secondFactors.enable(caller, await code()))).toBe('not_enabled')
  })

  test('ends the other sessions, which began without a code', async () => {
    const other = await fixture.sessions.signIn({ email: user.email, password: PASSWORD, ...ELSEWHERE })
    await enable()
    expect(await fixture.sessions.authenticate(other.token)).toBeNull()
    expect(await fixture.sessions.list(caller)).toHaveLength(1)
  })

  test('is not for API keys, and not done twice', async () => {
    await enable()
    expect(await errorOf(fixture.secondFactors.begin(caller, PASSWORD))).toBe('already_enabled')
    expect(await errorOf(fixture.secondFactors.enable(caller, await code()))).toBe('already_enabled')
    const key = await fixture.newCaller()
    expect(await errorOf(fixture.secondFactors.status(key))).toBe('forbidden')
    expect(await errorOf(fixture.secondFactors.begin(key, PASSWORD))).toBe('forbidden')
  })

  test('stores neither the secret nor the recovery codes', async () => {
    const { secret } = await fixture.secondFactors.begin(caller, PASSWORD)
    const factor = (await fixture.db.read.secondFactors.find(user.id)) ?? expect.unreachable()
    expect(base32(openSecret(fixture.ports.masterKey, factor))).toBe(secret)
    const opened = Buffer.from(openSecret(fixture.ports.masterKey, factor))
    expect(Buffer.from(factor.sealed, 'base64').includes(opened)).toBe(false)
    await expect(async () => openSecret(parseMasterKey(newMasterKey()), factor)).rejects.toThrow(
      /lost the key/,
    )
  })
})

describe('signing in', () => {
  test('needs a code after the password, and no session begins without it', async () => {
    await enable()
    await challenge()
    expect(await fixture.sessions.list(caller)).toHaveLength(1)
    expect(await confirm(await code())).toBe('signed in')
    expect(await fixture.sessions.list(caller)).toHaveLength(2)
  })

  test('accepts a code with a space, and one of a clock that is half a minute off', async () => {
    await enable()
    const now = await code()
    expect(await confirm(`${now.slice(0, 3)} ${now.slice(3)}`)).toBe('signed in')
    expect(await confirm(await code(1))).toBe('signed in')
    fixture.pass(3 * STEP)
    expect(await confirm(await code(-1))).toBe('signed in')
    expect(await confirm(await code(-2))).toMatchObject(WRONG)
    expect(await confirm(await code(2))).toMatchObject(WRONG)
  })

  test('accepts each code once, also when it is sent twice at once', async () => {
    await enable()
    const typed = await code()
    const two = [await challenge(), await challenge()]
    const answers = await Promise.all(two.map((one) => errorOf(fixture.sessions.confirm(one, typed, HOME))))
    expect(answers.sort()).toEqual(['no error', 'validation_error'])
    expect(await confirm(typed)).toMatchObject(WRONG)
  })

  test('refuses a code that is older than one that was used', async () => {
    await enable()
    expect(await confirm(await code(1))).toBe('signed in')
    expect(await confirm(await code())).toMatchObject(WRONG)
  })

  test('refuses the code with which the factor was enabled', async () => {
    await fixture.secondFactors.begin(caller, PASSWORD)
    const typed = await code()
    await fixture.secondFactors.enable(caller, typed)
    expect(await confirm(typed)).toMatchObject(WRONG)
  })

  test('accepts each recovery code once, in any case', async () => {
    const [first = '', second = ''] = await enable()
    expect(await confirm(first.toUpperCase().replaceAll('-', ' '))).toBe('signed in')
    expect(await confirm(first)).toMatchObject(WRONG)
    expect(await confirm(second)).toBe('signed in')
    expect(await fixture.secondFactors.status(caller)).toMatchObject({ recoveryCodes: 8 })
    expect(await confirm('')).toMatchObject(WRONG)
  })

  test('ends after 20 wrong codes in an hour, for the right one too', async () => {
    await enable()
    await fixture.sessions.revokeOthers(caller)
    for (let i = 0; i < MAX_FAILURES; i++) {
      const client = { ...ELSEWHERE, address: `203.0.113.${i}` }
      expect(await errorOf(fixture.sessions.confirm(await challenge(HOME), '000000', client))).toBe(
        'validation_error',
      )
    }
    const last = await challenge(HOME)
    expect(await errorOf(fixture.sessions.confirm(last, await code(), ELSEWHERE))).toBe('rate_limit_exceeded')
  })

  test('ends 10 minutes after the password', async () => {
    await enable()
    const token = await challenge()
    fixture.pass(10 * 60)
    expect(await errorOf(fixture.sessions.confirm(token, await code(), HOME))).toBe('unauthorized')
  })

  test('refuses the challenge of a former password, of another user, and one that is made up', async () => {
    await enable()
    const token = await challenge()
    const other = await fixture.newPerson()
    const [, ...rest] = token.split('.')
    for (const forged of [[other.id, ...rest].join('.'), token.slice(0, -1), '', 'x', `${token}x`])
      expect(await errorOf(fixture.sessions.confirm(forged, await code(), HOME))).toBe('unauthorized')
    await fixture.sessions.changePassword(caller, PASSWORD, 'a new long password')
    expect(await errorOf(fixture.sessions.confirm(token, await code(), HOME))).toBe('unauthorized')
  })

  test('after a set-up link needs a code as well, and the password is set', async () => {
    await enable()
    const link = await fixture.setUpLinks.issue(user.id)
    const redeemed = await fixture.setUpLinks.redeem(link, 'a new long password', HOME).then(
      () => expect.unreachable(),
      (error) => error,
    )
    expect(redeemed).toBeInstanceOf(CodeNeededError)
    expect(await fixture.db.read.sessions.list(user.id)).toEqual([])
    expect(await fixture.setUpLinks.emailOf(link)).toBeNull()
    expect(await answerOf(fixture.sessions.confirm(redeemed.challenge, await code(), HOME))).toBe('signed in')
  })

  test('with a lost master key works with a recovery code, and says so', async () => {
    const [recovery = ''] = await enable()
    const typed = await code()
    const ports = { ...fixture.ports, masterKey: parseMasterKey(newMasterKey()) }
    const sessions = createSessionService(ports)
    const again = async (text: string) => {
      const asked = await sessions.signIn({ email: user.email, password: PASSWORD, ...HOME }).catch((e) => e)
      return answerOf(sessions.confirm(asked.challenge, text, HOME))
    }
    expect(await again(typed)).toMatchObject({ name: 'forbidden' })
    expect(await again(recovery)).toBe('signed in')
  })
})

describe('disabling', () => {
  test('needs the password, and removes the recovery codes', async () => {
    await enable()
    expect(await answerOf(fixture.secondFactors.disable(caller, 'wrong'))).toMatchObject({
      fields: [{ path: 'current_password' }],
    })
    await fixture.secondFactors.disable(caller, PASSWORD)
    await fixture.sessions.signIn({ email: user.email, password: PASSWORD, ...HOME })
    expect(await fixture.db.read.secondFactors.countRecoveryCodes(user.id)).toBe(0)
    expect(await errorOf(fixture.secondFactors.disable(caller, PASSWORD))).toBe('not_enabled')
  })

  test('is the operator’s too, for a person who lost the app', async () => {
    await enable()
    expect(await fixture.setUpLinks.removeSecondFactor(user.id)).toBe(true)
    expect(await fixture.setUpLinks.removeSecondFactor(user.id)).toBe(false)
    await fixture.sessions.signIn({ email: user.email, password: PASSWORD, ...HOME })
  })
})

test('new recovery codes replace the former ones', async () => {
  const [former = ''] = await enable()
  const [next = ''] = await fixture.secondFactors.renewRecoveryCodes(caller, PASSWORD)
  expect(await confirm(former)).toMatchObject(WRONG)
  expect(await confirm(next)).toBe('signed in')
})

test('a change of the master key seals the secret with the new one', async () => {
  await enable()
  const { masterKey } = fixture.ports
  const next = parseMasterKey(`${newMasterKey()},${masterKey.reveal()}`)
  expect(await rewrapKeys(fixture.db, next)).toBe(1)
  const factor = (await fixture.db.read.secondFactors.find(user.id)) ?? expect.unreachable()
  expect(factor.masterKeyId).toBe(next.id)
  expect(openSecret(next, factor)).toHaveLength(20)
  expect(await rewrapKeys(fixture.db, next)).toBe(0)
})

test('enabling and disabling are in the audit log of the user', async () => {
  await enable()
  await fixture.secondFactors.renewRecoveryCodes(caller, PASSWORD)
  await fixture.secondFactors.disable(caller, PASSWORD)
  const filter = { of: { userId: user.id }, act: null, createdAfter: null, createdBefore: null }
  const { items } = await fixture.db.read.audit.list(filter, { limit: 3, offset: 0 })
  expect(items.map(({ act }) => act).sort()).toEqual([
    'user.disable_second_factor',
    'user.enable_second_factor',
    'user.renew_recovery_codes',
  ])
})
