import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readId } from '../../src/domain/ids.ts'
import { expectRefusal } from '../support/refusal.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'

let service: TestService

beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const create = (body: object, key = service.key) => service.call('POST', '/projects', body, { key })
const made = async (name: string) => (await create({ name })).body.data
const get = async (id: string) => (await service.call('GET', `/projects/${id}`)).body.data
const update = (id: string, body: object) => service.call('PUT', `/projects/${id}`, body)

const internal = (id: string) => readId('proj', id) ?? expect.unreachable()

const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

describe('a new project', () => {
  test('is answered whole, with every default', async () => {
    const { status, body } = await create({ name: 'Fresh' })
    expect(status).toBe(201)
    expect(body).toEqual({
      data: {
        id: expect.stringMatching(/^proj_/),
        name: 'Fresh',
        slug: 'fresh',
        domain: null,
        status: 'active',
        hosting_mode: 'full_host',
        page_count: 0,
        settings: {
          theme: 'default',
          favicon: null,
          logo: null,
          custom_css: null,
          google_analytics: null,
          meta_description: null,
          social_image: null,
        },
        hosting: {
          mode: 'full_host',
          subdomain: null,
          custom_domain: null,
          ssl_enabled: false,
          cdn_enabled: true,
          base_path: '/',
          manifest: 'full',
          slugs: 'standard',
          domain_status: 'none',
          domain_challenge: null,
        },
        created_at: expect.stringMatching(TIMESTAMP),
        updated_at: body.data.created_at,
      },
    })
    expect(await get(body.data.id)).toEqual(body.data)
  })

  test.each([
    ['Acme & Söhne GmbH', 'acme-sohne-gmbh'],
    ['  --Hello--World--  ', 'hello-world'],
    ['日本語', 'project'],
    ['Ⅷ Straße № 7', 'viii-stra-e-no-7'],
  ])('called %j has the slug %j', async (name, slug) => {
    expect((await made(name)).slug).toBe(slug)
  })

  test('is numbered when its owner has the name already, and not when another owner has it', async () => {
    const slugs = [await made('Twin'), await made('Twin'), await made('TWIN!')].map(({ slug }) => slug)
    expect(slugs).toEqual(['twin', 'twin-2', 'twin-3'])
    const stranger = await service.newKey({ user: await service.newUser() })
    expect((await create({ name: 'Twin' }, stranger)).body.data.slug).toBe('twin')
  })

  test('needs a user who may make projects', async () => {
    const user = await service.newUser({ canCreateProjects: false })
    expectRefusal(await create({ name: 'No' }, await service.newKey({ user })), 'forbidden')
  })
})

describe('a name', () => {
  test.each([
    ['one character', 'x'],
    ['100 characters', 'x'.repeat(100)],
    ['100 characters of two code units each', '😀'.repeat(100)],
    ['any script', 'مشروع 工程 — “Ñandú”'],
  ])('may be written with %s', async (_, name) => {
    const project = await made(name)
    expect(project.name).toBe(name)
    expect((await update(project.id, { name })).body.data.name).toBe(name)
  })

  test.each([
    ['no character', ''],
    ['101 characters', 'x'.repeat(101)],
    ['101 characters of two code units each', '😀'.repeat(101)],
    ['white space only', ' \u00a0 '],
    ['a line break', 'a\nb'],
    ['a NUL', 'a\0b'],
    ['a number instead of a text', 7],
  ])('may not have %s', async (_, name) => {
    expectRefusal(await create({ name }), 'validation_error', 'name: ')
    const { id } = await made('Bounds')
    expectRefusal(await update(id, { name }), 'validation_error', 'name: ')
    expect(await get(id)).toMatchObject({ name: 'Bounds' })
  })

  test('may change, the slug stays', async () => {
    const { id } = await made('Before')
    expect((await update(id, { name: 'After' })).body.data).toMatchObject({ name: 'After', slug: 'before' })
    expect((await made('Before')).slug).toBe('before-2')
  })
})

describe('an update', () => {
  test('changes what it names, answers the whole project and moves updated_at', async () => {
    const before = await made('Partial')
    const { status, body } = await update(before.id, { settings: { theme: 'dark' } })
    expect(status).toBe(200)
    expect(body.data).toEqual({
      ...before,
      settings: { ...before.settings, theme: 'dark' },
      updated_at: expect.stringMatching(TIMESTAMP),
    })
    expect(body.data.updated_at > before.updated_at).toBe(true)
    expect(await get(before.id)).toEqual(body.data)
  })

  test('moves updated_at each time, however fast they follow', async () => {
    const { id } = await made('Fast')
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => update(id, { name: `Fast ${i}` })))
    expect(new Set(answers.map(({ body }) => body.data.updated_at)).size).toBe(20)
  })

  test('with one invalid part stores nothing', async () => {
    const before = await made('Atomic')
    const parts = { name: 'Other', settings: { theme: 'dark' }, hosting: { subdomain: 'UPPER' } }
    expectRefusal(await update(before.id, parts), 'validation_error', 'hosting.subdomain: ')
    expect(await get(before.id)).toEqual(before)
  })

  test.each([
    ['name', null],
    ['status', null],
    ['settings', null],
    ['hosting', null],
    ['settings', []],
    ['hosting', 'full_host'],
    ['status', 'suspended'],
    ['status', 'deleted'],
    ['settings', { theme: null }],
    ['hosting', { mode: null }],
    ['hosting', { ssl_enabled: null }],
    ['hosting', { ssl_enabled: 'yes' }],
    ['hosting', { cdn_enabled: 1 }],
  ])('is refused when it sets %s to %j', async (field, value) => {
    const { id } = await made('Refused')
    expectRefusal(await update(id, { [field]: value }), 'validation_error', field)
  })
})

describe('page_count', () => {
  test('counts every page, whatever its status', async () => {
    const { id } = await made('Counted')
    const ids = []
    for (const slug of ['one', 'two', 'three'])
      ids.push((await service.call('POST', '/pages', pageBody(id, { slug }))).body.data.id)
    await service.call('POST', `/pages/${ids[0]}/publish`)
    await service.call('PUT', `/pages/${ids[1]}`, { status: 'archived' })
    expect((await get(id)).page_count).toBe(3)
    await service.call('DELETE', `/pages/${ids[2]}`)
    expect((await get(id)).page_count).toBe(2)
  })
})

describe('an archived project', () => {
  const archived = async () => {
    const { id } = await made('Archived')
    const page = (await service.call('POST', '/pages', pageBody(id))).body.data.id
    await service.call('POST', `/pages/${page}/publish`)
    expect((await update(id, { status: 'archived' })).body.data.status).toBe('archived')
    return { id, page }
  }

  test('stays readable and live', async () => {
    const { id, page } = await archived()
    for (const path of [
      `/projects/${id}`,
      `/projects/${id}/settings`,
      `/pages?project_id=${id}`,
      `/pages/${page}`,
      `/public/${id}/a-page/`,
    ])
      expect((await service.call('GET', path)).status).toBe(200)
  })

  test('refuses every write but its own status', async () => {
    const { id, page } = await archived()
    const writes = [
      ['PUT', `/projects/${id}`, { name: 'x' }],
      ['PUT', `/projects/${id}`, {}],
      ['PUT', `/projects/${id}`, { status: 'active', name: 'x' }],
      ['PUT', `/projects/${id}/settings`, { footer_text: 'x' }],
      ['PUT', `/v1/projects/${id}/settings`, { branding: {} }],
      ['POST', '/pages', pageBody(id, { slug: 'new' })],
      ['PUT', `/pages/${page}`, { title: 'x' }],
      ['PUT', `/pages/${page}`, { status: 'draft' }],
      ['POST', `/pages/${page}/publish`, undefined],
      ['POST', `/pages/${page}/unpublish`, undefined],
      ['DELETE', `/pages/${page}`, undefined],
    ] as const
    for (const [method, path, body] of writes)
      expectRefusal(await service.call(method, path, body), 'forbidden', 'archived')
  })

  test('is active again by its status, also when the rest of it is sent back as it was', async () => {
    const { id } = await archived()
    expect((await update(id, { status: 'active' })).body.data.status).toBe('active')
    await update(id, { status: 'archived' })
    const { status, body } = await update(id, { ...(await get(id)), status: 'active' })
    expect(status).toBe(200)
    expect(body.data.status).toBe('active')
    expect((await update(id, { name: 'Writable' })).status).toBe(200)
  })

  test('may be told to be archived once more, and nothing that is no status', async () => {
    const { id } = await archived()
    expect((await update(id, { status: 'archived' })).status).toBe(200)
    expectRefusal(await update(id, { status: 'nonsense' }), 'validation_error', 'status: ')
  })
})

describe('a suspended project', () => {
  test('refuses every write, its status too, and shows visitors nothing', async () => {
    const { id } = await made('Suspended')
    const page = (await service.call('POST', '/pages', pageBody(id))).body.data.id
    await service.call('POST', `/pages/${page}/publish`)
    await service.server.service.projects.setStatus(internal(id), 'suspended')

    expect(await get(id)).toMatchObject({ status: 'suspended' })
    for (const body of [{ status: 'active' }, { status: 'archived' }, { name: 'x' }])
      expectRefusal(await update(id, body), 'forbidden', 'suspended')
    expectRefusal(await service.call('PUT', `/pages/${page}`, { title: 'x' }), 'forbidden', 'suspended')
    expect((await service.call('GET', `/public/${id}/a-page/`)).status).toBe(404)

    await service.server.service.projects.setStatus(internal(id), 'active')
    expect((await service.call('GET', `/public/${id}/a-page/`)).status).toBe(200)
  })
})

describe('the caller', () => {
  test('is the user behind the key, the key, and its scope', async () => {
    const { id } = await made('Scope')
    const key = await service.newKey({ project: internal(id) })
    const scoped = (await service.call('GET', '/users/me', undefined, { key })).body
    expect(scoped).toEqual({
      data: {
        id: `usr_${service.userId}`,
        email: 'owner@localhost',
        api_key_id: expect.stringMatching(/^key_/),
        project_scope: id,
      },
    })
    const { data } = (await service.call('GET', '/users/me')).body
    expect(data).toMatchObject({ id: `usr_${service.userId}`, project_scope: null })
    expect(data.api_key_id).not.toBe(scoped.data.api_key_id)
  })
})
