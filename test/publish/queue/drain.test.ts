import { afterEach, beforeEach, expect, test } from 'vitest'
import type { LivePage } from '../../../src/domain/live-page.ts'
import { createInProcessRenderer } from '../../../src/renderer/in-process.ts'
import type { RenderTurn } from '../../../src/renderer/renderer.ts'
import type { Theme } from '../../../src/theme/theme.ts'
import { finishedJob } from '../../support/finished-job.ts'
import { createMemoryStorage } from '../../support/memory-storage.ts'
import { pageBody, startService, type TestService } from '../../support/service.ts'
import { createTestTimers, timeless } from '../../support/test-timers.ts'

let service: TestService
/** Runs before a page is rendered. */
let beforeRender: (live: LivePage, turn: RenderTurn) => Promise<void>
const storage = createMemoryStorage()

beforeEach(() => {
  beforeRender = async () => {}
  storage.log.length = 0
})
afterEach(() => service.close())

function renderer(themes: ReadonlyMap<string, Theme>) {
  const here = createInProcessRenderer(themes)
  return {
    ...here,
    async renderPage(live: LivePage, turn: RenderTurn = {}) {
      await beforeRender(live, turn)
      return here.renderPage(live)
    },
  }
}

const create = async (project: string, slug: string, title = 'A page') =>
  (await service.call('POST', '/pages', pageBody(project, { slug, title }))).body.data.id as string
const publish = (id: string) => service.call('POST', `/pages/${id}/publish`)

/** A service whose clocks only pass while a page is rendered. */
async function startWithTimers() {
  const timers = createTestTimers()
  const startedAt = Date.now()
  service = await startService({
    storage,
    renderer,
    timers,
    now: () => new Date(startedAt + timers.now()).toISOString(),
    monotonic: timers.now,
    ledger: (ledger) => timeless(ledger, timers),
  })
  return timers
}

test('a dry run that cannot be rendered in time is answered with 503 and when to try again', async () => {
  const timers = await startWithTimers()
  beforeRender = () => timers.sleep(60_000)
  const id = await create(await service.newProject(), 'late')
  const { status, headers, body } = await service.call('POST', `/pages/${id}/publish?dry_run=true`)
  expect([status, headers.get('retry-after')]).toEqual([503, '5'])
  expect(body).toMatchObject({
    name: 'service_unavailable',
    message: expect.stringContaining('took too long'),
  })
  expect(timers.now()).toBeLessThan(20_000)
})

test('a publish that cannot be rendered in time is answered within 15 s, without an upload', async () => {
  const timers = await startWithTimers()
  beforeRender = () => timers.sleep(60_000)
  const project = await service.newProject()
  const id = await create(project, 'late')
  expect((await publish(id)).body).toMatchObject({ statusCode: 500, name: 'internal_error' })
  expect(timers.now()).toBeGreaterThanOrEqual(12_000)
  expect(timers.now()).toBeLessThan(15_000)
  expect(storage.log.filter((line) => line.startsWith('put '))).toEqual([])
  const { data } = (await service.call('GET', `/pages/${id}/releases`)).body
  expect(data).toMatchObject([{ state: 'failed' }])
  beforeRender = async () => {}
  expect((await publish(id)).status).toBe(200)
})

test('a publish goes before the rest of a group whose pages take long, which is published afterwards', async () => {
  service = await startService({ storage, renderer })
  const project = await service.newProject()
  const pages = await Promise.all(Array.from({ length: 20 }, (_, i) => create(project, `page-${i}`, 'Bulk')))
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const turns: RenderTurn[] = []
  beforeRender = async ({ page }, turn) => {
    turns.push(turn)
    if (page.title === 'Bulk') await opened
  }
  const { data: job } = (await service.call('POST', `/projects/${project}/publish`, { pages })).body
  await expect.poll(() => turns.length).toBeGreaterThan(0)

  // The settings of the group are older than those of the publish.
  await service.call('PUT', `/projects/${project}/settings`, { theme: 'dark' })
  const id = await create(project, 'urgent')
  expect((await publish(id)).status).toBe(200)
  expect(turns.at(0)).toMatchObject({ urgent: false })
  expect(turns.some(({ urgent }) => urgent)).toBe(true)
  expect(turns.at(0)?.signal?.aborted).toBe(true)

  const manifest = async () =>
    (await service.call('GET', `/public/${project}/_index.json`, undefined, { key: null })).body
  expect((await manifest()).pages).toHaveLength(1)
  open()
  expect(await finishedJob(service, job.id)).toMatchObject({ status: 'succeeded', done: 20, failed: [] })
  const { pages: live, theme } = await manifest()
  expect([live.length, theme]).toEqual([21, 'dark'])
})
