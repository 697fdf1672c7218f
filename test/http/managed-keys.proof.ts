import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PERMISSIONS } from '../../src/domain/caller.ts'
import { readId } from '../../src/domain/ids.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'

const HOUR_MS = 60 * 60 * 1000

let service: TestService
let project: string
let manager: string
let offset = 0
const now = () => new Date(Date.now() + offset).toISOString()

beforeAll(async () => {
  service = await startService({ now })
  project = await service.newProject('One')
  manager = await service.newKey({ permissions: PERMISSIONS })
})
afterAll(() => service.close())

const manage = (method: string, path: string, body?: object, { key = manager, headers = {} } = {}) =>
  service.call(method, path, body, { key, headers })
const me = (key: string) => service.call('GET', '/users/me', undefined, { key })
const internal = (id: string) => readId('proj', id) ?? expect.unreachable()

async function newKey(body: object = {}, key = manager) {
  const { status, body: answer } = await manage('POST', '/keys', { name: 'CI', ...body }, { key })
  expect(status, JSON.stringify(answer)).toBe(201)
  return answer.data as { readonly id: string; readonly key: string; readonly [field: string]: unknown }
}

describe('a new key', () => {
  test('works at once, may read, write and publish, and is shown with its secret only once', async () => {
    const { key, ...shown } = await newKey({ name: 'Deploys' })
    expect(shown).toMatchObject({
      name: 'Deploys',
      project_scope: null,
      permissions: ['read', 'write', 'publish'],
      plan: 'enterprise',
      expires_at: null,
      revoked_at: null,
      former_until: null,
    })
    expect((await me(key)).body.data).toMatchObject({ api_key_id: shown.id, project_scope: null })
    const read = await manage('GET', `/keys/${shown.id}`)
    expect(read.body.data).toEqual(shown)
    const list = await manage('GET', '/keys?limit=100')
    expect(list.body.data).toContainEqual(shown)
    expect(JSON.stringify([read.body, list.body])).not.toContain(key)
  })

  test('is refused to a caller without "manage", also to one of the same account', async () => {
    for (const path of ['/keys', '/keys/key_aaaaaaaaaaaaaaaa'])
      expect((await service.call('GET', path)).status).toBe(path === '/keys' ? 403 : 404)
    const refused = await service.call('POST', '/keys', { name: 'Mine' })
    expect(refused).toMatchObject({ status: 403, body: { name: 'forbidden' } })
    expect(refused.body.message).toContain('manage')
  })

  test('has no permission that its creator lacks', async () => {
    const limited = await newKey({ permissions: ['read', 'manage'] })
    expect(await newKey({}, limited.key)).toMatchObject({ permissions: ['read'] })
    const refused = await manage(
      'POST',
      '/keys',
      { name: 'More', permissions: ['publish'] },
      { key: limited.key },
    )
    expect(refused).toMatchObject({ status: 403, body: { name: 'forbidden' } })
    const changed = await manage(
      'PUT',
      `/keys/${limited.id}`,
      { permissions: [...PERMISSIONS] },
      { key: limited.key },
    )
    expect(changed).toMatchObject({ status: 403, body: { name: 'forbidden' } })
  })

  test('is restricted to the project of its creator when that is restricted, and sees no other', async () => {
    const scoped = await newKey({ project_scope: project, permissions: ['read', 'manage'] })
    const made = await newKey({}, scoped.key)
    expect(made).toMatchObject({ project_scope: project })
    for (const project_scope of [null, await service.newProject('Two')]) {
      const refused = await manage('POST', '/keys', { name: 'Wider', project_scope }, { key: scoped.key })
      expect(refused).toMatchObject({ status: 403, body: { name: 'project_scope_violation' } })
    }
    const whole = await newKey()
    for (const [method, path] of [
      ['GET', ''],
      ['PUT', ''],
      ['DELETE', ''],
      ['POST', '/rotate'],
    ] as const) {
      const body = method === 'PUT' ? { name: 'x' } : undefined
      const refused = await manage(method, `/keys/${whole.id}${path}`, body, { key: scoped.key })
      expect(refused).toMatchObject({ status: 403, body: { name: 'project_scope_violation' } })
    }
    const listed = (await manage('GET', '/keys', undefined, { key: scoped.key })).body
    expect(listed.data.map(({ id }: { id: string }) => id).sort()).toEqual([scoped.id, made.id].sort())
    expect(listed.meta.total).toBe(2)
  })

  test('does not outlive its creator', async () => {
    const end = new Date(Date.parse(now()) + HOUR_MS).toISOString()
    const later = new Date(Date.parse(end) + 1).toISOString()
    const short = await newKey({ permissions: [...PERMISSIONS], expires_at: end })
    expect(await newKey({}, short.key)).toMatchObject({ expires_at: end })
    for (const expires_at of [null, later]) {
      const created = await manage('POST', '/keys', { name: 'Longer', expires_at }, { key: short.key })
      const changed = await manage('PUT', `/keys/${short.id}`, { expires_at }, { key: short.key })
      for (const { status, body } of [created, changed])
        expect([status, body.name, body.message]).toEqual([
          422,
          'validation_error',
          expect.stringContaining('expires_at'),
        ])
    }
  })

  test('needs a project of the account', async () => {
    const strangers = await service.newKey({ user: await service.newUser() })
    const foreign = (await service.call('POST', '/projects', { name: 'Foreign' }, { key: strangers })).body
      .data.id
    for (const project_scope of [foreign, 'proj_aaaaaaaaaaaaaaaa', 'nonsense'])
      expect(await manage('POST', '/keys', { name: 'x', project_scope })).toMatchObject({
        status: 404,
        body: { name: 'not_found' },
      })
  })

  test.each([
    [{}, 'missing_required_field', 'name'],
    [{ name: ' ' }, 'validation_error', 'name'],
    [{ name: 'x', permissions: [] }, 'validation_error', 'permissions'],
    [{ name: 'x', permissions: ['read', 'read'] }, 'validation_error', 'permissions'],
    [{ name: 'x', permissions: ['admin'] }, 'validation_error', 'permissions'],
    [{ name: 'x', expires_at: '2020-01-01T00:00:00Z' }, 'validation_error', 'expires_at'],
    [{ name: 'x', user_id: 'usr_aaaaaaaaaaaaaaaa' }, 'validation_error', 'user_id'],
    [{ name: 'x', key: 'qn_live_chosen' }, 'validation_error', 'key'],
  ])('is refused for %j with the name of the field', async (body, name, field) => {
    const refused = await manage('POST', '/keys', body)
    expect(refused).toMatchObject({ status: 422, body: { name } })
    expect(refused.body.message).toContain(field)
  })

  test('asked for twice with one idempotency key is one key, of which the secret that came last works', async () => {
    const headers = { 'Idempotency-Key': 'once' }
    const [first, second] = [
      await manage('POST', '/keys', { name: 'Once' }, { headers }),
      await manage('POST', '/keys', { name: 'Once' }, { headers }),
    ]
    expect(second.body.data.id).toBe(first.body.data.id)
    expect((await me(second.body.data.key)).status).toBe(200)
    expect((await me(first.body.data.key)).status).toBe(403)
  })
})

describe('a key that may more than the one of the request', () => {
  test('is neither rotated nor changed by it, but revoked', async () => {
    const strong = await newKey({ permissions: ['read', 'write', 'publish'] })
    const weak = await newKey({ permissions: ['read', 'manage'] })
    for (const [method, path, body] of [
      ['POST', '/rotate', {}],
      ['PUT', '', { name: 'Mine' }],
      ['PUT', '', { permissions: ['read'] }],
    ] as const) {
      const refused = await manage(method, `/keys/${strong.id}${path}`, body, { key: weak.key })
      expect(refused).toMatchObject({ status: 403, body: { name: 'forbidden' } })
    }
    expect((await me(strong.key)).status).toBe(200)
    expect((await manage('DELETE', `/keys/${strong.id}`, undefined, { key: weak.key })).status).toBe(200)
  })

  test('is not rotated by it when it lives longer', async () => {
    const expires_at = new Date(Date.parse(now()) + HOUR_MS).toISOString()
    const short = await newKey({ permissions: [...PERMISSIONS], expires_at })
    const refused = await manage('POST', `/keys/${(await newKey()).id}/rotate`, {}, { key: short.key })
    expect(refused).toMatchObject({ status: 403, body: { name: 'forbidden' } })
    expect(refused.body.message).toContain(expires_at)
  })

  test('gets no new secret from a repeated request, when it was given more since', async () => {
    const weak = await newKey({ permissions: ['read', 'manage'] })
    const headers = { 'Idempotency-Key': 'since' }
    const create = () => manage('POST', '/keys', { name: 'x' }, { key: weak.key, headers })
    const { id } = (await create()).body.data
    await manage('PUT', `/keys/${id}`, { permissions: ['read', 'publish'] })
    expect(await create()).toMatchObject({ status: 403, body: { name: 'forbidden' } })
  })
})

describe('a key that is changed', () => {
  test('loses rights at once, and keeps what the body leaves out', async () => {
    const { id, key } = await newKey()
    const create = (slug: string) => service.call('POST', '/pages', pageBody(project, { slug }), { key })
    expect((await create('allowed')).status).toBe(201)
    const changed = await manage('PUT', `/keys/${id}`, { permissions: ['read'] })
    expect(changed.body.data).toMatchObject({ id, name: 'CI', permissions: ['read'], project_scope: null })
    expect(await create('refused')).toMatchObject({ status: 403, body: { name: 'forbidden' } })
  })

  test('takes back what GET answered, and refuses a change of another version', async () => {
    const { id } = await newKey()
    const read = await manage('GET', `/keys/${id}`)
    const headers = { 'If-Match': read.headers.get('etag') ?? '' }
    expect((await manage('PUT', `/keys/${id}`, read.body.data, { headers })).status).toBe(200)
    const refused = await manage('PUT', `/keys/${id}`, { name: 'Late' }, { headers })
    expect(refused.status).toBe(412)
    expect(refused.headers.get('etag')).toBe((await manage('GET', `/keys/${id}`)).headers.get('etag'))
  })
})

describe('a rotated key', () => {
  test('is accepted with both secrets for the hours named, and then with the new one', async () => {
    const { id, key: former } = await newKey()
    const rotated = await manage('POST', `/keys/${id}/rotate`, { hours: 2 })
    expect(rotated.status).toBe(200)
    expect(rotated.body.data.id).toBe(id)
    const both = async () => [(await me(former)).status, (await me(rotated.body.data.key)).status]
    expect(await both()).toEqual([200, 200])
    offset += 2 * HOUR_MS - 60_000
    expect(await both()).toEqual([200, 200])
    offset += 120_000
    expect(await both()).toEqual([403, 200])
  })

  test('is accepted with the new secret only where no hours are left', async () => {
    const { id, key: former } = await newKey()
    expect((await me(former)).status).toBe(200)
    const rotated = await manage('POST', `/keys/${id}/rotate`, { hours: 0 })
    expect((await me(former)).status).toBe(403)
    expect((await me(rotated.body.data.key)).status).toBe(200)
  })

  test('rotated again is accepted with each secret as long as was promised when it was replaced', async () => {
    const { id, key: first } = await newKey()
    const second = (await manage('POST', `/keys/${id}/rotate`, { hours: 4 })).body.data.key
    offset += HOUR_MS
    const third = (await manage('POST', `/keys/${id}/rotate`, { hours: 1 })).body.data.key
    const statuses = () => Promise.all([first, second, third].map(async (key) => (await me(key)).status))
    expect(await statuses()).toEqual([200, 200, 200])
    offset += HOUR_MS + 60_000
    expect(await statuses()).toEqual([200, 403, 200])
    const fourth = (await manage('POST', `/keys/${id}/rotate`, { hours: 1 })).body.data.key
    expect(await statuses()).toEqual([200, 403, 200])
    offset += HOUR_MS
    const last = (await manage('POST', `/keys/${id}/rotate`, { hours: 0 })).body.data.key
    expect([...(await statuses()), (await me(fourth)).status]).toEqual([403, 403, 403, 403])
    expect((await me(last)).status).toBe(200)
  })

  test('rotated again and again is refused before it has many secrets, until none of before is wanted', async () => {
    const { id } = await newKey()
    const rotate = async (hours: number) => (await manage('POST', `/keys/${id}/rotate`, { hours })).status
    const statuses = []
    for (let turn = 0; turn < 12; turn++) statuses.push(await rotate(24))
    expect(statuses).toEqual([...Array.from({ length: 11 }, () => 200), 400])
    expect(await rotate(0)).toBe(200)
    expect(await rotate(24)).toBe(200)
  })

  test.each([[-1], [169], [1.5], ['1']])('for %j hours is refused', async (hours) => {
    const { id } = await newKey()
    const refused = await manage('POST', `/keys/${id}/rotate`, { hours })
    expect(refused).toMatchObject({ status: 422, body: { name: 'validation_error' } })
    expect(refused.body.message).toContain('hours')
  })

  test('ends with both secrets when it expires', async () => {
    const expires_at = new Date(Date.parse(now()) + HOUR_MS).toISOString()
    const { id, key: former } = await newKey({ expires_at })
    const { key } = (await manage('POST', `/keys/${id}/rotate`, { hours: 48 })).body.data
    offset += HOUR_MS + 1
    expect([(await me(former)).status, (await me(key)).status]).toEqual([403, 403])
  })
})

describe('a revoked key', () => {
  test('is refused by the very next request with either secret, and is not in the list', async () => {
    const { id, key: former } = await newKey()
    const { key } = (await manage('POST', `/keys/${id}/rotate`)).body.data
    expect((await manage('DELETE', `/keys/${id}`)).body.data).toEqual({ id, deleted: true })
    expect([(await me(former)).status, (await me(key)).status]).toEqual([403, 403])
    const { data } = (await manage('GET', '/keys?limit=100')).body
    expect(data.map((each: { id: string }) => each.id)).not.toContain(id)
    expect((await manage('GET', `/keys/${id}`)).body.data.revoked_at).not.toBeNull()
  })

  test('takes no change and no new secret', async () => {
    const { id } = await newKey()
    await manage('DELETE', `/keys/${id}`)
    for (const answer of [
      await manage('PUT', `/keys/${id}`, { name: 'Back' }),
      await manage('POST', `/keys/${id}/rotate`),
    ])
      expect(answer).toMatchObject({ status: 400, body: { name: 'conflict' } })
  })

  test('may be the key of the request', async () => {
    const { id, key } = await newKey({ permissions: ['manage'] })
    expect((await manage('DELETE', `/keys/${id}`, undefined, { key })).status).toBe(200)
    expect((await me(key)).status).toBe(403)
  })
})

test('an account has at most 500 keys, also when it asks for many at once', async () => {
  const user = await service.newUser()
  const key = await service.newKey({ user, permissions: PERMISSIONS })
  for (let i = 1; i < 451; i++) await service.newKey({ user })
  const asked = Array.from({ length: 60 }, () => manage('POST', '/keys', { name: 'Many' }, { key }))
  const statuses = (await Promise.all(asked)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 201)).toHaveLength(49)
  const { body } = await manage('POST', '/keys', { name: 'One more' }, { key })
  expect(body).toMatchObject({ name: 'conflict', message: expect.stringContaining('at most 500 keys') })
  const { data } = (await manage('GET', '/keys', undefined, { key })).body
  await manage('DELETE', `/keys/${data[0].id}`, undefined, { key })
  expect((await manage('POST', '/keys', { name: 'In its place' }, { key })).status).toBe(201)
})

test('the list of keys is cut as other lists are', async () => {
  const user = await service.newUser()
  const key = await service.newKey({ user, permissions: PERMISSIONS })
  for (const name of ['a', 'b', 'c']) await manage('POST', '/keys', { name }, { key })
  const names = async (query: string) => {
    const { body } = await manage('GET', `/keys?${query}`, undefined, { key })
    return [body.data.map(({ name }: { name: string }) => name), body.meta.has_more]
  }
  const [all] = await names('limit=10')
  expect(all.sort()).toEqual(['a', 'b', 'c', 'test'])
  expect((await names('limit=2'))[1]).toBe(true)
  expect((await names('limit=2&offset=2'))[1]).toBe(false)
})

test('a key of one project is no use for other projects, whoever created it', async () => {
  const { key } = await newKey({ project_scope: project })
  const other = await service.newProject('Elsewhere')
  const answer = await service.call('GET', `/projects/${other}`, undefined, { key })
  expect(answer).toMatchObject({ status: 403, body: { name: 'project_scope_violation' } })
  expect(internal(other)).not.toBe(internal(project))
})
