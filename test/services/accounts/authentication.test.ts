import { afterEach, beforeEach, expect, test } from 'vitest'
import { createAuthentication } from '../../../src/services/accounts/authentication.ts'
import { createServiceFixture, errorOf, type ServiceFixture } from '../service-fixture.ts'

let fixture: ServiceFixture
beforeEach(async () => {
  fixture = await createServiceFixture()
})
afterEach(() => fixture.close())

const monotonic = { ms: 1_000 }
const newAuthentication = () =>
  createAuthentication({ db: fixture.db, now: () => fixture.clock.now, monotonic: () => monotonic.ms })
const authenticate = (header: string | undefined) => newAuthentication().authenticate(header)

async function newKey(expiresAt: string | null = null) {
  return fixture.accounts.createKey({
    userId: null,
    projectScope: null,
    name: 'test',
    plan: 'free',
    permissions: ['read'],
    expiresAt,
  })
}

test('a key authenticates its user with the permissions and limits of the key', async () => {
  const { key, record } = await newKey()
  expect(await authenticate(`Bearer ${key}`)).toMatchObject({
    via: { kind: 'key', id: record.id },
    userId: record.userId,
    permissions: ['read'],
    allowance: { minute: 60 },
  })
})

test.each([
  ['no header', undefined, 'missing_api_key'],
  ['another scheme', 'Basic abc', 'unauthorized'],
  ['a malformed key', 'Bearer abc', 'invalid_api_key'],
])('a request with %s is refused', async (_, header, name) => {
  expect(await errorOf(authenticate(header))).toBe(name)
})

test('an expired key is refused from the moment of its expiry', async () => {
  const { key } = await newKey('2026-01-03T00:00:00.000Z')
  expect(await errorOf(authenticate(`Bearer ${key}`))).toBe('no error')
  fixture.clock.now = '2026-01-03T00:00:00.000Z'
  expect(await errorOf(authenticate(`Bearer ${key}`))).toBe('invalid_api_key')
})

test('a revoked key is refused, and revoking an unknown key is an error', async () => {
  const { key, record } = await newKey()
  await fixture.accounts.revokeKey(record.id)
  expect(await errorOf(authenticate(`Bearer ${key}`))).toBe('invalid_api_key')
  expect(await errorOf(fixture.accounts.revokeKey(fixture.context.newId<'key'>()))).toBe('not_found')
})

test('a key that another process revokes is refused within 5 s', async () => {
  const { key, record } = await newKey()
  const { authenticate } = newAuthentication()
  expect(await errorOf(authenticate(`Bearer ${key}`))).toBe('no error')
  await fixture.accounts.revokeKey(record.id)
  monotonic.ms += 5_000
  expect(await errorOf(authenticate(`Bearer ${key}`))).toBe('invalid_api_key')
})

test('a key that is read while it is revoked is not cached', async () => {
  const { key, record } = await newKey()
  const { db } = fixture
  let answerRead: () => void = () => {}
  let noteRead: () => void = () => {}
  const wasRead = new Promise<void>((resolve) => (noteRead = resolve))
  const isAnswered = new Promise<void>((resolve) => (answerRead = resolve))
  const keys = {
    ...db.read.keys,
    async findByHash(hash: string, time: string) {
      const found = await db.read.keys.findByHash(hash, time)
      noteRead()
      await isAnswered
      return found
    },
  }
  const { authenticate, forgetKeys } = createAuthentication({
    db: { read: { ...db.read, keys } },
    now: () => fixture.clock.now,
    monotonic: () => 0,
  })
  const early = authenticate(`Bearer ${key}`)
  await wasRead
  await fixture.accounts.revokeKey(record.id)
  forgetKeys()
  answerRead()
  await early
  expect(await errorOf(authenticate(`Bearer ${key}`))).toBe('invalid_api_key')
})

test('the first user is created once, and an address belongs to one user', async () => {
  const first = await fixture.accounts.firstUser()
  expect(await fixture.accounts.firstUser()).toEqual(first)
  expect(await errorOf(fixture.accounts.createUser(first.email, true))).toBe('conflict')
})

test('a key cannot be restricted to the project of another user', async () => {
  const stranger = await fixture.newCaller()
  const { project } = await fixture.projects.create(stranger, () => ({ name: 'Site', slugs: 'standard' }))
  const wanted = {
    userId: (await fixture.newCaller()).userId,
    projectScope: project.id,
    name: 'test',
    plan: 'free' as const,
    permissions: ['read'] as const,
    expiresAt: null,
  }
  expect(await errorOf(fixture.accounts.createKey(wanted))).toBe('not_found')
})
