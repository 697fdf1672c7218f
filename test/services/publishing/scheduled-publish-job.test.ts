import { expect, onTestFinished, test } from 'vitest'
import { SCHEDULED_PUBLISH } from '../../../src/domain/job.ts'
import type { Storage } from '../../../src/storage/storage.ts'
import { createMemoryStorage } from '../../support/memory-storage.ts'
import { pageBody, startService } from '../../support/service.ts'
import { openServiceDatabase } from '../../support/test-database.ts'

test('a scheduled publish waits in the queue while an earlier publish of its page is being reverted', async () => {
  const memory = createMemoryStorage()
  let isBroken = false
  let time = Date.parse('2026-06-01T12:00:00.000Z')
  const storage: Storage = {
    ...memory,
    async put(object, options) {
      if (isBroken) throw new Error('The store is broken.')
      await memory.put(object, options)
    },
  }
  const service = await startService({ storage, now: () => new Date(time).toISOString() })
  onTestFinished(() => service.close())
  const { call } = service
  const page = (await call('POST', '/pages', pageBody(await service.newProject()))).body.data.id
  expect((await call('POST', `/pages/${page}/publish`)).status).toBe(200)
  await call('PUT', `/pages/${page}`, { title: 'Changed' })
  const publishAt = new Date(time + 60_000).toISOString()
  const scheduled = await call('POST', `/pages/${page}/publish`, { publish_at: publishAt })
  const status = async () => (await call('GET', `/jobs/${scheduled.body.data.id}`)).body.data.status

  isBroken = true
  expect((await call('POST', `/pages/${page}/publish`)).status).toBe(500)
  time += 60_000
  await expect.poll(() => jobIn(service.data)).toEqual({ state: 'queued', attempts: 1 })

  isBroken = false
  await expect
    .poll(async () => {
      time += 10_000
      return status()
    })
    .toBe('succeeded')
  expect((await call('GET', `/pages/${page}`)).body.data).toMatchObject({ status: 'published', stale: [] })
})

async function jobIn(data: string) {
  const { reader, close } = await openServiceDatabase(data)
  try {
    return await reader('jobs').where({ kind: SCHEDULED_PUBLISH }).first('state', 'attempts')
  } finally {
    await close()
  }
}
