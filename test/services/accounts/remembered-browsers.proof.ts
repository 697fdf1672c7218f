import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { UserId } from '../../../src/domain/ids.ts'
import { isRememberedFor, readBrowser, signBrowser, withSignIn } from '../../../src/secrets/signed-browser.ts'
import { MAX_FAILURES } from '../../../src/services/accounts/sign-in-limit.ts'
import {
  answerOf,
  createPeopleFixture,
  ELSEWHERE,
  HOME,
  PASSWORD,
  type PeopleFixture,
} from './people-fixture.ts'

const DAY_SECONDS = 24 * 60 * 60

let fixture: PeopleFixture
beforeEach(async () => {
  fixture = await createPeopleFixture()
})
afterEach(() => fixture.close())

const signIn = (email: string, password: string, client: typeof HOME & { browser?: string }) =>
  fixture.sessions.signIn({ email, password, ...client })

async function fail(email: string, times: number, client: (n: number) => typeof HOME & { browser?: string }) {
  for (let n = 0; n < times; n++) await answerOf(signIn(email, 'wrong', client(n)))
}

const LOCKED = expect.objectContaining({ name: 'rate_limit_exceeded' })
/** A thousand addresses of attackers. */
const attacker = (n: number) => ({ ...ELSEWHERE, address: `203.0.${Math.floor(n / 20)}.${n % 250}` })

describe('a browser in which a person has signed in', () => {
  test('signs the person in after a thousand failures from elsewhere, also from another address and without a session', async () => {
    const { email } = await fixture.newPerson()
    const { browser, token } = await signIn(email, PASSWORD, HOME)
    await fixture.sessions.signOut(token)
    await fail(email, 1_000, attacker)
    const moved = { ...HOME, address: '198.51.100.200' }
    expect(await answerOf(signIn(email, PASSWORD, moved))).toEqual(LOCKED)
    expect(await answerOf(signIn(email, PASSWORD, { ...moved, browser }))).toBe('signed in')
  })

  test('has twenty failures an hour of its own, which count neither elsewhere nor for other people', async () => {
    const [{ email }, other] = [await fixture.newPerson(), await fixture.newPerson()]
    const { browser } = await signIn(email, PASSWORD, HOME)
    await fail(email, MAX_FAILURES, () => ({ ...HOME, browser }))
    expect(await answerOf(signIn(email, PASSWORD, { ...HOME, browser }))).toEqual(LOCKED)
    expect(await answerOf(signIn(email, PASSWORD, ELSEWHERE))).toBe('signed in')
    expect(await answerOf(signIn(other.email, PASSWORD, { ...HOME, browser }))).toBe('signed in')
    fixture.pass(3_601)
    expect(await answerOf(signIn(email, PASSWORD, { ...HOME, browser }))).toBe('signed in')
  })

  test('gives no right: without the password nobody signs in, and its cookie is worth nothing for another account', async () => {
    const [{ email }, other] = [await fixture.newPerson(), await fixture.newPerson()]
    const { browser } = await signIn(email, PASSWORD, HOME)
    expect(await answerOf(signIn(email, 'wrong', { ...HOME, browser }))).toMatchObject({
      name: 'unauthorized',
    })
    await fail(other.email, MAX_FAILURES, attacker)
    expect(await answerOf(signIn(other.email, PASSWORD, { ...HOME, browser }))).toEqual(LOCKED)
    for (const forged of [`${browser}x`, browser.replace(/^./, 'Z'), browser.slice(0, -1), '.'])
      expect(await answerOf(signIn(other.email, PASSWORD, { ...HOME, browser: forged }))).toEqual(LOCKED)
  })

  test.each(['changes the password', 'ends all other sessions', 'sets a password by a link'] as const)(
    'is unknown after the person %s elsewhere, and the browser of that is known',
    async (way) => {
      const user = await fixture.newPerson()
      const { browser: former } = await signIn(user.email, PASSWORD, HOME)
      fixture.pass(60)
      const { token, browser: fresh } = await signIn(user.email, PASSWORD, ELSEWHERE)
      const { caller } = (await fixture.sessions.authenticate(token)) ?? expect.unreachable()
      fixture.pass(60)
      const { sessions, setUpLinks } = fixture
      const next = way === 'ends all other sessions' ? PASSWORD : 'another long password'
      const ways = {
        'changes the password': async () =>
          (await sessions.changePassword(caller, PASSWORD, next, fresh)).browser,
        'ends all other sessions': async () => {
          await sessions.revokeOthers(caller)
          return sessions.knowBrowser(caller, fresh)
        },
        'sets a password by a link': async () => {
          const client = { ...ELSEWHERE, browser: fresh }
          return (await setUpLinks.redeem(await setUpLinks.issue(user.id), next, client)).browser
        },
      }
      const known = await ways[way]()
      await fail(user.email, MAX_FAILURES, attacker)
      const moved = { ...HOME, address: '198.51.100.200' }
      expect(await answerOf(signIn(user.email, next, { ...moved, browser: former }))).toEqual(LOCKED)
      expect(await answerOf(signIn(user.email, next, { ...moved, browser: known }))).toBe('signed in')
    },
  )

  test('is known for up to five people, for 180 days', async () => {
    const key = randomBytes(32)
    const now = '2026-01-01T00:00:00.000Z'
    const people = Array.from({ length: 6 }, (_, n) => `user${n}` as UserId)
    let cookie = ''
    for (const id of people) cookie = signBrowser(withSignIn(readBrowser(cookie, key, now), id, now), key)
    const knownAt = (time: string) => {
      const browser = readBrowser(cookie, key, time)
      return people.filter((id) => browser !== null && isRememberedFor(browser, id, null))
    }
    expect(knownAt(now)).toEqual(people.slice(1))
    const later = (days: number) => new Date(Date.parse(now) + days * DAY_SECONDS * 1000).toISOString()
    expect(knownAt(later(179))).toEqual(people.slice(1))
    expect(knownAt(later(181))).toEqual([])
  })
})
