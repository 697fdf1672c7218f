import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DEFAULT_PERMISSIONS, type Plan } from '../../src/domain/caller.ts'
import type { UserId } from '../../src/domain/ids.ts'
import { PASSWORD, signedIn, visitor } from '../support/dashboard.ts'
import { type Answer, startService, type TestService } from '../support/service.ts'
import { stopDatabaseClock } from '../support/test-database.ts'

/** Time passes only when a test says so. */
const clock = { unix: Date.UTC(2026, 10, 15, 12) }
const now = () => new Date(clock.unix).toISOString()
const monotonic = () => performance.now() + clock.unix

let service: TestService
beforeAll(async () => {
  service = await startService({ now, monotonic })
})
afterAll(() => service?.close())
beforeEach(async () => {
  clock.unix += 2 * 3_600_000
  await stopDatabaseClock(service.data, clock.unix)
})

describe('the budget of an account', () => {
  test('50 keys have together 5 times one key', async () => {
    const keys = await newKeys(await service.newUser(), 50)
    const answers = await sendAll(keys, 12)
    expect(countOf(answers)).toEqual({ 200: 500, 429: 100 })
    const refused = answers.find(({ status }) => status === 429)
    expect(refused?.body).toMatchObject({
      name: 'rate_limit_exceeded',
      window: 'account',
      limit: 500,
      retry_after: 60,
    })
    expect(refused?.body.message).toBe(
      'Too many requests: the limit is 500 in a minute for all keys and sessions of the account. Try again in 60 s.',
    )
    expect(refused?.headers.get('retry-after')).toBe('60')
  })

  test('is that of its largest plan, and one key alone never reaches it', async () => {
    const user = await service.newUser()
    const [small = expect.unreachable()] = await newKeys(user, 1, 'free')
    const large = await newKeys(user, 6, 'pro')
    expect(countOf(await sendAll(large, 50))).toEqual({ 200: 250, 429: 50 })
    const { body } = await me(small)
    expect(body).toMatchObject({ window: 'account', limit: 250, retry_after: 10 })
    const [alone = expect.unreachable()] = await newKeys(await service.newUser(), 1, 'pro')
    expect((await sendAll([alone], 51)).at(-1)?.body).toMatchObject({ window: 'burst', limit: 50 })
  })

  test('opens again, and the keys of other accounts are not concerned', async () => {
    const keys = await newKeys(await service.newUser(), 6)
    const [other = expect.unreachable()] = await newKeys(await service.newUser(), 1)
    await sendAll(keys, 90)
    expect((await me(keys[0] ?? '')).status).toBe(429)
    expect((await me(other)).status).toBe(200)
    clock.unix += 60_000
    await stopDatabaseClock(service.data, clock.unix)
    expect((await me(keys[0] ?? '')).status).toBe(200)
  })

  test('counts forms of all sessions together with requests of keys', async () => {
    const user = await service.newUser()
    const first = await signedIn(service, user)
    const second = visitor(service, `${first.cookie?.split('=')[0]}=${await newSession(user)}`)
    await sendAll(await newKeys(user, 6), 90)
    for (const session of [first, second]) {
      const { status, headers, html } = await session.post('/dashboard/account/nothing')
      expect([status, headers.get('retry-after')]).toEqual([429, '60'])
      expect(html).toContain('500 in a minute for all keys and sessions of the account')
      const inGerman = await session.post('/dashboard/account/nothing', {}, { 'Accept-Language': 'de' })
      expect(inGerman.html).toContain('Zu viele Anfragen. Versuchen Sie es in 60 Sekunden wieder.')
    }
  })

  test('is no limit with the factor 0', async () => {
    const free = await startService({ now, monotonic, env: { QUOIN_ACCOUNT_RATE_FACTOR: '0' } })
    const keys = await newKeys(await free.newUser(), 6, 'standard', free)
    expect(countOf(await sendAll(keys, 100, free))).toEqual({ 200: 600 })
    await free.close()
  })
})

test('a user reads 1,000 pages of the dashboard a minute, in all sessions together', async () => {
  const user = await service.newUser()
  const first = await signedIn(service, user)
  const second = visitor(service, `${first.cookie?.split('=')[0]}=${await newSession(user)}`)
  const read = async (times: number, session: typeof first) => {
    const statuses: number[] = []
    for (let i = 0; i < times; i++) statuses.push((await session.get('/dashboard/')).status)
    return countOf(statuses.map((status) => ({ status })))
  }
  expect(await read(600, first)).toEqual({ 303: 600 })
  expect(await read(401, second)).toEqual({ 303: 400, 429: 1 })
  expect(await read(1, first)).toEqual({ 429: 1 })
})

async function newSession(user: UserId): Promise<string> {
  const { accounts, sessions } = service.server.service
  const { email } = (await accounts.listUsers()).find(({ id }) => id === user) ?? expect.unreachable()
  const client = { address: '192.0.2.1', userAgent: 'Browser' }
  return (await sessions.signIn({ email, password: PASSWORD, ...client })).token
}

async function newKeys(
  userId: UserId,
  count: number,
  plan: Plan = 'standard',
  of = service,
): Promise<readonly string[]> {
  const keys: string[] = []
  for (let i = 0; i < count; i++) {
    const wanted = {
      userId,
      projectScope: null,
      name: 'a',
      permissions: DEFAULT_PERMISSIONS,
      expiresAt: null,
    }
    keys.push((await of.server.service.accounts.createKey({ ...wanted, plan })).key)
  }
  return keys
}

function me(key: string, of = service): Promise<Answer> {
  return of.call('GET', '/users/me', undefined, { key })
}

/** Sends this many requests with each key, one key after the other. */
async function sendAll(keys: readonly string[], times: number, of = service): Promise<readonly Answer[]> {
  const answers: Answer[] = []
  for (const key of keys)
    answers.push(...(await Promise.all(Array.from({ length: times }, () => me(key, of)))))
  return answers
}

function countOf(answers: readonly Pick<Answer, 'status'>[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}
