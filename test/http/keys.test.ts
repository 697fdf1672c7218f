import { request } from 'node:http'
import { json } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { readId } from '../../src/domain/ids.ts'
import { createMemoryStorage } from '../support/memory-storage.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'

const DAY_MS = 24 * 60 * 60 * 1000

let service: TestService
let project: string
let other: string

beforeAll(async () => {
  service = await startService({ now: () => new Date(Date.now() + clock.offset).toISOString() })
  project = await service.newProject('One')
  other = await service.newProject('Two')
})
afterAll(() => service.close())

const me = (key: string | null, headers = {}) => service.call('GET', '/users/me', undefined, { key, headers })
const clock = { offset: 0 }
const internal = (id: string) => readId('proj', id) ?? expect.unreachable()

describe('who asks', () => {
  test('no header is missing_api_key', async () => {
    expect(await me(null)).toMatchObject({ status: 401, body: { statusCode: 401, name: 'missing_api_key' } })
  })

  test.each(['Basic abc', 'Bearer', 'Bearer a b'])('a header %j is unauthorized', async (authorization) => {
    expect(await me(null, { Authorization: authorization })).toMatchObject({
      status: 401,
      body: { name: 'unauthorized' },
    })
  })

  test.each(['nonsense', `qn_live_${'a'.repeat(38)}`])('the token %s is invalid_api_key', async (token) => {
    expect(await me(token)).toMatchObject({ status: 403, body: { statusCode: 403, name: 'invalid_api_key' } })
  })

  test('an expired key is invalid_api_key', async () => {
    expect((await me(await service.newKey({ expires: '2020-01-01T00:00:00.000Z' }))).body.name).toBe(
      'invalid_api_key',
    )
  })

  test('a revoked key is refused by the very next request', async () => {
    const key = await service.newKey()
    expect((await me(key)).status).toBe(200)
    await revoke(key)
    expect((await me(key)).body.name).toBe('invalid_api_key')
  })

  test.each([
    ['POST', '/pages', () => pageBody(project, { slug: 'too-late' })],
    ['POST', '/v1/pages', () => ({ projectId: project, title: 'Late', slug: 'too-late', content: 'x' })],
    ['PUT', '/projects/:project', () => ({ name: 'Late' })],
  ])(
    'a %s %s whose body ends after its key was revoked is refused and changes nothing',
    async (method, path, body) => {
      const key = await service.newKey()
      const headers = { Authorization: `Bearer ${key}`, 'Idempotency-Key': `late-${path}` }
      const slow = startSlowRequest(
        method,
        path.replace(':project', project),
        JSON.stringify(body()),
        headers,
      )
      await slow.began
      expect((await me(key)).status).toBe(200)
      await revoke(key)
      slow.finish()
      expect(await slow.answer).toMatchObject({ status: 403, body: { name: 'invalid_api_key' } })
      const pages = await service.call('GET', `/pages?project_id=${project}&slug=too-late`)
      expect(pages.body.meta.total).toBe(0)
      expect((await service.call('GET', `/projects/${project}`)).body.data.name).toBe('One')
    },
  )

  test('a request whose body ends after its key expired is refused', async () => {
    const key = await service.newKey({ expires: new Date(Date.now() + DAY_MS).toISOString() })
    const body = JSON.stringify(pageBody(project, { slug: 'expired' }))
    const slow = startSlowRequest('POST', '/pages', body, { Authorization: `Bearer ${key}` })
    await slow.began
    expect((await me(key)).status).toBe(200)
    clock.offset = 2 * DAY_MS
    slow.finish()
    expect(await slow.answer).toMatchObject({ status: 403, body: { name: 'invalid_api_key' } })
    clock.offset = 0
    const pages = await service.call('GET', `/pages?project_id=${project}&slug=expired`)
    expect(pages.body.meta.total).toBe(0)
  })

  test('a repeated request that waited for the first is refused when its key was revoked meanwhile', async () => {
    let release: () => void = () => {}
    const isReleased = new Promise<void>((resolve) => (release = resolve))
    const storage = createMemoryStorage()
    const slow = await startService({
      storage: { ...storage, put: (object) => isReleased.then(() => storage.put(object)) },
    })
    onTestFinished(() => slow.close())
    const { body } = await slow.call('POST', '/pages', pageBody(await slow.newProject()))
    const key = await slow.newKey()
    const { api_key_id } = (await slow.call('GET', '/users/me', undefined, { key })).body.data
    const publish = () =>
      slow.call('POST', `/pages/${body.data.id}/publish`, undefined, {
        key,
        headers: { 'Idempotency-Key': 'once' },
      })
    const [first, second] = [publish(), publish()]
    // Both have begun once a later request is answered.
    await slow.call('GET', '/users/me', undefined, { key })
    await slow.server.service.accounts.revokeKey(readId('key', api_key_id) ?? expect.unreachable())
    release()
    expect((await Promise.all([first, second])).map(({ status }) => status).sort()).toEqual([200, 403])
  })

  test('GET /users/me says whose key it is and what it is restricted to', async () => {
    const scoped = await service.newKey({ project: internal(project) })
    expect((await me(scoped)).body).toEqual({
      data: {
        id: expect.stringMatching(/^usr_[a-z0-9]{16}$/),
        email: 'owner@localhost',
        api_key_id: expect.stringMatching(/^key_[a-z0-9]{16}$/),
        project_scope: project,
      },
    })
    expect((await me(service.key)).body.data.project_scope).toBeNull()
  })
})

describe('a key that is scoped to one project', () => {
  test('is refused on any other project, existing or not', async () => {
    const key = await service.newKey({ project: internal(project) })
    for (const id of [other, 'proj_aaaaaaaaaaaaaaaa', 'nonsense']) {
      const answer = await service.call('GET', `/projects/${id}`, undefined, { key })
      expect(answer).toMatchObject({ status: 403, body: { name: 'project_scope_violation' } })
    }
  })

  test('is refused on pages of another project of the same user', async () => {
    const key = await service.newKey({ project: internal(project) })
    const { body } = await service.call('POST', '/pages', pageBody(other))
    const answer = await service.call('GET', `/pages/${body.data.id}`, undefined, { key })
    expect(answer.body.name).toBe('project_scope_violation')
  })

  test('lists its one project and cannot create another', async () => {
    const key = await service.newKey({ project: internal(project) })
    const list = await service.call('GET', '/projects', undefined, { key })
    expect(list.body.data.map(({ id }: { id: string }) => id)).toEqual([project])
    expect((await service.call('POST', '/projects', { name: 'No' }, { key })).body.name).toBe('forbidden')
  })
})

describe("another user's", () => {
  test('project and page do not exist', async () => {
    const key = await service.newKey({ user: await service.newUser() })
    const { body } = await service.call('POST', '/pages', pageBody(project))
    for (const path of [`/projects/${project}`, `/projects/${project}/settings`, `/pages/${body.data.id}`]) {
      expect(await service.call('GET', path, undefined, { key })).toMatchObject({
        status: 404,
        body: { name: 'not_found' },
      })
    }
  })
})

describe('permissions', () => {
  test('read covers GET, write the edits, publish what changes the site', async () => {
    const { body } = await service.call('POST', '/pages', pageBody(project, { slug: 'permitted' }))
    const { id } = body.data
    const calls = {
      read: () => ['GET', `/pages/${id}`] as const,
      write: () => ['PUT', `/pages/${id}`, { title: 'New' }] as const,
      publish: () => ['POST', `/pages/${id}/publish`] as const,
    }
    for (const granted of ['read', 'write', 'publish'] as const) {
      const key = await service.newKey({ permissions: [granted] })
      for (const needed of ['read', 'write', 'publish'] as const) {
        const [method, path, sent] = calls[needed]()
        const { status } = await service.call(method, path, sent, { key })
        expect({ granted, needed, status }).toEqual({
          granted,
          needed,
          status: granted === needed ? 200 : 403,
        })
      }
    }
  })

  test('a PUT of status and fields needs write and publish', async () => {
    const { body } = await service.call('POST', '/pages', pageBody(project, { slug: 'both' }))
    const put = async (permissions: readonly ('write' | 'publish')[], sent: object) => {
      const key = await service.newKey({ permissions })
      return (await service.call('PUT', `/pages/${body.data.id}`, sent, { key })).status
    }
    expect(await put(['write'], { title: 'x', status: 'published' })).toBe(403)
    expect(await put(['publish'], { title: 'x', status: 'published' })).toBe(403)
    expect(await put(['publish'], { status: 'published' })).toBe(200)
  })
})

async function revoke(key: string): Promise<void> {
  const { api_key_id } = (await me(key)).body.data
  await service.server.service.accounts.revokeKey(readId('key', api_key_id) ?? expect.unreachable())
}

/** Sends a request without the last byte of its body, which `finish` sends. */
function startSlowRequest(method: string, path: string, body: string, headers: Record<string, string>) {
  const sent = request(service.url + path, {
    method,
    headers: {
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(body)),
      // The interim answer proves that the service has begun with the request.
      Expect: '100-continue',
      ...headers,
    },
  })
  const answer = new Promise<{ status: number | undefined; body: unknown }>((resolve, reject) => {
    sent.on('response', async (response) => {
      resolve({ status: response.statusCode, body: await json(response) })
    })
    sent.on('error', reject)
  })
  const began = new Promise<void>((resolve) => sent.once('continue', () => resolve()))
  sent.flushHeaders()
  void began.then(() => sent.write(body.slice(0, -1)))
  return { answer, began, finish: () => void sent.end(body.slice(-1)) }
}
