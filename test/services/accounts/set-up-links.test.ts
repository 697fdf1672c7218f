import { afterEach, beforeEach, expect, test } from 'vitest'
import { errorOf } from '../service-fixture.ts'
import {
  answerOf,
  createPeopleFixture,
  ELSEWHERE,
  HOME,
  PASSWORD,
  type PeopleFixture,
} from './people-fixture.ts'

const DAY = 24 * 60 * 60

let fixture: PeopleFixture
beforeEach(async () => {
  fixture = await createPeopleFixture()
})
afterEach(() => fixture.close())

const newUser = () => fixture.accounts.createUser('ada@example.com', true)
const redeem = (token: string, password = PASSWORD) => fixture.setUpLinks.redeem(token, password, HOME)
const signIn = (password: string) =>
  fixture.sessions.signIn({ email: 'ada@example.com', password, ...ELSEWHERE })
const isAccepted = async (token: string) => (await fixture.sessions.authenticate(token)) !== null

test('a link sets the password of its user, who is then signed in', async () => {
  const user = await newUser()
  const token = await fixture.setUpLinks.issue(user.id)
  expect(await fixture.setUpLinks.emailOf(token)).toBe(user.email)
  const { token: session } = await redeem(token)
  expect((await fixture.sessions.authenticate(session))?.caller.userId).toBe(user.id)
  expect(await answerOf(signIn(PASSWORD))).toBe('signed in')
})

test('a link works once', async () => {
  const token = await fixture.setUpLinks.issue((await newUser()).id)
  await redeem(token)
  expect(await fixture.setUpLinks.emailOf(token)).toBeNull()
  expect(await errorOf(redeem(token, 'the password of a thief'))).toBe('not_found')
  expect(await errorOf(signIn('the password of a thief'))).toBe('unauthorized')
})

test('one of two uses at once succeeds', async () => {
  const token = await fixture.setUpLinks.issue((await newUser()).id)
  const passwords = ['the first password', 'the second password']
  const answers = await Promise.all(passwords.map((password) => errorOf(redeem(token, password))))
  expect([...answers].sort()).toEqual(['no error', 'not_found'])
  const winner = passwords[answers.indexOf('no error')] ?? expect.unreachable()
  expect(await answerOf(signIn(winner))).toBe('signed in')
})

test('a newer link replaces the one before', async () => {
  const { id } = await newUser()
  const first = await fixture.setUpLinks.issue(id)
  const second = await fixture.setUpLinks.issue(id)
  expect(await errorOf(redeem(first))).toBe('not_found')
  expect(await errorOf(redeem(second))).toBe('no error')
})

test('a link ends after 24 hours', async () => {
  const token = await fixture.setUpLinks.issue((await newUser()).id)
  fixture.pass(DAY - 1)
  expect(await fixture.setUpLinks.emailOf(token)).not.toBeNull()
  fixture.pass(1)
  expect(await fixture.setUpLinks.emailOf(token)).toBeNull()
  expect(await errorOf(redeem(token))).toBe('not_found')
})

test('a link that was opened, or used with a bad password, can be used again', async () => {
  const token = await fixture.setUpLinks.issue((await newUser()).id)
  for (let i = 0; i < 3; i++) await fixture.setUpLinks.emailOf(token)
  expect(await answerOf(redeem(token, 'short'))).toMatchObject({ fields: [{ path: 'password' }] })
  expect(await errorOf(redeem(token))).toBe('no error')
})

test('a link that replaces a forgotten password ends all sessions of before', async () => {
  const user = await fixture.newPerson('ada@example.com')
  const before = await signIn(PASSWORD)
  const { token } = await redeem(await fixture.setUpLinks.issue(user.id), 'another long password')
  expect(await isAccepted(before.token)).toBe(false)
  expect(await isAccepted(token)).toBe(true)
  expect(await errorOf(signIn(PASSWORD))).toBe('unauthorized')
})

test('an invalid token costs no hash, and a link of no user is not issued', async () => {
  fixture.computed.hashes = 0
  for (const token of ['', 'x', 'a'.repeat(43), 'a'.repeat(1_000_000)])
    expect(await errorOf(redeem(token))).toBe('not_found')
  expect(fixture.computed.hashes).toBe(0)
  expect(await errorOf(fixture.setUpLinks.issue(fixture.ports.newId<'usr'>()))).toBe('not_found')
})

test('the row of a link in the database is no token', async () => {
  const user = await newUser()
  const token = await fixture.setUpLinks.issue(user.id)
  const link = await fixture.db.read.setUpLinks.ofUser(user.id, fixture.clock.now)
  expect(JSON.stringify(link)).not.toContain(token)
})

test('one of several processes that start at once issues the link of the first owner, until it expires', async () => {
  const { id } = await newUser()
  const { issueUnlessOpen, isSetUp } = fixture.setUpLinks
  const issued = await Promise.all([issueUnlessOpen(id), issueUnlessOpen(id), issueUnlessOpen(id)])
  expect(issued.filter((token) => token !== null)).toHaveLength(1)
  fixture.pass(DAY)
  expect(await isSetUp()).toBe(false)
  await redeem((await issueUnlessOpen(id)) ?? expect.unreachable())
  expect(await isSetUp()).toBe(true)
})
