import { afterEach, beforeEach, expect, test } from 'vitest'
import { createAuthenticate } from '../../src/services/authentication.ts'
import { createServiceFixture, errorOf, type ServiceFixture } from './service-fixture.ts'

let fixture: ServiceFixture
beforeEach(async () => {
  fixture = await createServiceFixture()
})
afterEach(() => fixture.close())

const authenticate = (header: string | undefined) =>
  createAuthenticate({ db: fixture.db, now: () => fixture.clock.now })(header)

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
    keyId: record.id,
    userId: record.userId,
    permissions: ['read'],
    allowance: { minute: 60 },
  })
})

test.each([
  ['no header', undefined, 'missing_api_key'],
  ['another scheme', 'Basic abc', 'unauthorized'],
  ['a malformed key', 'Bearer abc', 'invalid_api_key'],
])('%s is refused', async (_, header, name) => {
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

test('the first user is created once, and an address belongs to one user', async () => {
  const first = await fixture.accounts.firstUser()
  expect(await fixture.accounts.firstUser()).toEqual(first)
  expect(await errorOf(fixture.accounts.createUser(first.email, true))).toBe('conflict')
})

test('a key cannot be restricted to the project of another user', async () => {
  const stranger = await fixture.newCaller()
  const { project } = await fixture.projects.create(stranger, () => 'Site')
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
