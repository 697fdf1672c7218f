import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ProjectId } from '../../src/domain/ids.ts'
import { createInProcessRenderer } from '../../src/renderer/in-process.ts'
import { finishedJob } from '../support/finished-job.ts'
import { createMemoryStorage } from '../support/memory-storage.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'

let service: TestService
let project: string
let rendering: Gate
let uploading: Gate

beforeEach(async () => {
  rendering = createGate()
  uploading = createGate()
  uploading.open()
  const stored = createMemoryStorage()
  service = await startService({
    renderer(themes) {
      const here = createInProcessRenderer(themes)
      return { ...here, renderPage: (live) => rendering.pass(() => here.renderPage(live)) }
    },
    storage: { ...stored, put: (object, options) => uploading.pass(() => stored.put(object, options)) },
  })
  project = await service.newProject()
})
afterEach(async () => {
  rendering.open()
  uploading.open()
  await service.close()
})

/** Holds calls until it is opened. It is closed at first. */
interface Gate {
  pass<T>(call: () => Promise<T>): Promise<T>
  open(): void
  /** Holds calls from here on. */
  close(): void
  /** Calls since it was closed. */
  readonly calls: number
}

function createGate(): Gate {
  let open = () => {}
  let opened = Promise.resolve()
  let calls = 0
  close()
  return {
    async pass(call) {
      calls += 1
      await opened
      return call()
    },
    open: () => open(),
    close,
    get calls() {
      return calls
    },
  }

  function close() {
    calls = 0
    opened = new Promise((resolve) => {
      open = resolve
    })
  }
}

const create = async (slug: string) =>
  (await service.call('POST', '/pages', pageBody(project, { slug }))).body.data.id as string
const createMany = (count: number) =>
  Promise.all(Array.from({ length: count }, (_, i) => create(`page-${i}`)))
const publishMany = async (pages: readonly string[]) =>
  (await service.call('POST', `/projects/${project}/publish`, { pages })).body.data.id as string
const list = async (query = '') => (await service.call('GET', `/projects/${project}/jobs${query}`)).body
const idsOf = ({ data }: { data: readonly { id: string }[] }) => data.map(({ id }) => id)
const cancel = (id: string, options = {}) => service.call('DELETE', `/jobs/${id}`, undefined, options)
const statusOf = async (id: string) => (await service.call('GET', `/pages/${id}`)).body.data.status
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()

describe('the jobs of a project', () => {
  test('are listed newest first, by status, in slices', async () => {
    expect(await list()).toEqual({
      data: [],
      meta: { total: 0, limit: 25, offset: 0, has_more: false, next_cursor: null },
    })
    const page = await create('a')
    const running = await publishMany([page])
    await expect.poll(() => rendering.calls).toBe(1)
    const body = { publish_at: inAnHour() }
    const scheduled = (await service.call('POST', `/pages/${page}/publish`, body)).body.data.id
    const other = await service.newProject('Other')
    await service.call('POST', `/projects/${other}/publish`, { pages: 'all' })

    const all = await list()
    expect(idsOf(all)).toEqual([scheduled, running])
    expect(all.data[1]).toEqual((await service.call('GET', `/jobs/${running}`)).body.data)
    expect(await list('?limit=1')).toMatchObject({
      data: [{ id: scheduled }],
      meta: { has_more: true, next_cursor: expect.any(String) },
    })
    expect(await list('?limit=1&offset=1')).toMatchObject({
      data: [{ id: running }],
      meta: { has_more: false, next_cursor: null },
    })
    expect(idsOf(await list('?status=running'))).toEqual([running])
    expect(idsOf(await list('?status=queued'))).toEqual([scheduled])
    await cancel(scheduled)
    expect(idsOf(await list('?status=failed'))).toEqual([scheduled])
    rendering.open()
    await finishedJob(service, running)
    expect(idsOf(await list('?status=succeeded'))).toEqual([running])
    expect((await service.call('GET', `/projects/${project}/jobs?status=cancelled`)).body).toMatchObject({
      statusCode: 422,
      message: 'status: must be queued, running, succeeded or failed.',
    })
  })

  test('do not contain those that no client started', async () => {
    rendering.open()
    await service.call('POST', `/pages/${await create('a')}/publish`)
    expect(await list()).toMatchObject({ data: [], meta: { total: 0 } })
  })
})

describe('a cancelled job', () => {
  test('publishes no page of a group that is being rendered', async () => {
    // The first group has 25 pages.
    const pages = await createMany(40)
    const id = await publishMany(pages)
    await expect.poll(() => rendering.calls).toBe(25)
    const { status, body } = await cancel(id)
    expect(status).toBe(200)
    const message = 'Cancelled on request.'
    expect(body.data).toMatchObject({ id, status: 'failed', total: 40, done: 40 })
    expect(body.data.failed).toEqual(pages.map((page_id) => ({ page_id, message })))
    expect(body.data.finished_at).not.toBeNull()
    rendering.open()
    // What comes after the group in the queue goes live, without the group.
    expect((await service.call('POST', `/pages/${await create('last')}/publish`)).status).toBe(200)
    expect((await service.call('GET', `/jobs/${id}`)).body).toEqual(body)
    expect(new Set(await Promise.all(pages.map(statusOf)))).toEqual(new Set(['draft']))
    const histories = await Promise.all(pages.map((page) => service.call('GET', `/pages/${page}/releases`)))
    expect(histories.reduce((sum, answer) => sum + answer.body.meta.total, 0)).toBe(0)
  })

  test('publishes the pages that are being uploaded, and names the others', async () => {
    rendering.open()
    const pages = await createMany(40)
    uploading.close()
    const id = await publishMany(pages)
    await expect.poll(() => uploading.calls).toBeGreaterThan(0)
    const { status, body } = await cancel(id)
    expect(status).toBe(200)
    const message = 'Cancelled on request.'
    expect(body.data.failed).toEqual(pages.slice(25).map((page_id) => ({ page_id, message })))
    uploading.open()
    await expect.poll(() => statusOf(pages[24] as string)).toBe('published')
    expect((await service.call('GET', `/jobs/${id}`)).body).toEqual(body)
    expect(await statusOf(pages[25] as string)).toBe('draft')
    const histories = await Promise.all(pages.map((page) => service.call('GET', `/pages/${page}/releases`)))
    expect(histories.reduce((sum, answer) => sum + answer.body.meta.total, 0)).toBe(25)
  })

  test('leaves those of another job in the same group to go live', async () => {
    const [ours, theirs] = [await create('ours'), await create('theirs')]
    const before = service.call('POST', `/pages/${await create('before')}/publish`)
    await expect.poll(() => rendering.calls).toBe(1)
    const cancelled = await publishMany([ours])
    const kept = await publishMany([theirs])
    for (const page of [ours, theirs])
      await expect
        .poll(async () => (await service.call('GET', `/pages/${page}/releases`)).body.meta.total)
        .toBe(1)
    rendering.open()
    rendering.close()
    expect((await before).status).toBe(200)
    await expect.poll(() => rendering.calls).toBe(2)
    expect((await cancel(cancelled)).body.data.failed).toMatchObject([{ page_id: ours }])
    rendering.open()
    expect((await finishedJob(service, kept)).status).toBe('succeeded')
    expect(await Promise.all([ours, theirs].map(statusOf))).toEqual(['draft', 'published'])
  })

  test('withdraws the pages of a group that waits behind another publish', async () => {
    const [first, second] = [await create('first'), await create('second')]
    const running = await publishMany([first])
    await expect.poll(() => rendering.calls).toBe(1)
    const waiting = await publishMany([second])
    await expect.poll(async () => idsOf(await list('?status=running'))).toEqual([waiting, running])
    // The job has handed the page over to the queue of the project.
    await expect
      .poll(async () => (await service.call('GET', `/pages/${second}/releases`)).body.meta.total)
      .toBe(1)
    expect((await cancel(waiting)).body.data.failed).toMatchObject([{ page_id: second }])
    rendering.open()
    await finishedJob(service, running)
    expect(await Promise.all([first, second].map(statusOf))).toEqual(['published', 'draft'])
    expect((await service.call('GET', `/pages/${second}/releases`)).body.meta.total).toBe(0)
  })

  test('is a schedule that no longer publishes', async () => {
    const page = await create('a')
    const body = { publish_at: inAnHour() }
    const { data: job } = (await service.call('POST', `/pages/${page}/publish`, body)).body
    expect((await cancel(job.id)).body.data).toMatchObject({ status: 'failed', failed: [{ page_id: page }] })
    expect((await service.call('GET', `/projects/${project}/schedule`)).body.data).toEqual([])
  })

  test('makes room for another one', async () => {
    const page = await create('a')
    const jobs: string[] = []
    for (let i = 0; i < 20; i++) jobs.push(await publishMany([page]))
    const wish = { pages: [page] }
    const refused = await service.call('POST', `/projects/${project}/publish`, wish)
    expect(refused.body).toMatchObject({ statusCode: 400, name: 'conflict' })
    await cancel(jobs.at(-1) as string)
    expect((await service.call('POST', `/projects/${project}/publish`, wish)).status).toBe(202)
  })
})

describe('it is refused to cancel', () => {
  test('a job that has ended, or is uploading its last pages', async () => {
    rendering.open()
    uploading.close()
    const id = await publishMany([await create('a')])
    await expect.poll(() => uploading.calls).toBeGreaterThan(0)
    expect((await cancel(id)).body).toMatchObject({
      statusCode: 400,
      name: 'conflict',
      message: `The job ${id} is uploading its last pages; it is too late to cancel it.`,
    })
    uploading.open()
    expect(await finishedJob(service, id)).toMatchObject({ status: 'succeeded' })
    expect((await cancel(id)).body).toMatchObject({
      statusCode: 400,
      name: 'conflict',
      message: `The job ${id} has succeeded.`,
    })
  })

  test('without the permission to publish, and in projects of others', async () => {
    const body = { publish_at: inAnHour() }
    const { data: job } = (await service.call('POST', `/pages/${await create('a')}/publish`, body)).body
    const writer = await service.newKey({ permissions: ['read', 'write'] })
    expect((await cancel(job.id, { key: writer })).body).toMatchObject({ statusCode: 403, name: 'forbidden' })
    const publisher = await service.newKey({ permissions: ['publish'] })
    expect(
      (await service.call('GET', `/projects/${project}/jobs`, undefined, { key: publisher })).status,
    ).toBe(403)
    const other = await service.newKey({ user: await service.newUser() })
    expect((await cancel(job.id, { key: other })).body).toMatchObject({ statusCode: 404, name: 'not_found' })
    const elsewhere = (await service.newProject('Other')).replace('proj_', '') as ProjectId
    const scoped = await service.newKey({ project: elsewhere })
    expect((await cancel(job.id, { key: scoped })).body).toMatchObject({ name: 'project_scope_violation' })
    expect((await cancel(job.id)).status).toBe(200)
  })
})
