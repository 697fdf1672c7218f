import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { WEBHOOK_MESSAGES } from '../../src/http/current/webhook-messages.ts'
import { finishedJob } from '../support/finished-job.ts'
import { type Answer, type Got, type Receiver, startReceiver, verified } from '../support/receiver.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** @throws unless it is as the description of the API says. */
function assertDescribed(got: Got): void {
  const { schema } =
    WEBHOOK_MESSAGES.find(({ name }) => name === got.body.type) ?? expect.unreachable(got.body.type)
  schema.parse(got.body)
}

let service: TestService
/** How far the service's clock is ahead of the real one, by which signatures are verified. */
let ahead = 0
let project: string
let receiver: Receiver
let answer: Answer

beforeAll(async () => {
  service = await startService({
    now: () => new Date(Date.now() + ahead).toISOString(),
    env: { QUOIN_WEBHOOK_ALLOW_PRIVATE: 'true' },
  })
})
afterAll(() => service.close())
beforeEach(async () => {
  ahead = 0
  answer = (_, response) => void response.writeHead(204).end()
  receiver = await startReceiver((...request) => answer(...request))
  project = await service.newProject()
})
afterEach(() => {
  for (const got of receiver.got) assertDescribed(got)
  return receiver.close()
})

const hooks = (path = '', of = project) => `/projects/${of}/webhooks${path}`
const create = async (fields: object = {}, of = project) =>
  (await service.call('POST', hooks('', of), { url: receiver.url, ...fields })).body.data
const newPage = async (slug = 'a-page', of = project) =>
  (await service.call('POST', '/pages', pageBody(of, { slug }))).body.data.id as string
const publish = (page: string) => service.call('POST', `/pages/${page}/publish`)
const get = async (id: string) => (await service.call('GET', hooks(`/${id}`))).body.data
const deliveries = async (id: string, query = '') =>
  (await service.call('GET', hooks(`/${id}/deliveries${query}`))).body.data

/** Resolves with the webhook's deliveries once all have come to rest that were tried. */
async function settled(id: string, isSo: (list: { status: string; tries: unknown[] }[]) => boolean) {
  await expect.poll(async () => isSo(await deliveries(id)), { interval: 20 }).toBe(true)
  return deliveries(id)
}

describe('a publish', () => {
  test('is sent with all documented fields, signed per Standard Webhooks', async () => {
    const webhook = await create()
    const page = await newPage()
    const { body } = await publish(page)
    const [got = expect.unreachable()] = await receiver.first(1)
    expect(verified(got, webhook.secret)).toEqual({
      type: 'page.published',
      timestamp: expect.any(String),
      data: {
        project_id: project,
        page_id: page,
        page_name: 'A page',
        slug: 'a-page',
        subroute: '',
        page_type: 'article',
        status: 'published',
        url: body.data.url,
        published_at: body.data.published_at,
        release_id: body.data.release_id,
      },
    })
    expect(got.id).toMatch(/^evt_/)
    expect(() => verified(got, `whsec_${Buffer.alloc(32).toString('base64')}`)).toThrow()
  })

  test('is sent for every way to publish, and for an unpublish', async () => {
    await create()
    const [one, two] = [await newPage('one'), await newPage('two')]
    await publish(one)
    await publish(one)
    await service.call('PUT', `/pages/${one}`, { status: 'draft' })
    await service.call('POST', '/v1/pages/publish', { page_id: one })
    await service.call('POST', '/v1/pages/unpublish', { page_id: one })
    const { body } = await service.call('POST', `/projects/${project}/publish`, { pages: [one, two] })
    await finishedJob(service, body.data.id)
    await service.call('DELETE', `/pages/${two}`)
    const seen = (await receiver.first(8)).map(({ body: { type, data } }) => `${type} ${data.slug}`)
    expect(seen.sort()).toEqual(
      [
        ...['published one', 'published one', 'unpublished one', 'published one', 'unpublished one'],
        ...['published one', 'published two', 'unpublished two'],
      ]
        .map((text) => `page.${text}`)
        .sort(),
    )
  })

  test('sends nothing when it is refused', async () => {
    const { id } = await create({ events: ['page.published', 'page.updated'] })
    await publish(await newPage())
    await service.call('PUT', `/projects/${project}/settings`, { theme: 'dark' })
    const other = await newPage('other')
    await service.call('PUT', `/pages/${other}`, { slug: 'a-page', status: 'published' })
    expect(await deliveries(id)).toHaveLength(1)
  })
})

test('the other events are for those who ask for them', async () => {
  const events = ['page.created', 'page.updated', 'page.deleted', 'release.rolled_back']
  await create({ events })
  const page = await newPage()
  const first = (await publish(page)).body.data.release_id
  await service.call('PUT', `/pages/${page}`, { title: 'Another' })
  await publish(page)
  await service.call('POST', `/pages/${page}/rollback`, { release_id: first })
  await service.call('DELETE', `/pages/${page}`)
  const told = (await receiver.first(4)).map(({ body }) => [body.type, body.data.page_name, body.data.status])
  expect(told.sort()).toEqual([
    ['page.created', 'A page', 'draft'],
    ['page.deleted', 'Another', 'deleted'],
    ['page.updated', 'Another', 'published'],
    ['release.rolled_back', 'A page', 'published'],
  ])
})

test('a webhook hears of its own project only, and one event has one id for all that hear it', async () => {
  const elsewhere = await service.newProject()
  await create({ url: `${receiver.url}/1` })
  await create({ url: `${receiver.url}/2` })
  await create({ url: `${receiver.url}/elsewhere` }, elsewhere)
  await publish(await newPage('here', project))
  await publish(await newPage('there', elsewhere))
  const told = (await receiver.first(3)).map(({ body, id }) => ({ project: body.data.project_id, id }))
  const here = told.filter((one) => one.project === project)
  expect(here).toHaveLength(2)
  expect(new Set(here.map(({ id }) => id)).size).toBe(1)
  expect(told.filter((one) => one.project === elsewhere)).toHaveLength(1)
})

test('it is created with defaults, shown without its secret, changed and deleted', async () => {
  const { secret, ...webhook } = await create({ description: 'Rebuild' })
  expect(Buffer.from(secret.replace('whsec_', ''), 'base64')).toHaveLength(32)
  expect(webhook).toEqual({
    id: expect.stringMatching(/^whk_/),
    url: receiver.url,
    events: ['page.published', 'page.unpublished'],
    description: 'Rebuild',
    active: true,
    coalesce_seconds: 0,
    failing_since: null,
    off_reason: null,
    created_at: expect.any(String),
  })
  expect(await get(webhook.id)).toEqual(webhook)
  const list = await service.call('GET', hooks())
  expect(list.body).toEqual({ data: [webhook] })
  const read = await service.call('GET', hooks(`/${webhook.id}`))
  const edited = await service.call(
    'PUT',
    hooks(`/${webhook.id}`),
    { ...read.body.data, description: 'Rebuilds' },
    { headers: { 'If-Match': read.headers.get('etag') ?? '' } },
  )
  expect(edited.body.data).toEqual({ ...webhook, description: 'Rebuilds' })
  const stale = await service.call(
    'PUT',
    hooks(`/${webhook.id}`),
    { active: false },
    { headers: { 'If-Match': read.headers.get('etag') ?? '' } },
  )
  expect(stale.status).toBe(412)
  expect((await service.call('DELETE', hooks(`/${webhook.id}`))).body.data).toEqual({
    id: webhook.id,
    deleted: true,
  })
  expect((await service.call('GET', hooks(`/${webhook.id}`))).status).toBe(404)
})

test.each([
  [{}, 'missing_required_field', 'url: required.'],
  [{ url: 'nowhere' }, 'validation_error', 'url: must be a URL such as https://example.com/hooks.'],
  [
    { url: 'ftp://example.com/' },
    'validation_error',
    'url: must be a URL such as https://example.com/hooks.',
  ],
  [{ url: 'https://a:b@example.com/' }, 'validation_error', /^url: must not hold a user name or password/],
  [{ url: `https://example.com/${'a'.repeat(2048)}` }, 'validation_error', /^url: must have at most 2048/],
  [{ url: '😀'.repeat(1500) }, 'validation_error', /^url: must have at most 2048/],
  [{ url: 'https://example.com', events: [] }, 'validation_error', /^events: must name at least one/],
  [{ url: 'https://example.com', events: ['page.seen'] }, 'validation_error', /^events\[0\]: must be one of/],
  [
    { url: 'https://example.com', events: ['page.created', 'page.created'] },
    'validation_error',
    /^events: must name each event once/,
  ],
  [{ url: 'https://example.com', coalesce_seconds: 3601 }, 'validation_error', /^coalesce_seconds: /],
  [{ url: 'https://example.com', description: 'x'.repeat(501) }, 'validation_error', /^description: /],
  [{ url: 'https://example.com', secret: 'mine' }, 'validation_error', 'secret: unknown field.'],
])('%j is refused with %s', async (body, name, message) => {
  const refused = await service.call('POST', hooks(), body)
  expect(refused).toMatchObject({ status: 422, body: { name, message: expect.stringMatching(message) } })
})

test.each([
  ['nowhere', /^url: must be a URL/],
  ['ftp://example.com/', /^url: must be a URL/],
  ['https://a:b@example.com/', /^url: must not hold a user name or password/],
  [`https://example.com/${'a'.repeat(2048)}`, /^url: must have at most 2048/],
  [null, /^url: /],
  ['', /^url: /],
])('a webhook cannot be changed to the URL %j, and keeps its own', async (url, message) => {
  const { id, secret: _, ...webhook } = await create()
  const refused = await service.call('PUT', hooks(`/${id}`), { url, description: 'Changed' })
  expect(refused).toMatchObject({ status: 422, body: { message: expect.stringMatching(message) } })
  expect(await get(id)).toEqual({ id, ...webhook })
})

test('a webhook that is changed to another URL is sent its events there', async () => {
  const { id } = await create({ url: 'http://127.0.0.1:9/' })
  await service.call('PUT', hooks(`/${id}`), { url: receiver.url })
  await publish(await newPage())
  expect(await receiver.first(1)).toHaveLength(1)
})

test('a delivery is not sent again while a try is under way, and once when it ended meanwhile', async () => {
  let end: () => void = () => {}
  answer = (_, response) => {
    end = () => void response.writeHead(204).end()
  }
  const { id } = await create()
  const sent = await service.call('POST', hooks(`/${id}/test`))
  const path = `${sent.headers.get('location')}/redeliver`
  await receiver.first(1)
  expect(await service.call('POST', path)).toMatchObject({ status: 400, body: { name: 'conflict' } })
  end()
  await settled(id, ([one]) => one?.status === 'delivered')
  const answers = await Promise.all([service.call('POST', path), service.call('POST', path)])
  expect(answers.map(({ status }) => status).sort()).toEqual([202, 400])
  await receiver.first(2)
  expect((await service.call('POST', path)).status).toBe(400)
  end()
  await settled(id, ([one]) => one?.tries.length === 2)
  expect(receiver.got).toHaveLength(2)
})

test('a project has at most 20 webhooks', async () => {
  for (let i = 0; i < 20; i++) await create({ active: false })
  expect(await service.call('POST', hooks(), { url: receiver.url })).toMatchObject({
    status: 400,
    body: { name: 'conflict', message: 'A project has at most 20 webhooks.' },
  })
})

test('a request that is sent again makes one webhook, and shows its secret again', async () => {
  const headers = { 'Idempotency-Key': 'once' }
  const [first, second] = [
    await service.call('POST', hooks(), { url: receiver.url }, { headers }),
    await service.call('POST', hooks(), { url: receiver.url }, { headers }),
  ]
  expect(second.body).toEqual(first.body)
  expect((await service.call('GET', hooks())).body.data).toHaveLength(1)
})

test('after a rotation both secrets verify for a day, then the new one alone', async () => {
  const webhook = await create()
  const page = await newPage()
  const rotated = (await service.call('POST', hooks(`/${webhook.id}/rotate-secret`))).body.data
  expect(rotated.secret).not.toBe(webhook.secret)
  await publish(page)
  const [both = expect.unreachable()] = await receiver.first(1)
  expect(String(both.headers['webhook-signature']).split(' ')).toHaveLength(2)
  for (const secret of [webhook.secret, rotated.secret]) verified(both, secret)
  ahead = DAY + MINUTE
  await publish(page)
  const [, later = expect.unreachable()] = await receiver.first(2)
  expect(String(later.headers['webhook-signature']).split(' ')).toHaveLength(1)
})

test('a second rotation within the day leaves the first secret the time that was promised', async () => {
  const webhook = await create()
  const page = await newPage()
  const rotate = async () =>
    (await service.call('POST', hooks(`/${webhook.id}/rotate-secret`))).body.data.secret
  const second = await rotate()
  ahead = DAY / 2
  const third = await rotate()
  // Signatures are verified by the real clock.
  ahead = 0
  await publish(page)
  const [all = expect.unreachable()] = await receiver.first(1)
  for (const secret of [webhook.secret, second, third]) verified(all, secret)
  ahead = DAY + MINUTE
  await publish(page)
  const [, later = expect.unreachable()] = await receiver.first(2)
  expect(String(later.headers['webhook-signature']).split(' ')).toHaveLength(2)
  for (let turn = 0; turn < 4; turn++) await rotate()
  expect(await service.call('POST', hooks(`/${webhook.id}/rotate-secret`))).toMatchObject({
    status: 400,
    body: { name: 'conflict' },
  })
})

describe('a try that fails', () => {
  test('is repeated under the same id by the schedule, until it arrives', async () => {
    const pauses = [5 / 60, 5, 30, 120, 300, 600, 840, 1200, 1440].map((minutes) => minutes * MINUTE)
    answer = (_, response) => void response.writeHead(receiver.got.length < 10 ? 500 : 200).end('Well.')
    const { id, secret } = await create()
    await publish(await newPage())
    for (const [i, pause] of pauses.entries()) {
      const [delivery] = await settled(id, ([one]) => one?.tries.length === i + 1)
      const last = delivery.tries.at(-1)
      expect(last).toMatchObject({ status: 500, answer: 'Well.', error: 'The receiver answered 500.' })
      const wait = Date.parse(delivery.next_attempt_at) - Date.parse(last.at) - last.duration_ms
      expect(wait).toBeGreaterThanOrEqual(pause)
      expect(wait).toBeLessThanOrEqual(pause * 1.1 + 1)
      expect(await get(id)).toMatchObject({ active: true, failing_since: expect.any(String) })
      ahead += pause * 1.1 + 1_000
      await wake()
    }
    const [delivery] = await settled(id, ([one]) => one?.status === 'delivered')
    expect(delivery).toMatchObject({ attempts: 10, next_attempt_at: null })
    expect(new Set(receiver.got.map((got) => got.id)).size).toBe(1)
    expect(new Set(receiver.got.map((got) => got.text)).size).toBe(1)
    expect(await get(id)).toMatchObject({ failing_since: null })
    expect(secret).toMatch(/^whsec_/)
  })

  test('waits for as long as the receiver asks', async () => {
    answer = (_, response) => void response.writeHead(503, { 'Retry-After': '600' }).end()
    const { id } = await create()
    await publish(await newPage())
    const [{ next_attempt_at: next, tries }] = await settled(id, ([one]) => one?.tries.length === 1)
    const wait = Date.parse(next) - Date.parse(tries[0].at) - tries[0].duration_ms
    expect(wait).toBe(600_000)
  })

  test('with 410 switches the webhook off, and nothing is sent until it is on again', async () => {
    answer = (_, response) => void response.writeHead(410).end()
    const { id } = await create()
    const page = await newPage()
    await publish(page)
    await settled(id, ([one]) => one?.status === 'failed')
    expect(await get(id)).toMatchObject({ active: false, off_reason: 'gone' })
    await publish(page)
    expect(await deliveries(id)).toHaveLength(1)
    expect((await service.call('POST', hooks(`/${id}/test`))).body.name).toBe('conflict')

    answer = (_, response) => void response.writeHead(200).end()
    await service.call('PUT', hooks(`/${id}`), { active: true })
    expect(await get(id)).toMatchObject({ active: true, off_reason: null, failing_since: null })
    await publish(page)
    await settled(id, ([one]) => one?.status === 'delivered')
  })

  test('after five days of nothing but failures switches it off', async () => {
    answer = (_, response) => void response.writeHead(500).end()
    const { id } = await create()
    const page = await newPage()
    await publish(page)
    await settled(id, ([one]) => one?.tries.length === 1)
    ahead += 5 * DAY
    await publish(page)
    await settled(id, (list) => list.every(({ status }) => status === 'failed'))
    expect(await get(id)).toMatchObject({ active: false, off_reason: 'failing' })
  })

  test('with a redirect is not sent on', async () => {
    const elsewhere = await startReceiver()
    answer = (_, response) => void response.writeHead(302, { Location: elsewhere.url }).end()
    const { id } = await create()
    await publish(await newPage())
    const [{ tries }] = await settled(id, ([one]) => one?.tries.length === 1)
    expect(tries[0]).toMatchObject({ status: 302, error: 'The receiver answered 302.' })
    expect(elsewhere.connections()).toBe(0)
    await elsewhere.close()
  })
})

test('a test event arrives, and what has ended is sent again under its id', async () => {
  const { id, secret } = await create()
  const sent = await service.call('POST', hooks(`/${id}/test`))
  expect(sent).toMatchObject({ status: 202, body: { data: { type: 'webhook.test', status: 'pending' } } })
  const [first = expect.unreachable()] = await receiver.first(1)
  expect(verified(first, secret)).toMatchObject({ type: 'webhook.test', data: { webhook_id: id } })
  await settled(id, ([one]) => one?.status === 'delivered')
  const followed = await service.call('GET', sent.headers.get('location') ?? '')
  expect(followed.body.data).toMatchObject({
    status: 'delivered',
    event_id: first.id,
    tries: [{ status: 204 }],
  })

  const path = `${sent.headers.get('location')}/redeliver`
  expect((await service.call('POST', path)).status).toBe(202)
  const [, again] = await receiver.first(2)
  expect([again?.id, again?.text]).toEqual([first.id, first.text])
  const [delivery] = await settled(id, ([one]) => one?.tries.length === 2)
  expect(delivery).toMatchObject({ status: 'delivered', attempts: 1 })
  expect(await deliveries(id, '?status=pending')).toEqual([])
})

test('a coalescing webhook hears of a burst at once, in messages of at most 100', async () => {
  const { id, secret } = await create({ coalesce_seconds: 60 })
  const page = await newPage()
  for (let i = 0; i < 3; i++) await publish(page)
  expect(await deliveries(id)).toMatchObject([{ type: 'batch', status: 'pending' }])
  ahead += MINUTE
  await wake()
  const [got = expect.unreachable()] = await receiver.first(1)
  const { type, data } = JSON.parse(got.text)
  expect([type, data.project_id, data.events.length]).toEqual(['batch', project, 3])
  expect(data.events[0]).toMatchObject({
    id: expect.stringMatching(/^evt_/),
    type: 'page.published',
    data: { page_id: page },
  })
  expect(secret).toMatch(/^whsec_/)
  await publish(page)
  await settled(id, (list) => list.length === 2)
})

test('receivers that never answer keep neither other webhooks nor publishes waiting', async () => {
  const silent = await startReceiver(() => {})
  const page = await newPage()
  const others = await Promise.all([1, 2, 3].map(() => service.newProject()))
  for (const of of others)
    for (let i = 0; i < 3; i++) await create({ url: silent.url, events: ['page.published'] }, of)
  const pages = await Promise.all(others.map((of) => newPage('a-page', of)))
  for (let i = 0; i < 4; i++) await Promise.all(pages.map(publish))
  await expect.poll(() => silent.got.length).toBeGreaterThan(30)
  const { id } = await create()
  await publish(page)
  await settled(id, ([one]) => one?.status === 'delivered')
  const { body } = await service.call('POST', `/projects/${project}/publish`, { pages: 'all' })
  expect(await finishedJob(service, body.data.id)).toMatchObject({ status: 'succeeded' })
  // The service is not held up by them when it stops either.
  await silent.close()
})

/** Have the service look for jobs that are due by its clock now. */
async function wake(): Promise<void> {
  const { body } = await service.call('POST', `/projects/${project}/publish`, { pages: 'stale' })
  await finishedJob(service, body.data.id)
}
