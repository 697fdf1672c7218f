import { statSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { readId } from '../../src/domain/ids.ts'
import { createInProcessRenderer } from '../../src/renderer/in-process.ts'
import { runs } from '../support/long-form.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'
import { createTestTimers } from '../support/test-timers.ts'

let service: TestService
let project: string
let page: string
const clock = { offset: 0 }

beforeAll(async () => {
  service = await startService({ now: () => new Date(Date.now() + clock.offset).toISOString() })
  project = await service.newProject()
  const body = pageBody(project, { slug: 'draft', markdown_content: 'A draft with a [link](/docs/install).' })
  page = (await service.call('POST', '/pages', body)).body.data.id
})
afterAll(() => service.close())

const visit = (path: string) => service.call('GET', path, undefined, { key: null })
const link = async (body?: object) => (await service.call('POST', `/pages/${page}/preview`, body)).body.data

describe('GET /render/:id', () => {
  test('shows the page as it stands now, live or not, and is never kept or indexed', async () => {
    const { status, headers, body } = await service.call('GET', `/render/${page}`)
    expect(status).toBe(200)
    expect(body).toContain('A draft with a')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-robots-tag')).toBe('noindex')
    expect(headers.get('content-security-policy')).toMatch(/^sandbox /)
  })

  test('its assets and links lead somewhere', async () => {
    const { body } = await service.call('GET', `/render/${page}`)
    const [, style = ''] = /<link rel="stylesheet" href="([^"]+)"/.exec(body) ?? []
    expect(style).toMatch(/^\/render\/_assets\//)
    expect((await visit(style)).headers.get('content-type')).toBe('text/css; charset=utf-8')
    expect(body).toContain(`href="/public/${project}/docs/install/"`)
  })

  test('tries another theme, and only one that is there', async () => {
    const plain = await service.call('GET', `/render/${page}`)
    const dark = await service.call('GET', `/render/${page}?theme=dark`)
    expect(dark.status).toBe(200)
    expect(dark.body).not.toBe(plain.body)
    expect(await service.call('GET', `/render/${page}?theme=neon`)).toMatchObject({
      status: 422,
      body: { name: 'invalid_request' },
    })
  })

  test('in another theme shows the values of variables as in its own', async () => {
    await service.call('PUT', `/projects/${project}/settings`, { variables: { product: 'Tern' } })
    const body = pageBody(project, { slug: 'about', title: 'About {{ product }}' })
    const { id } = (await service.call('POST', '/pages', body)).body.data
    for (const query of ['', '?theme=dark'])
      expect((await service.call('GET', `/render/${id}${query}`)).body, query).toContain('About Tern')
  })

  test('needs a key or a signed link', async () => {
    expect(await visit(`/render/${page}`)).toMatchObject({ status: 401, body: { name: 'missing_api_key' } })
  })
})

test('a large preview adds few listeners to its answer: Node warns of none', async () => {
  const warnings: Error[] = []
  const note = (warning: Error) => void warnings.push(warning)
  process.on('warning', note)
  const text = 'A line of a long page.\n\n'.repeat(20_000)
  await service.call('PUT', `/pages/${page}`, { markdown_content: text })
  const headers = { authorization: `Bearer ${service.key}`, 'accept-encoding': 'gzip' }
  const answer = await fetch(`${service.url}/render/${page}`, { headers })
  expect((await answer.text()).length).toBeGreaterThan(text.length)
  // Node emits warnings later.
  await new Promise((resolve) => setImmediate(resolve))
  process.off('warning', note)
  expect(warnings).toEqual([])
})

describe('POST /pages/:id/preview', () => {
  test('makes a link that opens this page without a key, until it expires', async () => {
    const { url, token, expires_at } = await link({ expires_in: 60 })
    expect(url).toBe(`${service.url}/render/${page}?token=${token}`)
    const path = url.slice(service.url.length)
    expect((await visit(path)).status).toBe(200)
    expect((await visit(`${path}&theme=minimal`)).status).toBe(200)
    clock.offset = Date.parse(expires_at) - Date.now() + 1000
    expect(await visit(path)).toMatchObject({ status: 403, body: { name: 'forbidden' } })
    clock.offset = 0
    expect(await visit(path), 'the clock was set back').toMatchObject({ status: 403 })
    expect(await visit(`${path}&theme=minimal`)).toMatchObject({ status: 403 })
    expect((await visit((await link()).url.slice(service.url.length))).status).toBe(200)
  })

  test('nothing of a suspended project is shown by a link', async () => {
    const { token } = await link()
    const { projects } = service.server.service
    const id = readId('proj', project) ?? expect.unreachable()
    await projects.setStatus(id, 'suspended')
    expect((await visit(`/render/${page}?token=${token}`)).status).toBe(404)
    expect((await service.call('POST', `/pages/${page}/preview`)).body.name).toBe('forbidden')
    await projects.setStatus(id, 'active')
    expect((await visit(`/render/${page}?token=${token}`)).status).toBe(200)
  })

  test('the link ends when the key that created it is revoked, in this process and in others', async () => {
    const other = await startService({ data: service.data })
    const key = await service.newKey()
    const { body } = await service.call('POST', `/pages/${page}/preview`, {}, { key })
    const path = `/render/${page}?token=${body.data.token}`
    const openElsewhere = () => other.call('GET', path, undefined, { key: null })
    expect((await visit(path)).status).toBe(200)
    expect((await openElsewhere()).status).toBe(200)
    const { accounts } = service.server.service
    const keyId = (await service.call('GET', '/users/me', undefined, { key })).body.data.api_key_id
    await accounts.revokeKey(readId('key', keyId) ?? expect.unreachable())
    expect(await visit(path)).toMatchObject({ status: 403, body: { name: 'forbidden' } })
    expect(await openElsewhere()).toMatchObject({ status: 403, body: { name: 'forbidden' } })
    await other.close()
  })

  test('the link ends with its key, and says so', async () => {
    const expires = new Date(Date.now() + 120_000).toISOString()
    const key = await service.newKey({ expires })
    const { body } = await service.call('POST', `/pages/${page}/preview`, { expires_in: 3_600 }, { key })
    expect(body.data.expires_at).toBe(expires)
    const shorter = await service.call('POST', `/pages/${page}/preview`, { expires_in: 60 }, { key })
    expect(shorter.body.data.expires_at < expires).toBe(true)
  })

  test.each([[['read']], [['read', 'publish']]] as const)(
    'a key with the permissions %j creates no link',
    async (permissions) => {
      const key = await service.newKey({ permissions })
      const answer = await service.call('POST', `/pages/${page}/preview`, {}, { key })
      expect(answer).toMatchObject({ status: 403, body: { name: 'forbidden' } })
      expect(answer.body.message).toContain('write')
    },
  )

  test('a key that can write creates a link without being able to read', async () => {
    const key = await service.newKey({ permissions: ['write'] })
    const { body } = await service.call('POST', `/pages/${page}/preview`, {}, { key })
    expect((await visit(`/render/${page}?token=${body.data.token}`)).status).toBe(200)
  })

  test('the link of a deleted page shows nothing', async () => {
    const gone = (await service.call('POST', '/pages', pageBody(project, { slug: 'gone' }))).body.data.id
    const { token } = (await service.call('POST', `/pages/${gone}/preview`)).body.data
    await service.call('DELETE', `/pages/${gone}`)
    expect((await visit(`/render/${gone}?token=${token}`)).status).toBe(404)
  })

  test('the link opens no other page', async () => {
    const { token } = await link()
    const other = (await service.call('POST', '/pages', pageBody(project, { slug: 'other' }))).body.data.id
    expect((await visit(`/render/${other}?token=${token}`)).status).toBe(403)
  })

  test('a token that was changed anywhere is refused', async () => {
    const { token } = await link()
    await fc.assert(
      fc.asyncProperty(
        fc.nat(token.length - 1),
        fc.constantFrom(...'abcXYZ019-_.'),
        async (at, character) => {
          fc.pre(token[at] !== character)
          const changed = token.slice(0, at) + character + token.slice(at + 1)
          expect((await visit(`/render/${page}?token=${encodeURIComponent(changed)}`)).status).toBe(403)
        },
      ),
      { numRuns: runs(200) },
    )
  })

  test.each([59, 604_801, 1.5, '60', null])('refuses to last %j seconds', async (expires_in) => {
    const answer = await service.call('POST', `/pages/${page}/preview`, { expires_in })
    expect(answer).toMatchObject({ status: 422, body: { name: 'validation_error' } })
  })

  test('is never answered from memory, since the link is a secret', async () => {
    const headers = { 'Idempotency-Key': 'preview' }
    const one = await service.call('POST', `/pages/${page}/preview`, {}, { headers })
    const two = await service.call('POST', `/pages/${page}/preview`, {}, { headers })
    expect(two.status).toBe(201)
    expect(one.headers.get('idempotency-replayed') ?? two.headers.get('idempotency-replayed')).toBeNull()
  })

  // With PostgreSQL the key is a setting.
  test.skipIf(Boolean(process.env['QUOIN_TEST_DATABASE_URL']))(
    'survives a restart, and only its user can read the file of the signing key',
    async () => {
      expect(statSync(join(service.data, 'master.key')).mode & 0o777).toBe(0o600)
    },
  )
})

describe('a preview that waits for others to be rendered', () => {
  /** A service whose previews are not rendered, and what happens to their renders. */
  async function startStuck() {
    const timers = createTestTimers()
    const signals: AbortSignal[] = []
    const stuck = await startService({
      timers,
      renderer: (themes) => ({
        ...createInProcessRenderer(themes),
        preview(_live, _prefixes, { signal } = {}) {
          if (signal !== undefined) signals.push(signal)
          return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
        },
      }),
    })
    onTestFinished(() => stuck.close())
    const body = pageBody(await stuck.newProject(), { slug: 'draft' })
    const id = (await stuck.call('POST', '/pages', body)).body.data.id as string
    return { stuck, timers, signals, id }
  }

  test('takes one of two turns of its account, and another account has turns of its own', async () => {
    const { stuck, signals, id } = await startStuck()
    const other = await stuck.newKey({ user: await stuck.newUser() })
    const project = (await stuck.call('POST', '/projects', { name: 'Theirs' }, { key: other })).body.data.id
    const theirs = (await stuck.call('POST', '/pages', pageBody(project, { slug: 'theirs' }), { key: other }))
      .body.data.id
    const clients = Array.from({ length: 5 }, () => new AbortController())
    const open = (page: string, key: string, { signal }: AbortController) =>
      fetch(`${stuck.url}/render/${page}`, { headers: { Authorization: `Bearer ${key}` }, signal }).catch(
        () => {},
      )
    const [first, second, ...rest] = clients
    for (const client of [first, second]) if (client !== undefined) void open(id, stuck.key, client)
    await expect.poll(() => signals.length).toBe(2)
    for (const client of rest) void open(id, stuck.key, client)
    const theirClient = new AbortController()
    void open(theirs, other, theirClient)
    await expect.poll(() => signals.length).toBe(3)
    first?.abort()
    await expect.poll(() => signals.length).toBe(4)
    for (const client of [...clients, theirClient]) client.abort()
  })

  test('is answered 503 after 15 seconds, and no longer rendered', async () => {
    const { stuck, timers, signals, id } = await startStuck()
    const waiting = stuck.call('GET', `/render/${id}`)
    await expect.poll(() => signals.length).toBe(1)
    await timers.sleep(14_000)
    expect(signals[0]?.aborted).toBe(false)
    await timers.sleep(2_000)
    const { status, headers, body } = await waiting
    expect([status, headers.get('retry-after')]).toEqual([503, '5'])
    expect(body).toMatchObject({
      name: 'service_unavailable',
      message: expect.stringContaining('took too long'),
    })
    expect(signals[0]?.aborted).toBe(true)
  })

  test('is no longer rendered when its client has gone', async () => {
    const { stuck, signals, id } = await startStuck()
    const client = new AbortController()
    const waiting = fetch(`${stuck.url}/render/${id}`, {
      headers: { Authorization: `Bearer ${stuck.key}` },
      signal: client.signal,
    })
    await expect.poll(() => signals.length).toBe(1)
    client.abort()
    await expect(waiting).rejects.toThrow()
    await expect.poll(() => signals[0]?.aborted).toBe(true)
  })
})
