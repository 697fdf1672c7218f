import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readId } from '../../../src/domain/ids.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { startService, type TestService } from '../../support/service.ts'

const ID = /^[a-z0-9]{16}$/
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

let service: TestService
let domains = 0

beforeAll(async () => {
  service = await startService({ env: { QUOIN_CONTENT_URL: 'https://cdn.quoin-content.test' } })
})
afterAll(() => service.close())

const create = (body: object) => service.call('POST', '/v1/projects', body)
const created = async (name = 'Site'): Promise<string> => (await create({ name })).body.data.id
const get = async (id: string) => (await service.call('GET', `/v1/projects/${id}`)).body.data
const update = (id: string, body: object) => service.call('PUT', `/v1/projects/${id}`, body)
const getCurrent = async (id: string) => (await service.call('GET', `/projects/${id}`)).body.data
const newDomain = () => `site-${++domains}.example.com`

describe('POST /v1/projects', () => {
  test('answers 201 with the project, without context and settings', async () => {
    const { status, body } = await create({ name: 'Fresh' })
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        success: true,
        data: {
          id: expect.stringMatching(ID),
          name: 'Fresh',
          created_at: expect.stringMatching(TIME),
          updated_at: body.data.created_at,
        },
      },
    })
  })

  test.each(['x', 'x'.repeat(100), '印'.repeat(100), 'Söhne & Co.'])('takes the name %j', async (name) => {
    expect((await create({ name })).body.data.name).toBe(name)
  })

  test.each(['', '  ', 'x'.repeat(101), 'a\tb', 5, ['a']])('refuses the name %j', async (name) => {
    expectRefusal(await create({ name }), 'validation_error', 'name: ')
  })

  test.each([{}, { name: null }])('%j lacks the name', async (body) => {
    expectRefusal(await create(body), 'missing_required_field', 'name: required.')
  })

  test('ignores every other field', async () => {
    const { body } = await create({ name: 'Plain', context: 'No', settings: 5, id: 'mine', slug: 'mine' })
    expect(await get(body.data.id)).toMatchObject({ context: '', settings: { custom_domain: null } })
    expect((await getCurrent(body.data.id)).slug).toBe('plain')
  })

  test('is for users who may create projects, whatever the body says', async () => {
    const key = await service.newKey({ user: await service.newUser({ canCreateProjects: false }) })
    for (const body of [{ name: 'No' }, {}])
      expectRefusal(await service.call('POST', '/v1/projects', body, { key }), 'forbidden')
  })

  test('is not for a key that is scoped to one project, or lacks write', async () => {
    const scoped = await service.newKey({ project: readId('proj', await created()) ?? expect.unreachable() })
    const reading = await service.newKey({ permissions: ['read', 'publish'] })
    for (const key of [scoped, reading])
      expectRefusal(await service.call('POST', '/v1/projects', { name: 'No' }, { key }), 'forbidden')
  })
})

describe('GET /v1/projects', () => {
  let key: string
  const list = (query = '') => service.call('GET', `/v1/projects${query}`, undefined, { key })

  beforeAll(async () => {
    key = await service.newKey({ user: await service.newUser() })
    for (let n = 0; n < 22; n++) await service.call('POST', '/v1/projects', { name: `No ${n}` }, { key })
  })

  test('shows id, name and times only', async () => {
    const { body } = await list('?limit=1')
    expect(body.data).toEqual([
      {
        id: expect.stringMatching(ID),
        name: expect.any(String),
        created_at: expect.stringMatching(TIME),
        updated_at: expect.stringMatching(TIME),
      },
    ])
  })

  test('has the 20 newest by default, and has_more and total at the top level', async () => {
    const { body } = await list()
    expect({ ...body, data: body.data.length }).toEqual({
      success: true,
      data: 20,
      has_more: true,
      total: 22,
    })
    const byCreation = await service.call('GET', '/projects?limit=20&sort=created_at&order=desc', undefined, {
      key,
    })
    expect(body.data.map(({ id }: { id: string }) => `proj_${id}`)).toEqual(
      byCreation.body.data.map(({ id }: { id: string }) => id),
    )
  })

  test.each([
    ['?limit=1', 1, true],
    ['?limit=100', 22, false],
    ['?offset=2', 20, false],
    ['?offset=22', 0, false],
    ['?status=archived&sort=x&domain=none', 20, true],
  ])('with %s shows this many projects: %i', async (query, shown, more) => {
    const { body } = await list(query)
    expect({ ...body, data: body.data.length }).toEqual({
      success: true,
      data: shown,
      has_more: more,
      total: 22,
    })
  })

  test.each(['limit=0', 'limit=101', 'limit=ten', 'offset=-1', 'offset=1&offset=2'])(
    'is invalid_request with the query %s',
    async (query) => {
      expectRefusal(await list(`?${query}`), 'invalid_request', query.split('=')[0] ?? '')
    },
  )

  test('shows a scoped key its one project', async () => {
    const id = await created('Scoped')
    const scoped = await service.newKey({ project: readId('proj', id) ?? expect.unreachable() })
    const { body } = await service.call('GET', '/v1/projects', undefined, { key: scoped })
    expect(body).toMatchObject({ data: [{ id }], has_more: false, total: 1 })
  })
})

describe('GET /v1/projects/:id', () => {
  test('adds context and settings, empty at first', async () => {
    const id = await created('Empty')
    const { body } = await service.call('GET', `/v1/projects/${id}`)
    expect(body).toEqual({
      success: true,
      data: {
        id,
        name: 'Empty',
        context: '',
        settings: { custom_domain: null },
        created_at: expect.stringMatching(TIME),
        updated_at: expect.stringMatching(TIME),
      },
    })
  })

  test('takes the id in both forms', async () => {
    const id = await created()
    expect(await get(`proj_${id}`)).toEqual(await get(id))
    expectRefusal(await service.call('GET', `/v1/projects/page_${id}`), 'not_found')
  })
})

describe('PUT /v1/projects/:id', () => {
  test.each([
    ['name', 'New name'],
    ['context', ''],
    ['context', 'A bakery.\n\nWrite warmly.'],
    ['settings', {}],
  ])('%s can be changed alone', async (field, value) => {
    const before = await get(await created())
    const { status, body } = await update(before.id, { [field]: value })
    const { updated_at: updatedAt } = body.data
    const expected = field === 'settings' ? before.settings : value
    expect({ status, body }).toEqual({
      status: 200,
      body: { success: true, data: { ...before, [field]: expected, updated_at: updatedAt } },
    })
    expect(updatedAt > before.updated_at).toBe(true)
    expect(await get(before.id)).toEqual(body.data)
  })

  test('settings are merged key by key; unknown keys are stored as they are', async () => {
    const id = await created()
    const domain = newDomain()
    await update(id, { settings: { theme: 'nonsense', nested: { a: 1 }, off: null, custom_domain: domain } })
    const { body } = await update(id, { settings: { nested: { b: [2] } } })
    expect(body.data.settings).toEqual({
      theme: 'nonsense',
      nested: { b: [2] },
      off: null,
      custom_domain: domain,
    })
    expect((await getCurrent(id)).settings.theme).toBe('default')
  })

  test('custom_domain is the one domain of the project, on both surfaces', async () => {
    const id = await created()
    const [first, second] = [newDomain(), newDomain()]
    await update(id, { settings: { custom_domain: first.toUpperCase() } })
    expect(await getCurrent(id)).toMatchObject({ domain: first, hosting: { custom_domain: first } })
    await service.call('PUT', `/projects/${id}`, { domain: second })
    expect((await get(id)).settings.custom_domain).toBe(second)
    await update(id, { settings: { custom_domain: null } })
    expect((await getCurrent(id)).domain).toBeNull()
  })

  test('a domain in use is a conflict, and nothing of the request is stored', async () => {
    const domain = newDomain()
    await service.call('PUT', `/projects/${await created()}`, { domain })
    const id = await created('Before')
    expectRefusal(await update(id, { name: 'After', settings: { custom_domain: domain } }), 'conflict')
    expect(await get(id)).toMatchObject({ name: 'Before', settings: { custom_domain: null } })
  })

  test.each([
    'cdn.quoin-content.test',
    'a.CDN.quoin-content.test',
    'sites.quoin.test',
    'a.b.sites.quoin.test',
    'localhost',
    'nodots',
    'a b.example.com',
    'https://example.com',
    '-a.example.com',
    '',
    5,
  ])('the domain %j is refused', async (domain) => {
    const id = await created()
    const answer = await update(id, { settings: { custom_domain: domain } })
    expectRefusal(answer, 'validation_error', 'settings.custom_domain: ')
  })

  test.each([
    ['name', '', 'name: '],
    ['name', null, 'name: '],
    ['name', 'x'.repeat(101), 'name: '],
    ['context', 5, 'context: '],
    ['context', null, 'context: '],
    ['context', 'x'.repeat(100_001), 'context: '],
    ['settings', [], 'settings: '],
    ['settings', 'x', 'settings: '],
    ['settings', null, 'settings: '],
    ['settings', { big: 'x'.repeat(64 * 1024) }, 'settings: '],
  ])('refuses for the field %s the value %.20j', async (field, value, mention) => {
    const before = await get(await created())
    expectRefusal(await update(before.id, { [field]: value }), 'validation_error', mention)
    expect(await get(before.id)).toEqual(before)
  })

  test('settings do not grow without bounds by being merged', async () => {
    const id = await created()
    const put = (key: string) => update(id, { settings: { [key]: 'x'.repeat(40_000) } })
    expect((await put('a')).status).toBe(200)
    expectRefusal(await put('b'), 'validation_error', 'settings: ')
    expect((await put('a')).status).toBe(200)
  })

  test('every fault is named at once', async () => {
    const body = { name: '', context: 5, settings: { custom_domain: 'x' } }
    const answer = await update(await created(), body)
    expectRefusal(answer, 'validation_error', 'name: ', 'context: ', 'settings.custom_domain: ')
  })

  test('what GET answered may be sent back whole; unknown fields are ignored', async () => {
    const id = await created()
    await update(id, { context: 'Text', settings: { a: 1, custom_domain: newDomain() } })
    const before = await get(id)
    const { status, body } = await update(id, { ...before, status: 'archived', anything: 1 })
    expect(status).toBe(200)
    expect(body.data).toEqual({ ...before, updated_at: body.data.updated_at })
    expect((await getCurrent(id)).status).toBe('active')
  })

  test('an archived project takes no change', async () => {
    const id = await created()
    await service.call('PUT', `/projects/${id}`, { status: 'archived' })
    for (const body of [{ name: 'No' }, { name: '' }, {}]) expectRefusal(await update(id, body), 'forbidden')
    expect((await get(id)).name).toBe('Site')
  })

  test('a stale If-Match is refused', async () => {
    const id = await created()
    const etag = (await service.call('GET', `/v1/projects/${id}`)).headers.get('etag') ?? ''
    const put = (name: string) =>
      service.call('PUT', `/v1/projects/${id}`, { name }, { headers: { 'If-Match': etag } })
    expect((await put('First')).status).toBe(200)
    expect(await put('Second')).toMatchObject({ status: 412, body: { name: 'precondition_failed' } })
  })
})

describe('GET /v1/users/me', () => {
  test('is the current operation in the legacy envelope, with bare ids', async () => {
    const project = await created()
    const key = await service.newKey({ project: readId('proj', project) ?? expect.unreachable() })
    const { status, body } = await service.call('GET', '/v1/users/me', undefined, { key })
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        success: true,
        data: {
          id: service.userId,
          email: 'owner@localhost',
          api_key_id: expect.stringMatching(ID),
          project_scope: project,
        },
      },
    })
    expect((await service.call('GET', '/v1/users/me')).body.data.project_scope).toBeNull()
  })
})
