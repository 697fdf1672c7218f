import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { createLedger } from '../../../src/db/ledger.ts'
import { UnavailableError } from '../../../src/domain/errors.ts'
import type { ProjectId } from '../../../src/domain/ids.ts'
import { createPublisher } from '../../../src/publish/queue/publisher.ts'
import { newMasterKey, parseMasterKey } from '../../../src/secrets/master-key.ts'
import { randomId } from '../../../src/services/new-id.ts'
import { createMemoryStorage } from '../../support/memory-storage.ts'
import { newDatabase } from '../../support/new-database.ts'
import { pageBody, startService } from '../../support/service.ts'
import { createTestTimers } from '../../support/test-timers.ts'

test('a stopped publisher sends no more queries, even when it stops right after the start', async () => {
  const connections = await newDatabase()
  const now = () => '2026-01-01T00:00:00.000Z'
  const ledger = createLedger(connections, { now, newId: randomId })
  let asking = 0
  const publisher = createPublisher({
    ...ledger,
    releaseQueue: {
      ...ledger.releaseQueue,
      async listTombstones() {
        asking += 1
        const found = await ledger.releaseQueue.listTombstones()
        await new Promise((resolve) => setTimeout(resolve, 50))
        return found
      },
      async unfinishedProjects() {
        const found = await ledger.releaseQueue.unfinishedProjects()
        asking -= 1
        return found
      },
    },
    storage: createMemoryStorage(),
    publishedMedia: { body: neverAsked, open: neverAsked },
    renderer: { themes: [], render: neverAsked, renderIndex: neverAsked } as never,
    masterKey: parseMasterKey(newMasterKey()),
    holder: 'me',
    monotonic: () => performance.now(),
    timers: createTestTimers(),
    log: pino({ level: 'silent' }),
    now,
  })

  publisher.start()
  expect(asking).toBe(1)
  await publisher.stop()
  expect(asking).toBe(0)
  await Promise.all([connections.reader.destroy(), connections.writer.destroy()])
})

function neverAsked(): never {
  throw new Error('Nothing is to be rendered here.')
}

test('a publish that another service finished before it purged the project is answered: the project is gone', async () => {
  const storage = createMemoryStorage()
  let open: () => void = () => {}
  const gate = new Promise<void>((resolve) => (open = resolve))
  const waiting = await startService({
    storage,
    // Never leads, and polls only when the test says so.
    ledger: (ledger) => ({
      ...ledger,
      leases: { ...ledger.leases, take: async () => null },
      releaseQueue: {
        ...ledger.releaseQueue,
        async findStatus(id) {
          await gate
          return ledger.releaseQueue.findStatus(id)
        },
      },
    }),
  })
  const { call, data, key } = waiting
  const leader = await startService({ data, storage })
  try {
    const lead = (method: string, path: string, body?: object) => leader.call(method, path, body, { key })
    const project = await waiting.newProject()
    const id = (await call('POST', '/pages', pageBody(project))).body.data.id
    const answer = call('POST', `/pages/${id}/publish`)
    await expect.poll(async () => (await lead('GET', `/pages/${id}`)).body.data.status).toBe('published')
    await lead('PUT', `/projects/${project}`, { status: 'archived' })
    expect((await lead('DELETE', `/projects/${project}`)).status).toBe(200)
    open()
    expect((await answer).status).toBe(404)
  } finally {
    await leader.close()
    await waiting.close()
  }
})

test('a release that nobody decides is answered 202, its job can be asked for at once, and it goes live when somebody can publish', async () => {
  const timers = createTestTimers()
  let isBroken = true
  let passing: Promise<void> | null = null
  const noLease = async () => {
    passing ??= timers.sleep(20_000)
    return null
  }
  const service = await startService({
    timers,
    monotonic: timers.now,
    ledger: (ledger) => ({
      ...ledger,
      // As when the process with the lease has died, and the database takes no writes.
      leases: { ...ledger.leases, take: (...given) => (isBroken ? noLease() : ledger.leases.take(...given)) },
      releaseQueue: {
        ...ledger.releaseQueue,
        expire: async (...given) => (isBroken ? null : ledger.releaseQueue.expire(...given)),
        async continueInBackground(...given) {
          if (isBroken) throw new UnavailableError('It is locked.', 5)
          return ledger.releaseQueue.continueInBackground(...given)
        },
      },
    }),
  })
  onTestFinished(() => service.close())
  const { call } = service
  const project = await service.newProject()
  const page = (await call('POST', '/pages', pageBody(project))).body.data.id
  const publishing = call('POST', `/pages/${page}/publish`)
  const answer = await publishing
  expect(answer.status).toBe(202)
  const job = () => call('GET', answer.headers.get('location') ?? '')
  expect(await job()).toMatchObject({ status: 200, body: { data: { status: 'queued', done: 0, total: 1 } } })
  expect((await call('GET', `/projects/${project}/jobs`)).body.data).toEqual([])
  isBroken = false
  await passing
  await expect
    .poll(async () => (await job()).body.data, { timeout: 20_000 })
    .toMatchObject({
      status: 'succeeded',
      done: 1,
      failed: [],
    })
  expect((await call('GET', `/pages/${page}`)).body.data.status).toBe('published')
  await expect
    .poll(async () => (await call('GET', `/projects/${project}/jobs`)).body.data.length)
    .toBeLessThan(2)
})

test('while another service has the lease of a project, it is asked for less and less often', async () => {
  let asked = 0
  let isTaken = true
  const waiting = await startService({
    ledger: (ledger) => ({
      ...ledger,
      leases: {
        ...ledger.leases,
        async take(...lease) {
          asked += 1
          return isTaken ? null : ledger.leases.take(...lease)
        },
      },
    }),
  })
  onTestFinished(() => {
    isTaken = false
    return waiting.close()
  })
  const project = await waiting.newProject()
  const { body } = await waiting.call('POST', '/pages', pageBody(project, { slug: 'a' }))
  await waiting.call('POST', `/projects/${project}/publish`, { pages: [body.data.id] })
  await expect.poll(() => asked).toBeGreaterThan(5)
  asked = 0
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  // Every 250 ms, and with every check whether another process has published the page: every 200 ms.
  expect(asked).toBeLessThan(30)
})

test('a publisher that finds many unfinished projects works them off a few at a time, each of them', async () => {
  const PROJECTS = 100
  const AT_ONCE = 32
  const left = new Set(Array.from({ length: PROJECTS }, (_, i) => String(i).padStart(16, 'a') as ProjectId))
  let working = 0
  let most = 0
  const lease = { projectId: '' as ProjectId, holder: 'me', fence: 1 }
  const publisher = createPublisher({
    leases: {
      find: async () => ({ holder: null, fence: 0, beat: 0 }),
      take: async (projectId: ProjectId) => ({ ...lease, projectId }),
      giveBack: async () => {},
    },
    releaseQueue: {
      listTombstones: async () => [],
      unfinishedProjects: async () => [...left],
      async unfinishedStates(projectId: ProjectId) {
        working += 1
        most = Math.max(most, working)
        await new Promise((resolve) => setTimeout(resolve, 50))
        working -= 1
        left.delete(projectId)
        return []
      },
    },
    storage: createMemoryStorage(),
    holder: 'me',
    monotonic: () => performance.now(),
    timers: createTestTimers(),
    log: pino({ level: 'silent' }),
  } as never)
  publisher.start()
  await expect.poll(() => left.size).toBe(0)
  await publisher.stop()
  expect(most).toBe(AT_ONCE)
})
