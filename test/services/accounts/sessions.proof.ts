import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { keyOf } from '../../../src/domain/caller.ts'
import { UnavailableError } from '../../../src/domain/errors.ts'
import { createPasswords } from '../../../src/secrets/password-hash.ts'
import { createKeyService } from '../../../src/services/accounts/keys.ts'
import { createSessionService } from '../../../src/services/accounts/sessions.ts'
import { MAX_FAILURES } from '../../../src/services/accounts/sign-in-limit.ts'
import { errorOf } from '../service-fixture.ts'
import {
  answerOf,
  createPeopleFixture,
  ELSEWHERE,
  HOME,
  PASSWORD,
  type PeopleFixture,
} from './people-fixture.ts'

const HOUR = 60 * 60
const DAY = 24 * HOUR

let fixture: PeopleFixture
beforeEach(async () => {
  fixture = await createPeopleFixture()
})
afterEach(() => fixture.close())

const signIn = (email: string, password = PASSWORD, client = HOME) =>
  fixture.sessions.signIn({ email, password, ...client })
const isAccepted = async (token: string) => (await fixture.sessions.authenticate(token)) !== null
const callerWith = async (token: string) =>
  (await fixture.sessions.authenticate(token))?.caller ?? expect.unreachable()

describe('signing in', () => {
  test('gives a session with all permissions of its user, in any case of the address', async () => {
    const user = await fixture.newPerson('ada@example.com')
    const { token, session } = await signIn(' Ada@Example.com ')
    expect(session).toMatchObject({ userId: user.id, ...HOME, createdAt: fixture.clock.now })
    expect(await callerWith(token)).toEqual({
      userId: user.id,
      via: { kind: 'session', id: session.id },
      email: user.email,
      projectScope: null,
      permissions: ['read', 'write', 'publish', 'manage'],
      plan: 'standard',
      allowance: expect.objectContaining({ minute: 100 }),
      accountAllowance: expect.objectContaining({ minute: 100 }),
      canCreateProjects: true,
      idempotentRequest: null,
    })
  })

  test('a session has the highest plan of the keys of its account, and gives it to new keys', async () => {
    const user = await fixture.newPerson()
    const { token } = await signIn(user.email)
    for (const plan of ['free', 'business', 'pro'] as const) {
      await fixture.accounts.createKey({
        userId: user.id,
        projectScope: null,
        name: plan,
        plan,
        permissions: ['read'],
        expiresAt: null,
      })
    }
    const caller = await callerWith(token)
    expect(caller).toMatchObject({ plan: 'business', allowance: { minute: 1_000 } })
    const keys = createKeyService({ ...fixture.ports, onChanged: () => {} })
    const draft = { name: 'new', projectScope: undefined, permissions: undefined, expiresAt: undefined }
    expect((await keys.create(caller, draft)).record).toMatchObject({ plan: 'business', expiresAt: null })
  })

  test('each sign-in starts a session with a token of its own, whatever token the browser had', async () => {
    const user = await fixture.newPerson()
    const first = await signIn(user.email)
    const second = await signIn(user.email)
    expect(second.token).not.toBe(first.token)
    expect(second.session.id).not.toBe(first.session.id)
    expect(first.token).toMatch(/^[\w-]{43}$/)
  })

  test('the row of a session in the database is no token', async () => {
    const user = await fixture.newPerson()
    const { token, session } = await signIn(user.email)
    const found: string[] = []
    const { db } = fixture
    const recording = {
      ...db,
      read: {
        ...db.read,
        sessions: {
          ...db.read.sessions,
          findByHash: (hash: string) => {
            found.push(hash)
            return db.read.sessions.findByHash(hash)
          },
        },
      },
    }
    await createSessionService({ ...fixture.ports, db: recording }).authenticate(token)
    const [stored = expect.unreachable()] = found
    expect(stored).not.toContain(token)
    for (const stolen of [stored, Buffer.from(stored, 'hex').toString('base64url'), session.id])
      expect(await isAccepted(stolen)).toBe(false)
  })

  test('a password is the same in each way to write its letters', async () => {
    const user = await fixture.newPerson()
    const { token } = await signIn(user.email)
    const { sessions } = fixture
    await sessions.changePassword(
      await callerWith(token),
      PASSWORD,
      'crème brûlée à la carte'.normalize('NFC'),
    )
    expect(await answerOf(signIn(user.email, 'crème brûlée à la carte'.normalize('NFD')))).toBe('signed in')
  })

  test('a hash of another cost is replaced at the next sign-in, and the password stays', async () => {
    const user = await fixture.newPerson()
    const dearer = createSessionService({
      ...fixture.ports,
      passwords: createPasswords({ logN: 2, r: 8, p: 1 }),
    })
    const hash = () => fixture.db.read.users.passwordHash(user.id)
    expect(await hash()).toContain('$ln=1,')
    await dearer.signIn({ email: user.email, password: PASSWORD, ...HOME })
    expect(await hash()).toContain('$ln=2,')
    expect(await answerOf(signIn(user.email))).toBe('signed in')
  })
})

describe('unknown addresses', () => {
  test('are answered as a wrong password and as a user without one, after the same number of hashes', async () => {
    const person = await fixture.newPerson()
    const without = await fixture.accounts.createUser('without@example.com', true)
    const answers = []
    for (const email of [person.email, without.email, 'unknown@example.com', '', 'not an address']) {
      fixture.computed.hashes = 0
      answers.push([await answerOf(signIn(email, 'a wrong password')), fixture.computed.hashes])
    }
    const answer = {
      name: 'unauthorized',
      message: 'The e-mail address or the password is wrong.',
      fields: [],
    }
    expect(answers).toEqual(answers.map(() => [answer, 1]))
  })

  test('are limited in the same way as known ones', async () => {
    const person = await fixture.newPerson()
    const fail = async (email: string, network: string) => {
      const answers = []
      for (let i = 0; i <= MAX_FAILURES; i++)
        answers.push(await answerOf(signIn(email, 'wrong', { ...HOME, address: `${network}.${i}` })))
      return answers
    }
    const known = await fail(person.email, '203.0.113')
    expect(await fail('unknown@example.com', '198.51.100')).toEqual(known)
    expect(known.at(-1)).toMatchObject({ name: 'rate_limit_exceeded', retryAfter: HOUR })
  })

  test('a password of megabytes is wrong, and costs no more', async () => {
    const person = await fixture.newPerson()
    fixture.computed.hashes = 0
    expect(await answerOf(signIn(person.email, 'x'.repeat(5_000_000)))).toMatchObject({
      name: 'unauthorized',
    })
    expect(fixture.computed.hashes).toBe(1)
  })
})

describe('guessing', () => {
  test('one account from many addresses ends after 20 failures in an hour, for the right password too', async () => {
    const person = await fixture.newPerson()
    const from = (i: number) => ({ ...HOME, address: `203.0.113.${i}` })
    for (let i = 0; i < MAX_FAILURES; i++) {
      expect(await errorOf(signIn(person.email, 'wrong', from(i)))).toBe('unauthorized')
      fixture.pass(60)
    }
    const refused = await answerOf(signIn(person.email, PASSWORD, from(99)))
    expect(refused).toMatchObject({ name: 'rate_limit_exceeded', retryAfter: HOUR - MAX_FAILURES * 60 })
    fixture.pass(HOUR - MAX_FAILURES * 60)
    expect(await answerOf(signIn(person.email, PASSWORD, from(99)))).toBe('signed in')
  })

  test('many accounts from one address ends after 20 failures in an hour', async () => {
    for (let i = 0; i < MAX_FAILURES; i++)
      expect(await errorOf(signIn(`${i}@example.com`, 'wrong', ELSEWHERE))).toBe('unauthorized')
    const person = await fixture.newPerson()
    expect(await errorOf(signIn(person.email, PASSWORD, ELSEWHERE))).toBe('rate_limit_exceeded')
    expect(await answerOf(signIn(person.email, PASSWORD, HOME))).toBe('signed in')
  })

  test('with all guesses at the same time gives no more of them', async () => {
    const person = await fixture.newPerson()
    fixture.computed.hashes = 0
    const guesses = Array.from({ length: 50 }, () => errorOf(signIn(person.email, 'wrong', ELSEWHERE)))
    const answers = await Promise.all(guesses)
    expect(answers.filter((name) => name === 'unauthorized')).toHaveLength(MAX_FAILURES)
    expect(fixture.computed.hashes).toBe(MAX_FAILURES)
  })

  test('the attempts of others do not lock people out where they are signed in', async () => {
    const person = await fixture.newPerson()
    await signIn(person.email)
    for (let i = 0; i < MAX_FAILURES; i++)
      await errorOf(signIn(person.email, 'wrong', { ...HOME, address: `203.0.113.${i}` }))
    expect(await errorOf(signIn(person.email, PASSWORD, ELSEWHERE))).toBe('rate_limit_exceeded')
    expect(await answerOf(signIn(person.email, PASSWORD, HOME))).toBe('signed in')
  })

  test('sign-ins that succeed do not count, so that many people may share an address', async () => {
    const person = await fixture.newPerson()
    for (let i = 0; i < MAX_FAILURES + 5; i++) expect(await answerOf(signIn(person.email))).toBe('signed in')
  })

  test('an own account among the guesses does not open the address again', async () => {
    const own = await fixture.newPerson()
    for (let i = 0; i < MAX_FAILURES; i++) {
      await errorOf(signIn(`${i}@example.com`, 'wrong', ELSEWHERE))
      if (i < MAX_FAILURES - 1) await signIn(own.email, PASSWORD, ELSEWHERE)
    }
    expect(await errorOf(signIn('victim@example.com', 'wrong', ELSEWHERE))).toBe('rate_limit_exceeded')
  })

  test('the current password with a stolen session is limited as well', async () => {
    const person = await fixture.newPerson()
    const caller = await callerWith((await signIn(person.email)).token)
    const guess = () => answerOf(fixture.sessions.changePassword(caller, 'wrong', 'a new long password'))
    for (let i = 0; i < MAX_FAILURES; i++)
      expect(await guess()).toMatchObject({ fields: [{ path: 'current_password' }] })
    expect(await guess()).toMatchObject({ name: 'rate_limit_exceeded' })
  })

  test('an attempt that was not checked for lack of room does not count', async () => {
    const person = await fixture.newPerson()
    const busy = createSessionService({
      ...fixture.ports,
      passwords: {
        ...fixture.ports.passwords,
        verify: async () => {
          throw new UnavailableError('Busy.', 3)
        },
      },
    })
    for (let i = 0; i < MAX_FAILURES + 5; i++)
      expect(await errorOf(busy.signIn({ email: person.email, password: PASSWORD, ...HOME }))).toBe(
        'service_unavailable',
      )
    expect(await answerOf(signIn(person.email))).toBe('signed in')
  })
})

describe('a session', () => {
  test('ends after 12 hours without a request', async () => {
    const { email } = await fixture.newPerson()
    const { token } = await signIn(email)
    fixture.pass(12 * HOUR - 1)
    expect(await isAccepted(token)).toBe(true)
    fixture.pass(12 * HOUR - 1)
    expect(await isAccepted(token)).toBe(true)
    fixture.pass(12 * HOUR)
    expect(await isAccepted(token)).toBe(false)
  })

  test('ends after 30 days, however much it is used', async () => {
    const { email } = await fixture.newPerson()
    const { token } = await signIn(email)
    for (let hours = 0; hours < 30 * 24 - 8; hours += 8) {
      fixture.pass(8 * HOUR)
      expect(await isAccepted(token)).toBe(true)
    }
    fixture.pass(8 * HOUR)
    expect(await isAccepted(token)).toBe(false)
  })

  test('has its last use recorded once a minute', async () => {
    const { email } = await fixture.newPerson()
    const { token, session } = await signIn(email)
    const { db } = fixture
    let writes = 0
    const counting = createSessionService({
      ...fixture.ports,
      db: {
        ...db,
        write: (work, options) => {
          writes += 1
          return db.write(work, options)
        },
      },
    })
    for (let i = 0; i < 59; i++) {
      fixture.pass(1)
      await counting.authenticate(token)
    }
    expect(writes).toBe(0)
    for (let i = 0; i < 60; i++) {
      fixture.pass(1)
      await counting.authenticate(token)
    }
    expect(writes).toBe(1)
    expect((await db.read.sessions.find(session.id))?.session.usedAt).not.toBe(session.usedAt)
  })

  test('ends at once when it is signed out, revoked, or others are', async () => {
    const { email } = await fixture.newPerson()
    const [one, two, three, four] = [
      await signIn(email),
      await signIn(email),
      await signIn(email),
      await signIn(email),
    ]
    const caller = await callerWith(one.token)
    await fixture.sessions.signOut(two.token)
    expect(await isAccepted(two.token)).toBe(false)
    await fixture.sessions.revoke(caller, `ses_${three.session.id}`)
    expect(await isAccepted(three.token)).toBe(false)
    expect(await fixture.sessions.revokeOthers(caller)).toBe(1)
    expect(await isAccepted(four.token)).toBe(false)
    expect(await isAccepted(one.token)).toBe(true)
    await fixture.sessions.signOut(one.token)
    await fixture.sessions.signOut(one.token)
    expect(await isAccepted(one.token)).toBe(false)
  })

  test('is listed for its user, without those that have ended', async () => {
    const { email } = await fixture.newPerson()
    await signIn(email)
    fixture.pass(13 * HOUR)
    const other = await signIn(email, PASSWORD, ELSEWHERE)
    fixture.pass(1)
    const own = await signIn(email)
    const listed = await fixture.sessions.list(await callerWith(own.token))
    expect(listed).toEqual([
      { ...own.session, isCurrent: true },
      { ...other.session, isCurrent: false },
    ])
  })

  test('is out of reach of another user', async () => {
    const ada = await signIn((await fixture.newPerson()).email)
    const bob = await signIn((await fixture.newPerson()).email)
    const caller = await callerWith(bob.token)
    expect(await errorOf(fixture.sessions.revoke(caller, ada.session.id))).toBe('not_found')
    expect(await errorOf(fixture.sessions.revoke(caller, 'nonsense'))).toBe('not_found')
    await fixture.sessions.revokeOthers(caller)
    expect(await isAccepted(ada.token)).toBe(true)
    expect(await fixture.sessions.list(caller)).toHaveLength(1)
  })

  test('is not for API keys, whatever their permissions', async () => {
    const key = await fixture.newCaller({ permissions: ['read', 'write', 'publish', 'manage'] })
    expect(keyOf(key)).toBeTruthy()
    expect(await errorOf(fixture.sessions.list(key))).toBe('forbidden')
    expect(await errorOf(fixture.sessions.revoke(key, 'any'))).toBe('forbidden')
    expect(await errorOf(fixture.sessions.revokeOthers(key))).toBe('forbidden')
    expect(await errorOf(fixture.sessions.changePassword(key, PASSWORD, 'a new long password'))).toBe(
      'forbidden',
    )
  })

  test('makes room for further ones beyond 50: the one used longest ago ends', async () => {
    const { email } = await fixture.newPerson()
    const first = await signIn(email)
    for (let i = 0; i < 50; i++) {
      fixture.pass(1)
      await signIn(email)
    }
    expect(await isAccepted(first.token)).toBe(false)
    const last = await signIn(email)
    expect(await fixture.sessions.list(await callerWith(last.token))).toHaveLength(50)
  })

  test.each(['', 'x', 'ä'.repeat(43), `${'a'.repeat(42)}\n`, 'a'.repeat(5_000_000)])(
    'is none for a token that cannot be one',
    async (token) => {
      expect(await isAccepted(token)).toBe(false)
      await fixture.sessions.signOut(token)
    },
  )
})

describe('a change of the password', () => {
  test('gives this session another token and ends all others', async () => {
    const { email } = await fixture.newPerson()
    const [one, two] = [await signIn(email), await signIn(email)]
    const changed = await fixture.sessions.changePassword(
      await callerWith(one.token),
      PASSWORD,
      'a new long password',
    )
    expect(changed.session.id).toBe(one.session.id)
    expect(await isAccepted(one.token)).toBe(false)
    expect(await isAccepted(two.token)).toBe(false)
    expect(await isAccepted(changed.token)).toBe(true)
    expect(await errorOf(signIn(email))).toBe('unauthorized')
    expect(await answerOf(signIn(email, 'a new long password'))).toBe('signed in')
  })

  test('happens once when two are requested at once', async () => {
    const { email } = await fixture.newPerson()
    const caller = await callerWith((await signIn(email)).token)
    const change = (next: string) => errorOf(fixture.sessions.changePassword(caller, PASSWORD, next))
    const answers = await Promise.all([change('the first new one'), change('the second new one')])
    expect(answers.sort()).toEqual(['no error', 'validation_error'])
  })

  test('while a sign-in with the former password is checked refuses that sign-in', async () => {
    const { email } = await fixture.newPerson()
    const caller = await callerWith((await signIn(email)).token)
    const late = createSessionService({
      ...fixture.ports,
      passwords: {
        ...fixture.ports.passwords,
        async verify(password, stored) {
          const isRight = await fixture.ports.passwords.verify(password, stored)
          await fixture.sessions.changePassword(caller, PASSWORD, 'a new long password')
          return isRight
        },
      },
    })
    expect(await errorOf(late.signIn({ email, password: PASSWORD, ...HOME }))).toBe('unauthorized')
  })

  test.each([
    ['short', 'too short', 'must have at least 12 characters.'],
    ['of many bytes', `${'ä'.repeat(100)}x`, 'must have at most 200 bytes in UTF-8.'],
    ['the address', 'ADA.lovelace@example.com', 'must not be the e-mail address.'],
    ['one letter', 'aaaaaaaaaaaaaaaa', 'must have at least 5 different characters.'],
  ])('refuses a password that is %s', async (_, next, message) => {
    const { email } = await fixture.newPerson('ada.lovelace@example.com')
    const { token } = await signIn(email)
    const changed = fixture.sessions.changePassword(await callerWith(token), PASSWORD, next)
    expect(await answerOf(changed)).toMatchObject({
      name: 'validation_error',
      fields: [{ path: 'new_password', message }],
    })
    expect(await isAccepted(token)).toBe(true)
  })
})

test('sessions that expired, links and attempts are pruned, and live ones remain', async () => {
  const { email } = await fixture.newPerson()
  await signIn(email)
  fixture.pass(20 * DAY)
  const { session } = await signIn(email)
  fixture.pass(10 * DAY)
  await fixture.db.write(({ sessions }) => sessions.prune(fixture.clock.now))
  expect((await fixture.db.read.sessions.list(session.userId)).map(({ id }) => id)).toEqual([session.id])
})

test('sign-ins, ended sessions and new passwords are in the audit log of the user, without any secret', async () => {
  const user = await fixture.newPerson()
  const [one, two, three] = [await signIn(user.email), await signIn(user.email), await signIn(user.email)]
  const caller = await callerWith(one.token)
  await fixture.sessions.signOut(two.token)
  await fixture.sessions.revoke(caller, three.session.id)
  const four = await signIn(user.email, PASSWORD, ELSEWHERE)
  await fixture.sessions.revokeOthers(caller)
  const { token } = await fixture.sessions.changePassword(caller, PASSWORD, 'a new long password')
  await errorOf(signIn(user.email))

  const filter = { of: { userId: user.id }, act: null, createdAfter: null, createdBefore: null }
  const { items } = await fixture.db.read.audit.list(filter, { limit: 100, offset: 0 })
  const rows = items.map(({ act, target, actor }) => [act, target, actor.clientAddress])
  expect(rows.slice(-3).sort()).toEqual(
    [
      ['session.start', expect.anything(), HOME.address],
      ['user.create', user.id, undefined],
      ['user.issue_set_up_link', user.id, undefined],
    ].sort(),
  )
  const acts = items.map(({ act, target }) => `${act} ${target}`)
  for (const { session } of [one, two, three, four]) expect(acts).toContain(`session.start ${session.id}`)
  for (const { session } of [two, three, four]) expect(acts).toContain(`session.end ${session.id}`)
  expect(acts.filter((act) => act === `user.set_password ${user.id}`)).toHaveLength(2)
  expect(rows).toContainEqual(['session.start', four.session.id, ELSEWHERE.address])
  for (const secret of [one.token, two.token, four.token, token, 'password', PASSWORD])
    expect(JSON.stringify(items).replaceAll('set_password', '')).not.toContain(secret)
})
