import { afterEach, describe, expect, test } from 'vitest'
import type { Connections } from '../../../src/db/connections.ts'
import { createRetryingStorage } from '../../../src/storage/retrying-storage.ts'
import type { Storage } from '../../../src/storage/storage.ts'
import { LONG_FORM } from '../../support/long-form.ts'
import { createMemoryStorage } from '../../support/memory-storage.ts'
import { pageBody, startService, type TestService } from '../../support/service.ts'
import { openServiceDatabase } from '../../support/test-database.ts'
import { createTestTimers, timeless } from '../../support/test-timers.ts'

let service: TestService
afterEach(() => service.close())

/** A service over a store whose puts take as long as the test says. */
async function startSlow({ isPatient = true, now = null as (() => string) | null } = {}) {
  const timers = createTestTimers()
  const startedAt = Date.now()
  const memory = createMemoryStorage()
  const slow: { ms: (key: string) => number } = { ms: () => 0 }
  const storage: Storage = {
    ...memory,
    async put(object, options) {
      const ms = slow.ms(object.key)
      if (ms > 0) await timers.sleep(ms, options?.signal)
      await memory.put(object, options)
    },
  }
  service = await startService({
    storage: isPatient ? createRetryingStorage(storage, { timers, random: () => 0.5 }) : storage,
    timers,
    now: now ?? (() => new Date(startedAt + timers.now()).toISOString()),
    monotonic: timers.now,
    ledger: (ledger) => timeless(ledger, timers),
  })
  const project = await service.newProject()
  const create = async (slug: string) =>
    (await service.call('POST', '/pages', pageBody(project, { slug }))).body.data.id as string
  const publish = (id: string) => service.call('POST', `/pages/${id}/publish`)
  const visit = async (slug: string) =>
    (await service.call('GET', `/public/${project}/${slug}/`, undefined, { key: null })).body
  return { timers, slow, project, create, publish, visit }
}

describe('a publish has 12 seconds for all its stages and attempts', () => {
  test('a store that takes two seconds for each file is slow, not broken', async () => {
    const { timers, slow, create, publish, visit } = await startSlow()
    slow.ms = () => 2_000
    expect((await publish(await create('slow'))).status).toBe(200)
    expect(timers.now()).toBeGreaterThan(6_000)
    expect(timers.now()).toBeLessThan(12_000)
    expect(await visit('slow')).toContain('<title>')
  })

  test.each(['index.html', '_index.json', '404.html', '_assets/'])(
    'a store that never answers for %s leads to a 500 after 12 seconds, and the live site stays',
    async (where) => {
      const { timers, slow, create, publish, visit } = await startSlow()
      const id = await create('kept')
      await publish(id)
      const before = await visit('kept')
      const project = (await service.call('GET', `/pages/${id}`)).body.data.project_id
      await service.call('PUT', `/pages/${id}`, { markdown_content: 'After.' })
      await service.call('PUT', `/projects/${project}/settings`, { theme: 'dark' })
      const asked = timers.now()
      slow.ms = (key) => (key.includes(where) && timers.now() < asked + 12_000 ? Number.POSITIVE_INFINITY : 0)

      expect(await publish(id)).toMatchObject({ status: 500, body: { name: 'internal_error' } })
      expect(timers.now() - asked).toBeGreaterThanOrEqual(12_000)
      expect(timers.now() - asked).toBeLessThan(15_000)
      await expect.poll(() => visit('kept')).toBe(before)
      expect((await publish(id)).status).toBe(200)
      expect(await visit('kept')).toContain('After.')
    },
  )

  test('a release queued behind a failing store is refused as well, and never goes live later', async () => {
    const { timers, slow, create, publish, visit } = await startSlow()
    const [first, second] = [await create('first'), await create('second')]
    slow.ms = () => Number.POSITIVE_INFINITY
    const failed = publish(first)
    await expect.poll(timers.now).toBeGreaterThan(0)
    const behind = publish(second)
    expect((await failed).status).toBe(500)
    // Meanwhile the revert is retried, and fails as well.
    expect((await behind).status).toBe(500)
    slow.ms = () => 0
    await expect.poll(async () => (await publish(first)).status).toBe(200)
    expect((await service.call('GET', `/pages/${second}`)).body.data.status).toBe('draft')
    expect(await visit('first')).toContain('<main')
    expect(await visit('second')).toContain('not found')
  })
})

describe('work without a deadline', () => {
  test.runIf(LONG_FORM)('is aborted when the store stalls for a minute, and retried', async () => {
    let time = Date.now()
    const now = () => new Date(time).toISOString()
    const { timers, slow, project, create, publish, visit } = await startSlow({ isPatient: false, now })
    const pages = [await create('one'), await create('two')]
    // Both the uploads and the revert fail until then.
    slow.ms = () => (timers.now() < 130_000 ? Number.POSITIVE_INFINITY : 0)
    const { data: job } = (await service.call('POST', `/projects/${project}/publish`, { pages })).body
    await expect
      .poll(
        async () => {
          // Skip the backoff of the job.
          time += 60_000
          return (await service.call('GET', `/jobs/${job.id}`)).body.data
        },
        { interval: 100 },
      )
      .toMatchObject({ status: 'succeeded', failed: [] })
    expect(timers.now()).toBeGreaterThanOrEqual(120_000)
    expect(await visit('two')).toContain('<title>A page')
    expect((await publish(await create('three'))).status).toBe(200)
  })
})

describe('two services on one database', () => {
  test('a publish that the other service has claimed is answered within 15 seconds, and never goes live later', async () => {
    const timers = createTestTimers()
    const memory = createMemoryStorage()
    let letFirstPass: () => void = () => {}
    const firstPasses = new Promise<void>((resolve) => (letFirstPass = resolve))
    let hasStalled = false
    const storage: Storage = {
      ...memory,
      async put(object, options) {
        if (object.key.endsWith('/first/index.html')) await firstPasses
        if (object.key.endsWith('/second/index.html') && !hasStalled) {
          hasStalled = true
          await timers.sleep(Number.POSITIVE_INFINITY, options?.signal)
        }
        await memory.put(object, options)
      },
    }
    const clock = { timers, monotonic: timers.now }
    service = await startService({ storage: memory, ...clock })
    const { call, data, key, newProject } = service
    const project = await newProject()
    const leader = await startService({ data, storage, ...clock })
    try {
      const create = async (slug: string) =>
        (await call('POST', '/pages', pageBody(project, { slug }))).body.data.id as string
      const [first, second] = [await create('first'), await create('second')]
      const leading = leader.call('POST', `/pages/${first}/publish`, undefined, { key })
      await expect.poll(() => holderOf(data)).not.toBe(null)
      const waiting = call('POST', `/pages/${second}/publish`)
      await expect.poll(() => countReleases(data)).toBe(2)
      letFirstPass()

      expect((await leading).status).toBe(200)
      expect((await waiting).status).toBe(500)
      expect(hasStalled).toBe(true)
      expect(timers.now()).toBeLessThan(15_000)
      expect((await call('GET', `/pages/${second}`)).body.data.status).toBe('draft')
      await expect.poll(() => memory.get(`${project}/second/index.html`)).toBe(null)
    } finally {
      await leader.close()
    }
  })
})

async function inDatabase<T>(data: string, read: (reader: Connections['reader']) => Promise<T>) {
  const { writer, reader } = await openServiceDatabase(data)
  try {
    return await read(reader)
  } finally {
    await Promise.all([writer.destroy(), reader.destroy()])
  }
}

function holderOf(data: string): Promise<string | null> {
  return inDatabase(data, async (reader) => (await reader('project_leases').first('owner')).owner)
}

function countReleases(data: string): Promise<number> {
  return inDatabase(data, async (reader) => (await reader('releases').pluck('id')).length)
}
