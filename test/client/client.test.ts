import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ApiError } from '../../src/client/api-error.ts'
import { type Client, createClient } from '../../src/client/client.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
let client: Client
let project: string

beforeAll(async () => {
  service = await startService()
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
    expect(legacy).toHaveLength(
      (await client.request('GET /pages', { query: { project_id: project } })).meta.total,
    )
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

  test('says so when something else than the service answers', async () => {
    const { fetch } = scripted([async () => new Response('<h1>Bad gateway</h1>', { status: 502 })])
    await expect(scriptedClient(fetch).request('GET /users/me')).rejects.toMatchObject({
      name: 'unexpected_answer',
      statusCode: 502,
    })
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
