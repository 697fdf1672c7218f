import { describe, expect, onTestFinished, test } from 'vitest'
import { createFairWrites } from '../../src/storage/fair-writes.ts'
import { createRetryingStorage } from '../../src/storage/retrying-storage.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { testStorageContract } from '../contract/storage-contract.ts'
import { createMemoryStorage } from '../support/memory-storage.ts'
import { pageBody, startService } from '../support/service.ts'
import { createTestTimers } from '../support/test-timers.ts'

describe('a storage with turns', () => {
  testStorageContract(async () => createFairWrites(async (project) => project)(createMemoryStorage()))
})

test('uploads of one account that do not end keep no publish of another account waiting', async () => {
  const memory = createMemoryStorage()
  const stuckProjects = new Set<string>()
  let stuck = 0
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const storage: Storage = {
    ...memory,
    async put(object, options) {
      if (stuckProjects.has(object.key.slice(0, object.key.indexOf('/')))) {
        stuck += 1
        await released
      }
      await memory.put(object, options)
    },
  }
  // No time passes, so that no attempt is given up.
  const timers = createTestTimers()
  const service = await startService({
    timers,
    storage: createRetryingStorage(storage, { timers, random: () => 0.5 }),
  })
  onTestFinished(async () => {
    release()
    await service.close()
  })
  const create = async (key: string, name: string, count: number) => {
    const project = (await service.call('POST', '/projects', { name }, { key })).body.data.id as string
    const pages: string[] = []
    for (let i = 0; i < count; i++) {
      const body = pageBody(project, { slug: `page-${i}` })
      pages.push((await service.call('POST', '/pages', body, { key })).body.data.id)
    }
    return { project, pages }
  }
  for (const name of ['One', 'Two']) {
    const { project, pages } = await create(service.key, name, 24)
    stuckProjects.add(project)
    await service.call('POST', `/projects/${project}/publish`, { pages })
  }
  await expect.poll(() => stuck).toBeGreaterThanOrEqual(2)

  const key = await service.newKey({ user: await service.newUser({ canCreateProjects: true }) })
  const { pages } = await create(key, 'Other', 1)
  expect((await service.call('POST', `/pages/${pages[0]}/publish`, undefined, { key })).status).toBe(200)
  expect(stuck).toBeLessThanOrEqual(24)
})
