import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { PERMISSIONS } from '../../src/domain/caller.ts'
import { finishedJob } from '../support/finished-job.ts'
import { createSchema, type PostgresServer, postgresPrograms, startPostgres } from '../support/postgres.ts'
import { startReceiver } from '../support/receiver.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { MASTER_KEY } from '../support/test-database.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const WORKERS = 3
const PAGES = 6

const programs = postgresPrograms()

describe.skipIf(programs === null)('processes that share a database', () => {
  let server: PostgresServer
  let schemas = 0
  beforeAll(async () => {
    server = await startPostgres(programs ?? '')
  })
  afterAll(() => server.stop())

  /** The same clock for all: it stands still, and goes on when a test says so. */
  async function installation() {
    let time = Date.parse('2026-06-01T12:00:00.000Z')
    const data = await temporaryFolder()
    const env = {
      QUOIN_DATABASE_URL: await createSchema(server.url, `once_${++schemas}`),
      QUOIN_MASTER_KEY: MASTER_KEY,
      QUOIN_BASE_URL: 'http://quoin.test',
      QUOIN_WEBHOOK_ALLOW_PRIVATE: 'true',
    }
    const start = async (): Promise<TestService> => {
      const service = await startService({ data, env, now: () => new Date(time).toISOString() })
      running.add(service)
      return service
    }
    const running = new Set<TestService>()
    const stop = async (of: readonly TestService[]) => {
      for (const service of of) running.delete(service)
      await Promise.all(of.map((service) => service.close()))
    }
    onTestFinished(() => stop([...running]))
    const services = [await start(), ...(await Promise.all(Array.from({ length: WORKERS - 1 }, start)))]
    const [first] = services
    if (first === undefined) expect.unreachable()
    return {
      start,
      stop,
      services,
      first,
      inMs: (ms: number) => new Date(time + ms).toISOString(),
      pass(ms: number) {
        time += ms
      },
    }
  }

  test('clean up once an hour, whichever of them are there', async () => {
    const { start, stop, services, first, pass } = await installation()
    const project = await first.newProject()
    const page = (await first.call('POST', '/pages', pageBody(project))).body.data.id
    const job = (await first.call('POST', `/projects/${project}/publish`, { pages: [page] })).body.data.id
    await finishedJob(first, job)
    const runs = async (of: readonly TestService[]) =>
      (await Promise.all(of.map(({ server }) => server.service.runHousekeepingIfDue()))).filter((ran) => ran)

    expect(await runs(services)).toHaveLength(1)
    expect((await first.call('GET', `/jobs/${job}`)).status).toBe(200)
    pass(59 * MINUTE_MS)
    expect(await runs(services)).toHaveLength(0)
    pass(MINUTE_MS)
    expect(await runs(services)).toHaveLength(1)

    // Those that have come since take over from those that are gone, also when none of them runs for an hour.
    await stop(services.slice(1))
    pass(31 * DAY_MS)
    const next = [await start(), await start()]
    expect(await runs(next)).toHaveLength(1)
    expect(await runs([first, ...next])).toHaveLength(0)
    expect((await first.call('GET', `/jobs/${job}`)).status).toBe(404)
  })

  test('publish each scheduled page once, with one message and one row of the audit log', async () => {
    const { stop, services, first, inMs, pass } = await installation()
    const project = await first.newProject()
    const receiver = await startReceiver()
    onTestFinished(() => receiver.close())
    const hook = { url: receiver.url, events: ['page.published'] }
    expect((await first.call('POST', `/projects/${project}/webhooks`, hook)).status).toBe(201)
    const pages: string[] = []
    for (let n = 0; n < PAGES; n++) {
      const { id } = (await first.call('POST', '/pages', pageBody(project, { slug: `page-${n}` }))).body.data
      const scheduled = await first.call('POST', `/pages/${id}/publish`, { publish_at: inMs(60 * MINUTE_MS) })
      expect(scheduled.status).toBe(202)
      pages.push(id)
    }

    pass(60 * MINUTE_MS)
    const waiting = async () => (await first.call('GET', `/projects/${project}/schedule`)).body.meta.total
    const settled = async () => {
      // What a busy machine does not finish in time is tried again later.
      pass(1_000)
      return receiver.got.length >= PAGES && (await waiting()) === 0
    }
    await expect.poll(settled, { interval: 500 }).toBe(true)
    const key = await first.newKey({ permissions: PERMISSIONS })
    const acts = await first.call('GET', `/projects/${project}/audit?act=page.publish&limit=100`, undefined, {
      key,
    })
    const releases = await Promise.all(
      pages.map(async (page) => (await first.call('GET', `/pages/${page}/releases`)).body.meta.total),
    )
    await stop(services)
    expect(releases).toEqual(pages.map(() => 1))
    expect(receiver.got.map(({ body }) => body.data.page_id).sort()).toEqual([...pages].sort())
    expect(acts.body.data.map(({ target }: { target: { id: string } }) => target.id).sort()).toEqual(
      [...pages].sort(),
    )
  })
})
