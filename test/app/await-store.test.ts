import { expect, test } from 'vitest'
import { awaitStore } from '../../src/app/storage.ts'
import { StorageError } from '../../src/storage/storage.ts'
import { createMemoryStorage } from '../support/memory-storage.ts'
import { startService } from '../support/service.ts'
import { createTestTimers } from '../support/test-timers.ts'

const busy = new StorageError('The bucket is busy.', { transient: true })
const denied = new StorageError('Access is denied.', { transient: false })

/** A store that fails with each of these errors once, and then works. */
function failing(...errors: readonly Error[]) {
  const left = [...errors]
  return createMemoryStorage({
    failOn: (operation) => (operation === 'check' ? (left.shift() ?? null) : null),
  })
}

test('a service starts when its bucket, and that of its uploads, fails once at the start', async () => {
  const service = await startService({ storage: failing(busy), mediaStore: failing(busy) })
  expect((await service.call('GET', '/readyz', undefined, { key: null })).status).toBe(200)
  await service.close()
})

test('a store that goes on failing ends a start after 15 s, and one that refuses ends it at once', async () => {
  const start = async (...errors: readonly Error[]) => {
    const timers = createTestTimers()
    const waits: unknown[] = []
    const ports = { monotonic: timers.now, timers }
    const ended = awaitStore('QUOIN_STORAGE_URL', failing(...errors), ports, (error) => waits.push(error))
    const message = await ended.then(() => null, String)
    return { message, waited: waits.length, seconds: Math.round(timers.now() / 1_000) }
  }
  expect(await start(busy, busy, busy)).toEqual({ message: null, waited: 1, seconds: 3 })
  expect(await start(...Array(100).fill(busy))).toEqual({
    message: 'Error: QUOIN_STORAGE_URL: The bucket is busy.',
    waited: 1,
    seconds: 15,
  })
  expect(await start(busy, denied)).toMatchObject({ message: expect.stringContaining('denied'), seconds: 1 })
  expect(await start(denied)).toMatchObject({
    message: expect.stringContaining('denied'),
    waited: 0,
    seconds: 0,
  })
})
