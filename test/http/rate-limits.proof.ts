import { request } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { DEFAULT_PERMISSIONS, type Plan } from '../../src/domain/caller.ts'
import { ServiceError } from '../../src/domain/errors.ts'
import type { Allowance } from '../../src/domain/rate-limit.ts'
import { ownPayment } from '../../src/platform/processor-time.ts'
import { createInProcessRenderer } from '../../src/renderer/in-process.ts'
import type { Renderer } from '../../src/renderer/renderer.ts'
import { signedIn } from '../support/dashboard.ts'
import { finishedJob } from '../support/finished-job.ts'
import { LONG_FORM } from '../support/long-form.ts'
import { sendRaw } from '../support/raw-request.ts'
import { type Answer, pageBody, startService, type TestService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { openServiceDatabase, stopDatabaseClock } from '../support/test-database.ts'

const UNLIMITED = '2147483647'

/** Time passes only when a test says so. */
const START = Date.UTC(2026, 10, 15, 12)
const clock = { unix: START }
const now = () => new Date(clock.unix).toISOString()
const monotonic = () => performance.now() + clock.unix - START
const secondsPass = async (seconds: number) => {
  clock.unix += seconds * 1000
  await stopDatabaseClock(service.data, clock.unix)
}

/** What pages cost to render, and how previews end, while it is set. */
let rendering: { readonly ms: number; readonly isRefused: boolean } | null = null

/** A renderer whose pages take the processor time that a test names. */
function paidRenderer(renderer: Renderer): Renderer {
  return {
    ...renderer,
    async renderPage(live, turn) {
      if (rendering !== null) turn?.pay?.(rendering.ms)
      return renderer.renderPage(live, turn)
    },
    async preview(...args) {
      if (rendering !== null) ownPayment()(rendering.ms)
      if (rendering?.isRefused) throw new ServiceError('validation_error', 'The page is too complex.')
      return renderer.preview(...args)
    },
  }
}

let service: TestService
let project: string
let page: string
let addresses = 0

beforeAll(async () => {
  service = await startService({
    now,
    monotonic,
    env: { QUOIN_TRUST_PROXY: '127.0.0.1' },
    renderer: (themes) => paidRenderer(createInProcessRenderer(themes)),
  })
  project = await service.newProject()
  page = (await service.call('POST', '/pages', pageBody(project))).body.data.id
  await service.call('POST', `/pages/${page}/publish`)
})
afterAll(() => service.close())
beforeEach(() => secondsPass(2 * 3600))

describe('the headers', () => {
  test.each<[string, number, () => Promise<Answer>]>([
    ['a success', 200, () => get('/users/me')],
    ['a creation', 201, () => service.call('POST', '/projects', { name: 'Headers' })],
    ['a conflict', 400, () => service.call('POST', '/pages', pageBody(project))],
    ['a missing key', 401, () => get('/users/me', { key: null })],
    ['a malformed header', 401, () => get('/users/me', { key: null, headers: { Authorization: 'Basic x' } })],
    ['an unknown key', 403, () => get('/users/me', { key: 'unknown' })],
    ['an unknown route', 404, () => get('/nowhere')],
    ['a wrong state', 409, () => service.call('POST', `/projects/${project}/data-mode/disable`)],
    ['a stale write', 412, () => put({ headers: { 'If-Match': '"0-x"' } })],
    ['a body that is too large', 413, () => service.call('POST', '/pages', ' '.repeat(6 * 1024 * 1024))],
    ['a fault', 422, () => service.call('POST', '/pages', {})],
    ['a legacy call', 200, () => get('/v1/projects')],
    ['a published page', 200, () => get(`/public/${project}/a-page/`, { key: null })],
    ['a missing page', 404, () => get(`/public/${project}/x/`, { key: null })],
    ['a preview', 200, () => get(`/render/${page}`)],
    ['a preview’s missing file', 404, () => get('/render/_assets/x.css', { key: null })],
    ['a health check', 200, () => get('/healthz', { key: null })],
    ['a readiness check', 200, () => get('/readyz', { key: null })],
    ['a preflight', 204, () => service.call('OPTIONS', '/pages', undefined, { key: null })],
  ])('are on %s (%i)', async (_, status, send) => {
    const answer = await send()
    expect(answer.status).toBe(status)
    const { limit, remaining, reset, burstLimit, burstRemaining, retryAfter } = limitsOf(answer)
    for (const value of [limit, remaining, reset, burstLimit, burstRemaining]) expect(value).toMatch(/^\d+$/)
    expect(retryAfter).toBeNull()
  })

  test('name each limited window, in structured fields whose numbers are those of the other headers', async () => {
    const key = await newKey('free')
    await get('/users/me', { key })
    await secondsPass(3)
    const created = await service.call('POST', '/pages', pageBody(project), { key })
    expect(created.headers.get('ratelimit-policy')).toBe(
      '"burst";q=10;w=10, "minute";q=60;w=60, "hour";q=1000;w=3600, "month";q=10000, "endpoint";q=20;w=60',
    )
    const untilDecember = Math.ceil((Date.UTC(2026, 11, 1) - clock.unix) / 1000)
    expect(created.headers.get('ratelimit')).toBe(
      `"burst";r=8;t=7, "minute";r=58;t=57, "hour";r=998;t=3597, "month";r=9998;t=${untilDecember}, "endpoint";r=19;t=60`,
    )
    expect(limitsOf(created)).toMatchObject({ limit: '60', remaining: '58', burstRemaining: '8' })
  })

  test('say in a refusal when the exceeded window opens', async () => {
    const key = await newKey('free')
    await spend(10, () => get('/users/me', { key }))
    const refused = await get('/users/me', { key })
    expect(refused.headers.get('ratelimit')).toMatch(/^"burst";r=0;t=10, "minute";r=50;t=60, /)
    expect(refused.headers.get('retry-after')).toBe('10')
  })

  test('name no window for a key without limits', async () => {
    const { headers } = await get('/users/me', { key: await newKey('enterprise') })
    expect(headers.get('ratelimit-policy')).toBeNull()
    expect(headers.get('ratelimit')).toBeNull()
  })

  test('are on 304, of the API and of a published page', async () => {
    for (const [path, key] of [
      [`/pages/${page}`, service.key],
      [`/public/${project}/a-page/`, null],
    ] as const) {
      const etag = (await get(path, { key })).headers.get('etag') ?? expect.unreachable()
      const again = await get(path, { key, headers: { 'If-None-Match': etag } })
      expect(again.status).toBe(304)
      expect(limitsOf(again).limit).toMatch(/^\d+$/)
    }
  })

  test('are on a refusal of plain HTTP', async () => {
    const strict = await startService({ env: { QUOIN_ALLOW_HTTP: 'false' } })
    const answer = await strict.call('GET', '/users/me')
    expect(answer).toMatchObject({ status: 403, body: { name: 'forbidden' } })
    expect(limitsOf(answer)).toMatchObject({ limit: '100', remaining: '100' })
    await strict.close()
  })

  test('count down, and say when the oldest request of the minute leaves it', async () => {
    const key = await newKey('free')
    const first = clock.unix / 1000
    const seen = []
    for (let i = 0; i < 3; i++) {
      seen.push(limitsOf(await get('/users/me', { key })))
      await secondsPass(7)
    }
    const shown = { limit: '60', burstLimit: '10', reset: String(first + 60), retryAfter: null }
    expect(seen).toEqual([
      { ...shown, remaining: '59', burstRemaining: '9' },
      { ...shown, remaining: '58', burstRemaining: '8' },
      { ...shown, remaining: '57', burstRemaining: '8' },
    ])
  })

  test.each<[Plan, string, string]>([
    ['standard', '100', '100'],
    ['free', '60', '10'],
    ['pro', '300', '50'],
    ['business', '1000', '100'],
    ['enterprise', UNLIMITED, UNLIMITED],
  ])('show for the plan %s the numbers %s a minute and %s in a burst', async (plan, limit, burstLimit) => {
    expect(limitsOf(await get('/users/me', { key: await newKey(plan) }))).toMatchObject({ limit, burstLimit })
  })

  test('show an enterprise key’s own numbers', async () => {
    const key = await newKey('enterprise', { minute: 7, create_page: 1 })
    expect(limitsOf(await get('/users/me', { key }))).toMatchObject({
      limit: '7',
      remaining: '6',
      burstLimit: UNLIMITED,
      burstRemaining: UNLIMITED,
    })
    const creates = [1, 2].map((n) =>
      service.call('POST', '/pages', pageBody(project, { slug: `own-${n}` }), { key }),
    )
    expect((await Promise.all(creates)).map(({ status }) => status).sort()).toEqual([201, 429])
  })
})

describe('a client over its limit', () => {
  test('is answered 429 and told when to come back', async () => {
    const key = await newKey('free')
    await spend(10, () => get('/users/me', { key }))
    await secondsPass(3.5)
    const answer = await get('/users/me', { key })
    expect(answer).toMatchObject({
      status: 429,
      body: {
        statusCode: 429,
        name: 'rate_limit_exceeded',
        message: expect.stringMatching(/10 in 10 seconds\. Try again in 7 s\.$/),
        retry_after: 7,
        limit: 10,
        window: 'burst',
      },
    })
    expect(Object.keys(answer.body)).toHaveLength(6)
    expect(answer.headers.get('retry-after')).toBe('7')
    expect(limitsOf(answer)).toMatchObject({ remaining: '50', burstRemaining: '0', retryAfter: '7' })

    await secondsPass(6)
    expect((await get('/users/me', { key })).status).toBe(429)
    await secondsPass(1)
    expect((await get('/users/me', { key })).status).toBe(200)
  })

  test('harms no other key', async () => {
    const [one, other] = [await newKey('free'), await newKey('free')]
    await spend(10, () => get('/users/me', { key: one }))
    expect((await get('/users/me', { key: one })).status).toBe(429)
    expect(limitsOf(await get('/users/me', { key: other })).burstRemaining).toBe('9')
  })

  test('hears of it before any fault of the route, and has no effect', async () => {
    const key = await newKey('free')
    await spend(10, () => get('/nowhere', { key }), 404)
    const sent = pageBody(project, { slug: 'too-many' })
    for (const send of [
      () => get('/nowhere', { key }),
      () => service.call('POST', '/pages', 'no JSON', { key }),
      () => service.call('POST', '/pages', sent, { key, headers: { 'Idempotency-Key': 'one' } }),
    ])
      expect(await send()).toMatchObject({ status: 429, body: { window: 'burst' } })

    await secondsPass(10)
    const later = await service.call('POST', '/pages', sent, { key, headers: { 'Idempotency-Key': 'one' } })
    expect(later.status).toBe(201)
  })

  test('is held to the minute, the hour and the month as well', async () => {
    const key = await newKey('enterprise', { minute: 3, hour: 5, month: 6 })
    const send = () => get('/users/me', { key })
    await spend(3, send)
    expect((await send()).body).toMatchObject({ window: 'minute', limit: 3, retry_after: 60 })
    await secondsPass(60)
    await spend(2, send)
    expect((await send()).body).toMatchObject({ window: 'hour', limit: 5, retry_after: 3540 })
    await secondsPass(3540)
    await spend(1, send)
    const untilDecember = Math.ceil((Date.UTC(2026, 11, 1) - clock.unix) / 1000)
    expect((await send()).body).toMatchObject({ window: 'month', limit: 6, retry_after: untilDecember })
  })

  test('has 10 of 200 requests answered when it sends them at once', async () => {
    const key = await newKey('free')
    const answers = await Promise.all(Array.from({ length: 200 }, () => get('/users/me', { key })))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(190)
  })

  test('gets 20 refusals a second when it repeats refused requests on eight connections', async () => {
    const key = await newKey('free')
    await spend(10, () => get('/users/me', { key }))
    const started = performance.now()
    const elapsed = () => performance.now() - started
    let refusals = 0
    const repeat = async () => {
      while (elapsed() < 500) {
        expect((await get('/users/me', { key })).status).toBe(429)
        refusals += 1
      }
    }
    await Promise.all(Array.from({ length: 8 }, repeat))
    // The first one is answered at once, and timers may be early by a millisecond.
    expect(refusals).toBeLessThanOrEqual(elapsed() / 50 + 3)
  })
})

describe('the limit of an endpoint', () => {
  const create = (key: string, path: string, n: string) =>
    path.startsWith('/v1')
      ? service.call('POST', path, { project_id: project, page_name: 'New', slug: n, subroute: '' }, { key })
      : service.call('POST', path, pageBody(project, { slug: n }), { key })

  test('counts creating a page on both surfaces together, and nothing else', async () => {
    const key = await newKey('free')
    for (const [round, path] of ['/pages', '/v1/pages'].entries()) {
      let n = 0
      await spend(10, () => create(key, path, `limited-${round}-${n++}`), 201)
      await secondsPass(10)
    }
    const refused = { status: 429, body: { window: 'endpoint', limit: 20, retry_after: 40 } }
    expect(await create(key, '/pages', 'over')).toMatchObject(refused)
    expect(await create(key, '/v1/pages/', 'over')).toMatchObject(refused)
    expect(limitsOf(await get('/users/me', { key }))).toMatchObject({ remaining: '39' })
    await secondsPass(40)
    expect((await create(key, '/pages', 'over')).status).toBe(201)
  })

  test('counts updating pages, whichever', async () => {
    const key = await newKey('enterprise', { update_page: 2 })
    const update = (path: string, body: object) => service.call('PUT', path, body, { key })
    expect((await update(`/pages/${page}`, { title: 'One' })).status).toBe(200)
    expect((await update('/v1/pages/unknown', {})).status).toBe(404)
    expect((await update(`/pages/${page}`, { title: 'Two' })).body).toMatchObject({
      window: 'endpoint',
      limit: 2,
    })
    expect((await service.call('PUT', `/projects/${project}`, { name: 'Site' }, { key })).status).toBe(200)
  })

  test('counts the creation of projects', async () => {
    const key = await newKey('free')
    await spend(4, () => service.call('POST', '/projects', { name: 'One more' }, { key }), 201)
    await spend(1, () => service.call('POST', '/v1/projects', { name: 'One more' }, { key }), 201)
    const { body } = await service.call('POST', '/projects', { name: 'One more' }, { key })
    expect(body).toMatchObject({ window: 'endpoint', limit: 5, retry_after: 60 })
  })
})

describe('without a known key', () => {
  test.each([
    ['no key', 401, () => null],
    ['a malformed key', 403, () => 'malformed'],
    ['ever new keys', 403, (i: number) => `qn_live_${String(i).padStart(38, 'x')}`],
  ])('%s is answered %i until the address is over the limit', async (_, status, tokenOf) => {
    const headers = from(newAddress())
    let i = 0
    await spend(100, () => get('/users/me', { key: tokenOf(i++), headers }), status)
    expect(await get('/users/me', { key: tokenOf(i++), headers })).toMatchObject({
      status: 429,
      body: { window: 'minute', limit: 100, retry_after: 60 },
    })
    expect((await get('/users/me', { headers })).status).toBe(200)
    expect((await get('/users/me', { key: tokenOf(i++), headers: from(newAddress()) })).status).toBe(status)
  })

  test('a revoked key is counted for the address', async () => {
    const headers = from(newAddress())
    await get('/users/me', { key: 'unknown', headers })
    const { accounts } = service.server.service
    const { key, record } = await accounts.createKey(wanted('pro'))
    await accounts.revokeKey(record.id)
    expect(limitsOf(await get('/users/me', { key, headers }))).toMatchObject({
      limit: '100',
      remaining: '98',
    })
  })

  test('an IPv6 network of 64 bits is one client', async () => {
    await get('/users/me', { key: null, headers: from('2001:db8:1:2::1') })
    const remaining = async (address: string) =>
      limitsOf(await get('/users/me', { key: null, headers: from(address) })).remaining
    expect(await remaining('2001:db8:1:2:ffff::9')).toBe('98')
    expect(await remaining('2001:db8:1:3::1')).toBe('99')
  })

  test('what a client says of its own address does not count', async () => {
    const plain = await startService({ now })
    for (const remaining of ['99', '98']) {
      const answer = await plain.call('GET', '/users/me', undefined, {
        key: null,
        headers: from(newAddress()),
      })
      expect(limitsOf(answer).remaining).toBe(remaining)
    }
    await plain.close()
  })
})

describe('a costly request counts as several:', () => {
  const remaining = async (answer: Promise<Answer>) => Number(limitsOf(await answer).remaining)

  test('one more for each 256 KiB of its body, whatever is in it', async () => {
    const key = await newKey('standard')
    const send = (kib: number) => putUnknown(key, 'x'.repeat(kib * 1024))
    expect(await remaining(send(200))).toBe(99)
    expect(await remaining(send(256))).toBe(97)
    expect(await remaining(send(4 * 1024))).toBe(80)
  })

  test('one more for each 5,000 values in its body', async () => {
    const key = await newKey('standard')
    const send = (values: number) => putUnknown(key, Array(values).fill(0))
    expect(await remaining(send(4_900))).toBe(99)
    expect(await remaining(send(25_000))).toBe(93)
  })

  test('a key that sends only bodies of 4 MiB is refused after six of them', async () => {
    const key = await newKey('standard')
    const statuses = []
    for (let i = 0; i < 7; i++) statuses.push((await putUnknown(key, 'x'.repeat(4 * 1024 * 1024))).status)
    expect(statuses).toEqual([422, 422, 422, 422, 422, 422, 429])
  })

  test('one more for each 50 ms of processor time of a preview, also of one that is refused', async () => {
    const key = await newKey('standard')
    const preview = async (ms: number) => {
      rendering = { ms, isRefused: ms > 2_000 }
      const answer = await get(`/render/${page}`, { key })
      rendering = null
      return [answer.status, limitsOf(answer).remaining]
    }
    expect(await preview(40)).toEqual([200, '999'])
    expect(await preview(510)).toEqual([200, '988'])
    expect(await preview(2_001)).toEqual([422, '947'])
    expect(await preview(60_000)).toEqual([422, '846'])
  })

  test('one more for each 50 ms that the page of a publish took to render, and none for that of a job', async () => {
    const key = await newKey('standard')
    const fields = { slug: 'paid', markdown_content: 'Paid for.' }
    const { body } = await service.call('POST', '/pages', pageBody(project, fields))
    rendering = { ms: 510, isRefused: false }
    const published = await service.call('POST', `/pages/${body.data.id}/publish`, undefined, { key })
    expect([published.status, limitsOf(published).remaining]).toEqual([200, '89'])
    const edit = { markdown_content: 'Edited.' }
    expect((await service.call('PUT', `/pages/${body.data.id}`, edit)).status).toBe(200)
    const bulk = { pages: [body.data.id] }
    const accepted = await service.call('POST', `/projects/${project}/publish`, bulk, { key })
    expect(accepted.status).toBe(202)
    await finishedJob(service, accepted.body.data.id)
    rendering = null
    expect(limitsOf(await get('/users/me', { key })).remaining).toBe('87')
  })

  test('one more for each 50 ms that a page of the dashboard took to render', async () => {
    const owner = await signedIn(service)
    const document = `/dashboard/projects/${project}/pages/${page}/document`
    const seen: number[] = []
    for (const ms of [0, 1_000, 0]) {
      rendering = { ms, isRefused: false }
      seen.push(Number((await owner.get(document)).headers.get('x-ratelimit-remaining')))
    }
    rendering = null
    expect([seen[0], seen[2]].map((left) => Number(left) - Number(seen[1]))).toEqual([21, -1])
  })

  test('one more for each 256 KiB of an answer, but not of published files', async () => {
    const key = await newKey('standard')
    const fields = { slug: 'long', markdown_content: 'Word. '.repeat(100_000) }
    const { body } = await service.call('POST', '/pages', pageBody(project, fields))
    const read = async () => Number(limitsOf(await get(`/pages/${body.data.id}`, { key })).remaining)
    const first = await read()
    expect(first - (await read())).toBe(3)
    expect((await service.call('POST', `/pages/${body.data.id}/publish`)).status).toBe(200)
    const headers = from(newAddress())
    const visited = await get(`/public/${project}/long/`, { key: null, headers })
    expect(visited.body.length).toBeGreaterThan(256 * 1024)
    expect(limitsOf(visited).remaining).toBe('999')
  })
})

describe('visits', () => {
  test.runIf(LONG_FORM)('have 1,000 a minute for each address, apart from its calls', async () => {
    const headers = from(newAddress())
    const visit = (path: string) => get(path, { key: null, headers })
    await spend(500, () => visit(`/public/${project}/a-page/`))
    await spend(499, () => visit(`/render/_assets/missing.css`), 404)
    await spend(1, () => visit(`/render/${page}`), 401)
    for (const path of [`/public/${project}/a-page/`, '/render/_assets/missing.css', `/render/${page}`]) {
      expect(await visit(path)).toMatchObject({
        status: 429,
        body: { window: 'minute', limit: 1000, retry_after: 60 },
      })
    }
    expect(limitsOf(await visit('/users/me'))).toMatchObject({ limit: '100', remaining: '99' })
  })

  test('with a key are counted for the key, apart from its calls', async () => {
    const key = await newKey('free')
    const shown = []
    for (const path of [`/public/${project}/a-page/`, `/render/${page}`, '/users/me'])
      shown.push(limitsOf(await get(path, { key })))
    expect(shown).toMatchObject([
      { limit: '1000', remaining: '999', burstLimit: '1000' },
      { limit: '1000', remaining: '998' },
      { limit: '60', remaining: '59' },
    ])
  })

  test('count too when they are to the documents about the API', async () => {
    const headers = from(newAddress())
    const shown = []
    for (const path of ['/reference', '/reference/style.css', '/openapi.json', '/schemas/sections.json'])
      shown.push(limitsOf(await get(path, { key: null, headers })).remaining)
    expect(shown).toEqual(['999', '998', '997', '996'])
  })

  test('through a signed link count too', async () => {
    const { body } = await service.call('POST', `/pages/${page}/preview`)
    const headers = from(newAddress())
    const path = `/render/${page}?token=${encodeURIComponent(body.data.token)}`
    const answer = await get(path, { key: null, headers })
    expect(answer.status).toBe(200)
    expect(limitsOf(answer)).toMatchObject({ limit: '1000', remaining: '999' })
  })

  test('count too on the own host of a site, whatever the path', async () => {
    const hosting = { subdomain: 'limits' }
    expect((await service.call('PUT', `/projects/${project}`, { hosting })).status).toBe(200)
    const address = newAddress()
    const seen = []
    for (const path of ['/a-page/', '/healthz', '/pages'])
      seen.push(await visitHost('limits.sites.quoin.test', path, address))
    expect(seen).toEqual([
      { status: 200, limit: '1000', remaining: '999' },
      { status: 404, limit: '1000', remaining: '998' },
      { status: 404, limit: '1000', remaining: '997' },
    ])
  })

  test('take on the own host of a site nothing of what a key may do, though its paths are called alike', async () => {
    const hosting = { subdomain: 'limits' }
    expect((await service.call('PUT', `/projects/${project}`, { hosting })).status).toBe(200)
    const key = await newKey('enterprise', { minute: 1, create_page: 1 })
    const headers = { Host: 'limits.sites.quoin.test', Authorization: `Bearer ${key}` }
    for (let i = 0; i < 3; i++)
      expect((await sendRaw(service.url, '/pages', { method: 'POST', headers })).status).toBe(405)
    const created = await service.call('POST', '/pages', pageBody(project, { slug: 'by-key' }), { key })
    expect(created.status).toBe(201)
  })
})

describe('uncounted requests', () => {
  test('health checks and preflights show how the address stands', async () => {
    const headers = from(newAddress())
    await get('/users/me', { key: null, headers })
    for (const path of ['/healthz', '/readyz', '/healthz'])
      expect(limitsOf(await get(path, { key: null, headers })).remaining).toBe('99')
    const preflight = await service.call('OPTIONS', '/pages', undefined, { key: null, headers })
    expect(limitsOf(preflight)).toMatchObject({ limit: '100', remaining: '99' })
  })
})

describe('the count of the month', () => {
  test('outlives a restart of the service', async () => {
    const data = await temporaryFolder()
    const first = await startService({ data, now })
    const key = await newKey('enterprise', { month: 3 }, first)
    for (let i = 0; i < 2; i++) await first.call('GET', '/users/me', undefined, { key })
    await first.close()

    const second = await startService({ data, now })
    const statuses = []
    for (let i = 0; i < 2; i++)
      statuses.push((await second.call('GET', '/users/me', undefined, { key })).status)
    expect(statuses).toEqual([200, 429])
    await second.close()
  })
})

function get(path: string, options: { key?: string | null; headers?: Record<string, string> } = {}) {
  return service.call('GET', path, undefined, options)
}

function put(options: { headers: Record<string, string> }) {
  return service.call('PUT', `/pages/${page}`, { title: 'New' }, options)
}

function putUnknown(key: string, unknown: unknown) {
  return service.call('PUT', `/pages/${page}`, { unknown }, { key })
}

/** Sends one after the other; each is answered with this status. */
async function spend(times: number, send: () => Promise<Answer>, status = 200): Promise<void> {
  for (let i = 0; i < times; i++) expect((await send()).status).toBe(status)
}

function from(address: string): Record<string, string> {
  return { 'X-Forwarded-For': address }
}

function newAddress(): string {
  return `198.51.100.${++addresses}`
}

async function newKey(plan: Plan, limits: Partial<Allowance> | null = null, of = service): Promise<string> {
  const { key, record } = await of.server.service.accounts.createKey(wanted(plan))
  if (limits !== null) {
    const { writer, reader } = await openServiceDatabase(of.data)
    await writer('api_keys')
      .where({ id: record.id })
      .update({ limits: JSON.stringify(limits) })
    await Promise.all([writer.destroy(), reader.destroy()])
  }
  return key
}

function wanted(plan: Plan) {
  return {
    userId: null,
    projectScope: null,
    name: 'test',
    plan,
    permissions: DEFAULT_PERMISSIONS,
    expiresAt: null,
  }
}

function limitsOf({ headers }: Answer) {
  return {
    limit: headers.get('x-ratelimit-limit'),
    remaining: headers.get('x-ratelimit-remaining'),
    reset: headers.get('x-ratelimit-reset'),
    burstLimit: headers.get('x-ratelimit-burst-limit'),
    burstRemaining: headers.get('x-ratelimit-burst-remaining'),
    retryAfter: headers.get('x-ratelimit-retry-after'),
  }
}

/** `fetch` cannot name another host than it connects to. */
function visitHost(host: string, path: string, address: string): Promise<object> {
  return new Promise((resolve, reject) => {
    request(service.url + path, { headers: { ...from(address), host } }, (response) => {
      response.resume()
      const { 'x-ratelimit-limit': limit, 'x-ratelimit-remaining': remaining } = response.headers
      resolve({ status: response.statusCode, limit, remaining })
    })
      .on('error', reject)
      .end()
  })
}
