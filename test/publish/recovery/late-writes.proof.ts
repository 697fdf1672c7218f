import { afterEach, expect, test } from 'vitest'
import type { ProjectId } from '../../../src/domain/ids.ts'
import { RECHECK } from '../../../src/domain/job.ts'
import { systemTimers } from '../../../src/platform/clock.ts'
import { createHeldLease } from '../../../src/publish/queue/held-lease.ts'
import { createRetryingStorage } from '../../../src/storage/retrying-storage.ts'
import type { CallOptions, Storage } from '../../../src/storage/storage.ts'
import { createMemoryStorage, type MemoryStorage } from '../../support/memory-storage.ts'
import { pageBody, startService, type TestService } from '../../support/service.ts'
import { openServiceDatabase } from '../../support/test-database.ts'

/** A store whose attempts to write or delete a key get no answer while the test says so, and arrive when it says so. */
function createLateStorage(memory: MemoryStorage) {
  const onTheirWay: (() => Promise<void>)[] = []
  let isLate: (call: 'put' | 'delete', key: string) => boolean = () => false
  const meet = async (act: () => Promise<void>, isHeld: boolean, { signal }: CallOptions = {}) => {
    if (!isHeld) return act()
    onTheirWay.push(act)
    await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
  }
  const storage: Storage = {
    ...memory,
    put: (object, options) => meet(() => memory.put(object), isLate('put', object.key), options),
    delete: (keys, options) =>
      meet(
        () => memory.delete(keys),
        keys.some((key) => isLate('delete', key)),
        options,
      ),
  }
  return {
    // A limit of 3 s for an attempt passes in 0.15 s.
    storage: createRetryingStorage(storage, {
      timers: { ...systemTimers, after: (ms, act) => systemTimers.after(ms / 20, act) },
      random: () => 0,
    }),
    /** The next `times` such calls of the key are given up. */
    giveUp(call: 'put' | 'delete', ending: string, times = 1) {
      let left = times
      isLate = (given, key) => given === call && key.endsWith(ending) && left-- > 0
    },
    async letArrive() {
      expect(onTheirWay.length).toBeGreaterThan(0)
      for (const arrive of onTheirWay.splice(0)) await arrive()
    },
  }
}

const started: TestService[] = []
afterEach(async () => {
  for (const service of started.splice(0)) await service.close()
})

/** The clock of all services; it decides when jobs are due. */
let time = Date.parse('2026-01-01T00:00:00.000Z')

async function start(storage: Storage, data?: string): Promise<TestService> {
  const now = () => new Date(time).toISOString()
  const service = await startService({ now, storage, ...(data !== undefined && { data }) })
  started.push(service)
  return service
}

async function startSite() {
  const memory = createMemoryStorage()
  const late = createLateStorage(memory)
  const service = await start(late.storage)
  const project = await service.newProject()
  const id = (await service.call('POST', '/pages', pageBody(project))).body.data.id
  return {
    ...{ late, memory, service, project },
    edit: (text: string) => service.call('PUT', `/pages/${id}`, { markdown_content: text }),
    act: async (act: 'publish' | 'unpublish') => (await service.call('POST', `/pages/${id}/${act}`)).status,
    shown: () => textOf(memory, `${project}/a-page/index.html`),
  }
}

async function textOf(memory: MemoryStorage, key: string): Promise<string | null> {
  const body = await memory.get(key)
  return body === null ? null : Buffer.from(body).toString()
}

/** The first check runs at once and finds nothing yet; the one of a minute later finds what arrived since. */
async function arriveAfterFirstCheck({
  service,
  late,
}: Awaited<ReturnType<typeof startSite>>): Promise<void> {
  const { reader, close } = await openServiceDatabase(service.data)
  try {
    const due = () =>
      reader('jobs')
        .where({ kind: RECHECK, state: 'queued' })
        .where('due_at', '>', new Date(time).toISOString())
    await expect.poll(async () => (await due()).length, PATIENT).toBe(1)
  } finally {
    await close()
  }
  await late.letArrive()
}

const PATIENT = { timeout: 20_000 }

test('an upload that was given up and arrives after a newer publish is overwritten with what is live, also by a service that started since', async () => {
  const site = await startSite()
  await site.edit('The first text.')
  site.late.giveUp('put', 'a-page/index.html')
  expect(await site.act('publish')).toBe(200)
  await site.edit('The second text.')
  expect(await site.act('publish')).toBe(200)

  await arriveAfterFirstCheck(site)
  expect(await site.shown()).toContain('The first text.')
  await site.service.server.stop()
  started.length = 0
  await start(site.late.storage, site.service.data)
  time += 61_000
  await expect.poll(site.shown, PATIENT).toContain('The second text.')
})

test('an upload that was given up does not make an unpublished page public again', async () => {
  const site = await startSite()
  site.late.giveUp('put', 'a-page/index.html')
  expect(await site.act('publish')).toBe(200)
  expect(await site.act('unpublish')).toBe(200)

  await arriveAfterFirstCheck(site)
  expect(await site.shown()).not.toBeNull()
  time += 61_000
  await expect.poll(site.shown, PATIENT).toBeNull()
})

test('a delete that was given up does not remove a page that was published since', async () => {
  const site = await startSite()
  expect(await site.act('publish')).toBe(200)
  site.late.giveUp('delete', 'a-page/index.html')
  expect(await site.act('unpublish')).toBe(200)
  expect(await site.act('publish')).toBe(200)

  await arriveAfterFirstCheck(site)
  expect(await site.shown()).toBeNull()
  time += 61_000
  await expect.poll(site.shown, PATIENT).not.toBeNull()
})

test('the upload of a publish that was answered 500 is undone when it arrives after all', async () => {
  const site = await startSite()
  await site.edit('The first text.')
  expect(await site.act('publish')).toBe(200)
  await site.edit('The second text.')
  site.late.giveUp('put', 'a-page/index.html', 6)
  expect(await site.act('publish')).toBe(500)
  await expect.poll(site.shown, PATIENT).toContain('The first text.')

  await arriveAfterFirstCheck(site)
  expect(await site.shown()).toContain('The second text.')
  time += 61_000
  await expect.poll(site.shown, PATIENT).toContain('The first text.')
})

test('nothing of a deleted project stays on the store when an upload arrives that was given up', async () => {
  const site = await startSite()
  site.late.giveUp('put', 'a-page/index.html')
  expect(await site.act('publish')).toBe(200)
  await site.service.call('PUT', `/projects/${site.project}`, { status: 'archived' })
  expect((await site.service.call('DELETE', `/projects/${site.project}`)).status).toBe(200)
  const left = () => site.memory.list(`${site.project}/`)
  await expect.poll(left, PATIENT).toEqual([])

  await arriveAfterFirstCheck(site)
  expect(await left()).toHaveLength(1)
  time += 61_000
  await expect.poll(left, PATIENT).toEqual([])
})

test('a write that succeeded after an attempt was given up resolves once a check of it is scheduled', async () => {
  const noted: string[][] = []
  const projectId = 'p'.repeat(16) as ProjectId
  const lease = { projectId, holder: 'me', fence: 1 }
  const held = createHeldLease(lease, new Set(), {
    leases: {
      find: async () => ({ holder: 'me', fence: 1, beat: 0 }),
      take: async () => lease,
      renew: async () => {},
      giveBack: async () => {},
    },
    lateWrites: {
      async note(_, keys) {
        if (noted.length === 0) {
          noted.push([])
          throw new Error('The database is gone.')
        }
        noted.push([...keys])
      },
    },
    monotonic: () => 0,
  })
  const late = createLateStorage(createMemoryStorage())
  const put = (key: string) => {
    late.giveUp('put', key)
    return held.guard(late.storage).put({ key: `proj_${projectId}/${key}`, body: Buffer.from(key) })
  }

  await expect(put('one')).rejects.toThrow('The database is gone.')
  await put('two')
  expect(noted).toEqual([[], ['one', 'two']])
  expect([...held.keys.givenUp]).toEqual([])
})
