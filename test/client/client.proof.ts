import { createReadStream, type ReadStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ApiError } from '../../src/client/api-error.ts'
import { type Client, createClient } from '../../src/client/client.ts'
import { startService, type TestService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let service: TestService
let client: Client
let project: string

beforeAll(async () => {
  service = await startService({ env: { QUOIN_MAX_IMAGE: '1', QUOIN_MAX_FILE: '1' } })
  client = createClient({ baseUrl: `${service.url}/`, key: service.key })
  project = (await client.request('POST /projects', { body: { name: 'Site' } })).data.id
})
afterAll(() => service.close())

const newPage = (slug: string, type: 'article' | 'docs' = 'article') =>
  client.request('POST /pages', {
    body: { project_id: project, title: 'A page', slug, subroute: 'blog', type },
  })

describe('a client', () => {
  test('creates, edits, publishes and reads a page', async () => {
    const { data: created } = await newPage('round')
    await client.request('PUT /pages/{id}', {
      path: { id: created.id },
      body: { markdown_content: 'It *works*.' },
    })
    const { data: live } = await client.request('POST /pages/{id}/publish', { path: { id: created.id } })
    expect(live.status).toBe('published')
    const { data: page } = await client.request('GET /pages/{id}', { path: { id: created.id } })
    expect(page).toMatchObject({ page_name: 'A page', status: 'published', markdown_content: 'It *works*.' })
    expect(page.stale).toEqual([])
  })

  test('walks a list to its end, whatever the size of its pages', async () => {
    const slugs = ['one', 'two', 'three', 'four', 'five']
    for (const slug of slugs) await newPage(slug, 'docs')
    const found: string[] = []
    const query = { project_id: project, type: 'docs', limit: 2, sort: 'created_at', order: 'asc' } as const
    for await (const { slug } of client.items('GET /pages', { query })) found.push(slug)
    expect(found).toEqual(slugs)

    const legacy: string[] = []
    for await (const page of client.items('GET /v1/pages', { query: { project_id: project, limit: 3 } }))
      legacy.push(page.page_name)
    const { meta } = await client.request('GET /pages', { query: { project_id: project } })
    expect(legacy).toHaveLength(meta.total ?? Number.NaN)
  })

  test('reads a page as Markdown, and a preview as HTML', async () => {
    const { data } = await newPage('as-text')
    const path = { id: data.id }
    expect(await client.text('GET /pages/{id}', { path, query: { format: 'markdown' } })).toMatch(/^---\n/)
    expect(await client.text('GET /render/{id}', { path })).toContain('</html>')
  })

  test('guards a change by what it read', async () => {
    const { data } = await newPage('guarded')
    const path = { id: data.id }
    const { headers } = await client.send('GET /pages/{id}', { path })
    const ifMatch = headers.get('etag') ?? ''
    await client.request('PUT /pages/{id}', { path, body: { title: 'First' }, ifMatch })
    await expect(
      client.request('PUT /pages/{id}', { path, body: { title: 'Second' }, ifMatch }),
    ).rejects.toMatchObject({ name: 'precondition_failed', statusCode: 412 })
  })

  test('throws what the service answered', async () => {
    const refused = client.request('GET /pages/{id}', { path: { id: 'page_none' } })
    await expect(refused).rejects.toBeInstanceOf(ApiError)
    await expect(refused).rejects.toMatchObject({
      name: 'not_found',
      statusCode: 404,
      message: 'No page has the id "page_none".',
      requestId: expect.stringMatching(/^[\x21-\x7e]+$/),
      retryAfter: null,
    })
  })

  test.each(['', '.', '..'])('does not let the id %j lead to another path', async (id) => {
    await expect(client.request('DELETE /pages/{id}', { path: { id } })).rejects.toThrow(RangeError)
  })

  test('sends any other id as one part of the path', async () => {
    const odd = client.request('GET /pages/{id}', { path: { id: '../projects?x=#y' } })
    await expect(odd).rejects.toMatchObject({
      name: 'not_found',
      message: expect.stringContaining('../projects?x=#y'),
    })
  })
})

test('the types refuse what the API would', () => {
  // Never called: the compiler reads it.
  const mistakes = (api: Client) => [
    // @ts-expect-error there is no such operation.
    api.request('GET /nothing'),
    // @ts-expect-error a page needs a project, a slug, a subroute and a type.
    api.request('POST /pages', { body: { title: 'A page' } }),
    // @ts-expect-error a page needs a title, under either of its names.
    api.request('POST /pages', { body: { project_id: 'p', slug: 's', subroute: '', type: 'page' } }),
    // @ts-expect-error the id is missing.
    api.request('GET /pages/{id}'),
    // @ts-expect-error there is no such order.
    api.request('GET /projects', { query: { order: 'random' } }),
    // @ts-expect-error a list of pages is a list of one project.
    api.items('GET /pages'),
    // @ts-expect-error one page is no list.
    api.items('GET /pages/{id}', { path: { id: 'page_x' } }),
    // @ts-expect-error this answers with JSON only.
    api.text('GET /projects'),
  ]
  expect(mistakes).toBeTypeOf('function')
})

describe('the methods of a client', () => {
  test('create, change, publish and read a page', async () => {
    const { id } = await client.pages.create({
      project_id: project,
      title: 'By method',
      slug: 'by-method',
      subroute: 'blog',
      type: 'article',
    })
    await client.pages.update(id, { markdown_content: 'It *works*.' })
    const plan = await client.pages.publish(id, undefined, { query: { dry_run: true } })
    expect(plan.objects.length).toBeGreaterThan(0)
    const live = await client.pages.publish(id)
    expect(live.status).toBe('published')
    const at = new Date(Date.now() + 86_400_000).toISOString()
    expect((await client.pages.publish(id, { publish_at: at })).status).toBe('queued')
    expect((await client.pages.publish(id, { publish_at: null })).publish_at).toBeNull()
    expect(await client.pages.get(id)).toMatchObject({ page_name: 'By method', status: 'published' })
    expect(await client.pages.markdown(id)).toMatch(/^---\n/)
    expect(await client.pages.preview(id)).toContain('</html>')
    expect(await client.pages.unpublish(id)).toMatchObject({ status: 'draft' })
    expect(await client.pages.delete(id)).toMatchObject({ id, deleted: true })
  })

  test('iterate over lists of any length', async () => {
    const { id } = await client.projects.create({ name: 'Many pages' })
    const slugs = ['a1', 'b1', 'c1', 'd1', 'e1']
    for (const slug of slugs)
      await client.pages.create({ project_id: id, title: 'A', slug, subroute: '', type: 'page' })
    const found: string[] = []
    const query = { project_id: id, limit: 2, sort: 'created_at', order: 'asc' } as const
    for await (const { slug } of client.pages.list(query)) found.push(slug)
    expect(found).toEqual(slugs)
  })

  test('wait for a job, and report its progress', async () => {
    const { id } = await client.projects.create({ name: 'Waits' })
    const page = await client.pages.create({
      project_id: id,
      title: 'A',
      slug: 'aa',
      subroute: '',
      type: 'page',
    })
    const started = await client.projects.publish(id, { pages: [page.id] })
    const job = await client.jobs.wait(started.id)
    expect(job).toMatchObject({ status: 'succeeded', total: 1, done: 1 })
    const late = client.jobs.wait(started.id, { signal: AbortSignal.abort(new Error('No longer wanted.')) })
    await expect(late).rejects.toThrow('No longer wanted.')
  })

  test('reach nested records, settings and the caller', async () => {
    expect((await client.settings.update(project, { footer_text: 'By us.' })).updated_fields).toEqual([
      'footer_text',
    ])
    expect((await client.settings.get(project)).footer_text).toBe('By us.')
    const webhook = await client.webhooks.create(project, { url: 'https://example.com/hook' })
    await client.webhooks.update(project, webhook.id, { description: 'Ours' })
    expect((await client.webhooks.get(project, webhook.id)).description).toBe('Ours')
    expect(await client.webhooks.delete(project, webhook.id)).toMatchObject({ deleted: true })
    expect((await client.users.me()).project_scope).toBeNull()
    expect((await client.dataMode.get(project)).enabled).toBe(false)
  })

  test('throw errors with every invalid field', async () => {
    const refused = client.projects.create({ name: '' })
    await expect(refused).rejects.toMatchObject({
      name: 'validation_error',
      errors: [{ field: 'name', code: 'wrong_length' }],
    })
    await expect(client.pages.get('page_none')).rejects.toMatchObject({ name: 'not_found', errors: [] })
  })

  test('have types as narrow as the answers', () => {
    // Never called: the compiler reads it.
    const uses = async (api: Client) => {
      const at: string = (await api.pages.publish('p')).published_at
      const due: 'queued' | 'running' | 'succeeded' | 'failed' = (
        await api.pages.publish('p', { publish_at: '2030-01-01' })
      ).status
      const { status } = await api.send('POST /pages/{id}/publish', { path: { id: 'p' } })
      const code: 200 | 202 = status
      // @ts-expect-error a page needs a slug, a subroute and a type.
      await api.pages.create({ project_id: 'p', title: 'A' })
      // @ts-expect-error there is no such type of page.
      const other: 'news' = (await api.pages.get('p')).type
      // @ts-expect-error a list of pages is a list of one project.
      api.pages.list({})
      return [at, due, code, other]
    }
    expect(uses).toBeTypeOf('function')
  })
})

describe('what a client sends again', () => {
  test('is a request that was limited, once the wait is over', async () => {
    const { fetch, sent } = scripted([limited(1), limited(1), ok({ data: { id: 'usr_1' } })])
    const started = performance.now()
    const me = await scriptedClient(fetch).request('GET /users/me')
    expect(me.data.id).toBe('usr_1')
    expect(sent).toHaveLength(3)
    expect(performance.now() - started).toBeGreaterThanOrEqual(1990)
  })

  test('is a request that the service had no room for, after the time in its header', async () => {
    const { fetch, sent } = scripted([unavailable(1), ok({ data: { id: 'usr_1' } })])
    const me = await scriptedClient(fetch).request('GET /users/me')
    expect(me.data.id).toBe('usr_1')
    expect(sent).toHaveLength(2)
  })

  test('is not one that would have to wait long', async () => {
    const { fetch, sent } = scripted([limited(86_400)])
    await expect(scriptedClient(fetch).request('GET /users/me')).rejects.toMatchObject({
      name: 'rate_limit_exceeded',
      retryAfter: 86_400,
    })
    expect(sent).toHaveLength(1)
  })

  test('is a request that was lost, a POST under the same Idempotency-Key', async () => {
    const { fetch, sent } = scripted([lost, cut, ok({ data: {} })])
    await scriptedClient(fetch).request('POST /projects', { body: { name: 'Once' } })
    const keys = sent.map(({ headers }) => new Headers(headers).get('idempotency-key'))
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
    expect(new Set(keys).size).toBe(1)
    expect(keys).toHaveLength(3)
  })

  test('is nothing that would be answered otherwise the second time', async () => {
    const { fetch, sent } = scripted([lost, lost])
    const once = scriptedClient(fetch)
    const path = { id: 'page_x' }
    await expect(once.request('DELETE /pages/{id}', { path })).rejects.toThrow(TypeError)
    await expect(once.request('PUT /pages/{id}', { path, body: {}, ifMatch: '"1-x"' })).rejects.toThrow(
      TypeError,
    )
    expect(sent).toHaveLength(2)
  })

  test('is given up after the retries', async () => {
    const { fetch, sent } = scripted([lost, lost])
    await expect(
      createClient({ baseUrl: 'http://service.test', key: 'k', fetch, retries: 1 }).request('GET /users/me'),
    ).rejects.toThrow('fetch failed')
    expect(sent).toHaveLength(2)
  })

  test('is given up when the caller does', async () => {
    const { fetch, sent } = scripted([limited(30)])
    const giveUp = new AbortController()
    const asked = scriptedClient(fetch).request('GET /users/me', { signal: giveUp.signal })
    setTimeout(() => giveUp.abort(new Error('No longer wanted.')), 20)
    await expect(asked).rejects.toThrow('No longer wanted.')
    expect(sent).toHaveLength(1)
  })

  test('is a request that a proxy refused for a while, unless it may have had its effect', async () => {
    const busy: Step = async () =>
      new Response('<h1>Busy</h1>', {
        status: 503,
        headers: { 'Retry-After': '0', 'Content-Type': 'text/html' },
      })
    const { fetch, sent } = scripted([busy, ok({ data: {} }), busy])
    const client = scriptedClient(fetch)
    await client.projects.create({ name: 'Once' })
    await expect(client.pages.delete('page_x')).rejects.toMatchObject({ statusCode: 503 })
    expect(sent).toHaveLength(3)
  })

  test('is a request whose answer takes longer than the time limit', async () => {
    const never: Step = () => new Promise(() => {})
    const { fetch, sent } = scripted([never, ok({ data: { id: 'usr_1' } }), never])
    const timed: typeof fetch = (url, init) =>
      Promise.race([
        fetch(url, init),
        new Promise<never>((_, reject) =>
          init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)),
        ),
      ])
    const client = createClient({ baseUrl: 'http://service.test', key: 'k', fetch: timed, timeLimit: 0.05 })
    expect((await client.users.me()).id).toBe('usr_1')
    await expect(client.pages.delete('page_x')).rejects.toMatchObject({ name: 'TimeoutError' })
    expect(sent).toHaveLength(3)
  })

  test.each([
    [
      'an error of a proxy',
      new Response('<h1>Bad gateway</h1>', { status: 502, headers: { 'Content-Type': 'text/html' } }),
      '(502, text/html) is not of a Quoin server',
    ],
    [
      'a page where JSON was expected',
      new Response('<h1>Welcome</h1>', { headers: { 'Content-Type': 'text/html' } }),
      '(200, text/html) is not of a Quoin server',
    ],
    [
      'a redirect',
      new Response(null, { status: 301, headers: { Location: 'https://www.service.test/' } }),
      'redirects to https://www.service.test/. Use the address that it leads to.',
    ],
  ])('is nothing that something else answered: %s', async (_, response, message) => {
    const { fetch, sent } = scripted([async () => response])
    await expect(scriptedClient(fetch).request('GET /users/me')).rejects.toMatchObject({
      name: 'unexpected_answer',
      statusCode: response.status,
      message: expect.stringContaining(message),
    })
    expect(sent).toHaveLength(1)
  })
})

type Step = () => Promise<Response>

/** A `fetch` that goes through these steps, one a call, and remembers what it was given. */
function scripted(steps: readonly Step[]) {
  const sent: RequestInit[] = []
  const left = [...steps]
  const fetch = (async (_url: string, init: RequestInit) => {
    sent.push(init)
    const step = left.shift()
    if (step === undefined) throw new Error('Asked once more than expected.')
    return step()
  }) as typeof globalThis.fetch
  return { fetch, sent }
}

function scriptedClient(fetch: typeof globalThis.fetch): Client {
  return createClient({ baseUrl: 'http://service.test', key: 'k', fetch })
}

const ok =
  (body: object): Step =>
  async () =>
    Response.json(body)

const limited =
  (seconds: number): Step =>
  async () =>
    Response.json(
      { statusCode: 429, name: 'rate_limit_exceeded', message: 'Too many.', retry_after: seconds },
      { status: 429 },
    )

const unavailable =
  (seconds: number): Step =>
  async () =>
    Response.json(
      { statusCode: 503, name: 'service_unavailable', message: 'No room.' },
      { status: 503, headers: { 'Retry-After': String(seconds) } },
    )

const lost: Step = async () => {
  throw new TypeError('fetch failed')
}

/** The connection breaks while the body is read. */
const cut: Step = async () =>
  new Response(
    new ReadableStream({
      start: (controller) => controller.error(new TypeError('terminated')),
    }),
  )

describe('files', () => {
  const bytes = new Uint8Array(300_000).fill(7)

  test('are uploaded with progress, found, listed, replaced and deleted', async () => {
    const progress: number[] = []
    async function* chunks() {
      for (let start = 0; start < bytes.length; start += 100_000) yield bytes.subarray(start, start + 100_000)
    }
    const asset = await client.assets.upload(
      project,
      { name: 'data/sevens.bin', content: chunks, alt: 'Sevens' },
      { onProgress: (sent) => progress.push(sent) },
    )
    expect(asset).toMatchObject({ name: 'data/sevens.bin', bytes: bytes.length, alt: 'Sevens' })
    expect(progress).toEqual([100_000, 200_000, 300_000])
    const again = await client.assets.upload(project, { name: 'data/sevens.bin', content: bytes })
    expect(again.id).toBe(asset.id)
    expect(await client.assets.missing(project, { digests: [asset.digest, '0'.repeat(64)] })).toEqual({
      missing: ['0'.repeat(64)],
    })
    const replaced = await client.assets.replace(asset.id, new Blob(['%PDF-1.7']))
    expect(replaced).toMatchObject({ kind: 'document', bytes: 8 })
    const names: string[] = []
    for await (const { name } of client.assets.list(project)) names.push(name)
    expect(names).toEqual(['data/sevens.bin'])
    expect(await client.assets.delete(asset.id)).toEqual({ id: asset.id, deleted: true })
  })

  test('are not sent twice from a stream, and whole ones are', async () => {
    const lossy = (attempts: string[]) =>
      createClient({
        baseUrl: service.url,
        key: service.key,
        async fetch(url, init) {
          attempts.push(String(url))
          if (attempts.length === 1) throw new TypeError('The connection was lost.')
          return fetch(url, init)
        },
      })
    const once: string[] = []
    const stream = new Blob(['stream']).stream() as unknown as AsyncIterable<Uint8Array>
    await expect(lossy(once).assets.upload(project, { name: 'a.txt', content: stream })).rejects.toThrow(
      'lost',
    )
    expect(once).toHaveLength(1)
    const twice: string[] = []
    expect(await lossy(twice).assets.upload(project, { name: 'b.txt', content: bytes })).toMatchObject({
      name: 'b.txt',
    })
    expect(twice).toHaveLength(2)
  })

  test('reject with the refusal when they are refused before they are sent', async () => {
    const content = () =>
      new Blob([new Uint8Array(10 * 1024 ** 2)]).stream() as unknown as AsyncIterable<Uint8Array>
    await expect(client.assets.upload(project, { name: '../up', content })).rejects.toMatchObject({
      statusCode: 422,
    })
    await expect(client.assets.upload(project, { name: 'huge.bin', content })).rejects.toMatchObject({
      name: 'payload_too_large',
    })
  })

  test('are closed when the answer comes before all of them was sent, or none comes', async () => {
    const file = join(await temporaryFolder(), 'large.bin')
    await writeFile(file, new Uint8Array(10 * 1024 ** 2))
    const lost = createClient({ baseUrl: 'http://127.0.0.1:1', key: service.key, retries: 1 })
    const opened: ReadStream[] = []
    const content = () => {
      opened.push(createReadStream(file))
      return opened.at(-1) as ReadStream
    }
    await client.assets.upload(project, { name: '../up', content }).catch(() => {})
    await lost.assets.upload(project, { name: 'up.bin', content }).catch(() => {})
    expect(opened).toHaveLength(3)
    await expect.poll(() => opened.filter(({ closed }) => !closed)).toEqual([])
  })
})
