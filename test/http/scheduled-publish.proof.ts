import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Storage } from '../../src/storage/storage.ts'
import { finishedJob } from '../support/finished-job.ts'
import { createMemoryStorage } from '../support/memory-storage.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const START = '2026-06-01T12:00:00.000Z'

let service: TestService
/** The service's clock: it stands still, and goes on when a test says so. */
let clock = START
let project: string
let page: string

/** Resolves what the next writes wait for. */
let gate: Promise<void> = Promise.resolve()

beforeAll(async () => {
  const storage = createMemoryStorage()
  const gated: Storage = {
    ...storage,
    async put(object, options) {
      await gate
      await storage.put(object, options)
    },
  }
  service = await startService({ now: () => clock, storage: gated })
})
afterAll(() => service.close())
beforeEach(async () => {
  project = await service.newProject()
  page = await create('a-page')
})

const hoursOn = (hours: number) => new Date(Date.parse(clock) + hours * 3_600_000).toISOString()
const create = async (slug: string) =>
  (await service.call('POST', '/pages', pageBody(project, { slug }))).body.data.id as string
const schedule = (publishAt: unknown, id = page, options = {}) =>
  service.call('POST', `/pages/${id}/publish`, { publish_at: publishAt }, options)
const job = async (id: string) => (await service.call('GET', `/jobs/${id}`)).body.data
const releases = async (): Promise<readonly { readonly op: string }[]> =>
  (await service.call('GET', `/pages/${page}/releases`)).body.data
const scheduled = async () => (await service.call('GET', `/projects/${project}/schedule`)).body
const statusOf = async (id = page) => (await service.call('GET', `/pages/${id}`)).body.data.status
const live = async (slug = 'a-page') =>
  (await service.call('GET', `/public/${project}/${slug}/`, undefined, { key: null })).body

test('a page is published when its time has come, as it is then', async () => {
  const answer = await schedule(hoursOn(1))
  const { id } = answer.body.data
  expect(answer.status).toBe(202)
  expect(answer.headers.get('location')).toBe(`/jobs/${id}`)
  expect(answer.body.data).toEqual({
    id: expect.stringMatching(/^job_/),
    status: 'queued',
    total: 1,
    done: 0,
    failed: [],
    created_at: clock,
    finished_at: null,
    scheduled_at: hoursOn(1),
  })
  await service.call('PUT', `/pages/${page}`, { title: 'Edited since' })
  expect([await statusOf(), (await job(id)).status]).toEqual(['draft', 'queued'])

  clock = hoursOn(1)
  expect(await finishedJob(service, id)).toMatchObject({ status: 'succeeded', done: 1, failed: [] })
  expect(await statusOf()).toBe('published')
  expect(await live()).toContain('Edited since')
})

test('a later schedule takes the place of an earlier one', async () => {
  const first = (await schedule(hoursOn(1))).body.data.id
  const second = (await schedule(hoursOn(2))).body.data.id
  expect(await job(first)).toMatchObject({
    status: 'failed',
    failed: [{ page_id: page, message: 'Cancelled: the publish was rescheduled.' }],
  })
  const { body } = await schedule(hoursOn(1), await create('due-with-the-first'))
  clock = hoursOn(1)
  await finishedJob(service, body.data.id)
  expect(await statusOf()).toBe('draft')
  clock = hoursOn(1)
  expect(await finishedJob(service, second)).toMatchObject({ status: 'succeeded' })
})

test('scheduled publishes of a project are listed, soonest first, until they are done or cancelled', async () => {
  expect(await scheduled()).toEqual({
    data: [],
    meta: { total: 0, limit: 25, offset: 0, has_more: false, next_cursor: null },
  })
  const [late, soon] = [hoursOn(2), hoursOn(1)]
  const other = await create('another')
  const { id } = (await schedule(late)).body.data
  await service.call('POST', `/pages/${other}/publish`, { publish_at: soon, strict: true })
  expect((await scheduled()).data).toEqual([
    { page_id: other, publish_at: soon, strict: true, job_id: expect.stringMatching(/^job_/) },
    { page_id: page, publish_at: late, strict: false, job_id: id },
  ])
  await schedule(null, other)
  expect((await scheduled()).data).toMatchObject([{ page_id: page }])
  const part = await service.call('GET', `/projects/${project}/schedule?limit=1&offset=1`)
  expect(part.body).toEqual({
    data: [],
    meta: { total: 1, limit: 1, offset: 1, has_more: false, next_cursor: null },
  })
  clock = late
  await finishedJob(service, id)
  expect((await scheduled()).data).toEqual([])
})

test('the page, its lists and the job say when it is scheduled, until it is done or cancelled', async () => {
  const other = await create('another')
  const at = hoursOn(1)
  const { id } = (await schedule(at)).body.data
  const shown = async () => {
    const { body } = await service.call('GET', `/pages/${page}`)
    const { body: list } = await service.call('GET', `/pages?project_id=${project}`)
    const { body: whole } = await service.call('GET', `/pages?project_id=${project}&include_content=true`)
    const { body: included } = await service.call('GET', `/projects/${project}?include=pages`)
    const { body: updated } = await service.call('PUT', `/pages/${page}`, { scheduled_at: 'ignored' })
    const inLists = [list.data, whole.data, included.data.pages].map((items) =>
      Object.fromEntries(items.map((item: Record<string, string>) => [item['id'], item['scheduled_at']])),
    )
    return [body.data.scheduled_at, updated.data.scheduled_at, ...inLists]
  }
  const expected = (time: string | null) => [time, time, ...Array(3).fill({ [page]: time, [other]: null })]
  expect(await shown()).toEqual(expected(at))
  expect((await job(id)).scheduled_at).toBe(at)
  await schedule(hoursOn(2))
  expect(await shown()).toEqual(expected(hoursOn(2)))
  expect((await job(id)).scheduled_at).toBe(at)
  await schedule(null)
  expect(await shown()).toEqual(expected(null))
  const last = (await schedule(hoursOn(1))).body.data.id
  clock = hoursOn(1)
  await finishedJob(service, last)
  expect(await shown()).toEqual(expected(null))
  expect((await job(last)).scheduled_at).toBe(clock)
  const bulk = await service.call('POST', `/projects/${project}/publish`, { pages: 'all' })
  expect(bulk.body.data.scheduled_at).toBeNull()
})

test.each(['2026-12-01T09:30:00', '2026-12-01T09:30', '2026-12-01 09:30:00.5'])(
  'the time %j without a zone is refused, since it could mean any hour',
  async (time) => {
    expect(await schedule(time)).toMatchObject({
      status: 422,
      body: { name: 'validation_error', message: expect.stringMatching(/^publish_at: .*time zone/) },
    })
    expect((await scheduled()).data).toEqual([])
  },
)

test.each([
  ['2027-01-02', '2027-01-02T00:00:00.000Z'],
  ['2027-01-02T09:30:00+02:00', '2027-01-02T07:30:00.000Z'],
  ['2027-01-02 09:30Z', '2027-01-02T09:30:00.000Z'],
])('the time %j is %s', async (time, utc) => {
  await schedule(time)
  expect((await scheduled()).data).toMatchObject([{ publish_at: utc }])
})

test('null cancels it, and is no fault where nothing is scheduled', async () => {
  const { id } = (await schedule(hoursOn(1))).body.data
  for (let i = 0; i < 2; i++) {
    const { status, body } = await schedule(null)
    expect([status, body]).toEqual([200, { data: { id: page, status: 'draft', publish_at: null } }])
  }
  expect(await job(id)).toMatchObject({
    status: 'failed',
    failed: [{ page_id: page, message: 'Cancelled on request.' }],
  })
})

describe('it is cancelled by', () => {
  const publish = (id: string) => service.call('POST', `/pages/${id}/publish`)
  const put = (status: string) => (id: string) => service.call('PUT', `/pages/${id}`, { status })
  const bulk = async (id: string) => {
    const { body } = await service.call('POST', `/projects/${project}/publish`, { pages: [id] })
    await finishedJob(service, body.data.id)
  }
  const ACTS: readonly (readonly [
    past: string,
    after: string | null,
    act: (id: string) => Promise<unknown>,
  ])[] = [
    ['published', 'published', publish],
    ['published', 'published', bulk],
    ['unpublished', 'draft', (id) => service.call('POST', `/pages/${id}/unpublish`)],
    ['unpublished', 'draft', put('draft')],
    ['archived', 'archived', put('archived')],
    ['deleted', null, (id) => service.call('DELETE', `/pages/${id}`)],
  ]

  test('publish, unpublish, archiving and deletion, whichever way they are asked for', async () => {
    const publishedAt = new Map<string, string>()
    for (const [i, [past, , act]] of ACTS.entries()) {
      const id = await create(`case-${i}`)
      await publish(id)
      const { body } = await schedule(hoursOn(1), id)
      await act(id)
      expect(await job(body.data.id)).toMatchObject({
        status: 'failed',
        failed: [{ page_id: id, message: `Cancelled: the page was ${past} in the meantime.` }],
      })
      publishedAt.set(id, clock)
    }
    const { body } = await schedule(hoursOn(2))
    clock = hoursOn(2)
    await finishedJob(service, body.data.id)
    for (const [i, id] of [...publishedAt.keys()].entries()) {
      const { data } = (await service.call('GET', `/pages/${id}`)).body
      expect(data?.status ?? null).toBe(ACTS[i]?.[1])
      if (data !== undefined) expect(data.published_at).toBe(publishedAt.get(id))
    }
  })

  test('an unpublish after the clock was set back, and not by a publish before it that ends later', async () => {
    await publish(page)
    const scheduled = (await schedule(hoursOn(1))).body.data.id
    clock = hoursOn(-5 / 3_600)
    await service.call('POST', `/pages/${page}/unpublish`)
    expect(await job(scheduled)).toMatchObject({ status: 'failed', failed: [{ page_id: page }] })

    let open: () => void = () => {}
    gate = new Promise((resolve) => (open = resolve))
    const earlier = publish(page)
    await expect.poll(async () => (await releases()).length).toBe(3)
    clock = hoursOn(-1)
    const later = (await schedule(hoursOn(2))).body.data.id
    open()
    await earlier
    expect((await job(later)).status).toBe('queued')
  })

  test('the archiving of a draft', async () => {
    const { id } = (await schedule(hoursOn(1))).body.data
    await put('archived')(page)
    expect((await job(id)).failed[0].message).toBe('Cancelled: the page was archived.')
  })

  test('a publish that is running when its time comes', async () => {
    await publish(page)
    const { id } = (await schedule(hoursOn(1))).body.data
    let open: () => void = () => {}
    gate = new Promise((resolve) => (open = resolve))
    const unpublishing = service.call('POST', `/pages/${page}/unpublish`)
    // The unpublish is accepted once others can see that it is under way.
    await expect.poll(async () => (await releases()).map(({ op }) => op)).toContain('unpublish')
    clock = hoursOn(1)
    await expect.poll(async () => (await job(id)).status).toBe('running')
    open()
    expect((await unpublishing).status).toBe(200)
    expect(await finishedJob(service, id)).toMatchObject({
      status: 'failed',
      failed: [{ page_id: page, message: 'Cancelled: the page was unpublished in the meantime.' }],
    })
    expect(await statusOf()).toBe('draft')
    expect((await releases()).map(({ op }) => op)).toEqual(['unpublish', 'publish'])
  })

  test('no request that is refused', async () => {
    const { id } = (await schedule(hoursOn(1))).body.data
    expect((await service.call('POST', `/pages/${page}/unpublish`)).status).toBe(409)
    await service.call('PUT', `/v1/projects/${project}/settings`, { site_routes: { a: 'b' } })
    const twin = (await service.call('POST', '/pages', pageBody(project, { subroute: 'b' }))).body.data.id
    await publish(twin)
    await service.call('PUT', `/pages/${page}`, { subroute: 'a' })
    expect((await publish(page)).status).toBe(400)
    expect((await job(id)).status).toBe('queued')
    clock = hoursOn(1)
    expect(await finishedJob(service, id)).toMatchObject({
      status: 'failed',
      failed: [{ page_id: page, message: expect.stringContaining('is served at this path') }],
    })
  })
})

test('what came due while nothing ran is published after the start', async () => {
  const data = await temporaryFolder()
  const first = await startService({ data, now: () => START })
  const own = await first.newProject()
  const { id } = (await first.call('POST', '/pages', pageBody(own))).body.data
  const publishAt = '2026-06-01T13:00:00Z'
  const made = (await first.call('POST', `/pages/${id}/publish`, { publish_at: publishAt })).body.data.id
  await first.close()

  const second = await startService({ data, now: () => '2026-06-02T00:00:00.000Z' })
  try {
    expect(await finishedJob(second, made)).toMatchObject({ status: 'succeeded' })
    expect((await second.call('GET', `/pages/${id}`)).body.data.status).toBe('published')
  } finally {
    await second.close()
  }
})

test('a project that is archived by then publishes nothing', async () => {
  const { id } = (await schedule(hoursOn(1))).body.data
  await service.call('PUT', `/projects/${project}`, { status: 'archived' })
  clock = hoursOn(1)
  expect(await finishedJob(service, id)).toMatchObject({
    status: 'failed',
    failed: [{ page_id: page, message: 'The project is archived and takes no changes.' }],
  })
  expect(await statusOf()).toBe('draft')
})

test('the same request sent again with its Idempotency-Key is the same job', async () => {
  const options = { headers: { 'Idempotency-Key': 'once' } }
  const at = hoursOn(1)
  const first = await schedule(at, page, options)
  const again = await schedule(at, page, options)
  expect(again.body).toEqual(first.body)
  expect(again.headers.get('location')).toBe(first.headers.get('location'))
  expect((await job(first.body.data.id)).status).toBe('queued')
})

test.each([
  ['soon', 'must be an ISO 8601 date or timestamp, such as 2026-03-10.'],
  [1, 'must be a string.'],
  ['2026-02-30', 'must be an ISO 8601 date or timestamp, such as 2026-03-10.'],
  [START, 'must be in the future, at most 100 years ahead.'],
  ['2026-05-31', 'must be in the future, at most 100 years ahead.'],
  ['2127-01-01T00:00:00Z', 'must be in the future, at most 100 years ahead.'],
])('a publish_at of %j is refused', async (publishAt, message) => {
  expect((await schedule(publishAt)).body).toEqual({
    statusCode: 422,
    name: 'validation_error',
    message: `publish_at: ${message}`,
  })
})

test('a time zone is understood, and the far future', async () => {
  const { id } = (await schedule(hoursOn(3).replace('Z', '+02:00'))).body.data
  expect((await schedule('2099-01-01', await create('later'))).status).toBe(202)
  clock = hoursOn(1)
  expect(await finishedJob(service, id)).toMatchObject({ status: 'succeeded' })
})

test('the job lists the warnings of the publish', async () => {
  await service.call('PUT', `/pages/${page}`, { markdown_content: '[gone](javascript:alert)' })
  const wish = { publish_at: hoursOn(1) }
  const { id } = (await service.call('POST', `/pages/${page}/publish`, wish)).body.data
  clock = hoursOn(1)
  const warning = { page_id: page, at: 'markdown_content', written: 'javascript:alert' }
  expect(await finishedJob(service, id)).toMatchObject({
    status: 'succeeded',
    warning_count: 1,
    warnings: [warning],
  })
})

test('a strict one refuses warnings when its time has come', async () => {
  await service.call('PUT', `/pages/${page}`, { markdown_content: '[gone](javascript:alert)' })
  const wish = { publish_at: hoursOn(1), strict: true }
  const { id } = (await service.call('POST', `/pages/${page}/publish`, wish)).body.data
  clock = hoursOn(1)
  expect(await finishedJob(service, id)).toMatchObject({ status: 'failed', failed: [{ page_id: page }] })
  expect(await statusOf()).toBe('draft')
})

test('there is no dry run of it', async () => {
  const answer = await service.call('POST', `/pages/${page}/publish?dry_run=true`, { publish_at: hoursOn(1) })
  expect(answer.body).toMatchObject({
    statusCode: 422,
    message: 'publish_at: cannot be combined with dry_run.',
  })
})
