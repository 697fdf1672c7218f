import { Readable } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createRetryingStorage } from '../../src/storage/retrying-storage.ts'
import { type Storage, StorageError } from '../../src/storage/storage.ts'
import { testStorageContract } from '../contract/storage-contract.ts'
import { createMemoryStorage } from '../support/memory-storage.ts'
import { createTestTimers } from '../support/test-timers.ts'

const object = { key: 'a.html', body: Buffer.from('body') }
const busy = new StorageError('Slow down.', { transient: true })

/** How the store responds to a call: with an error, after this many milliseconds, or never. */
type Mood = Error | number

/** A retrying storage over one that responds in these ways, call after call, and normally afterwards. */
function retryingOver(moods: readonly Mood[], random = () => 0.5) {
  const timers = createTestTimers()
  const memory = createMemoryStorage()
  const left = [...moods]
  const calls: number[] = []
  const moody = async (signal: AbortSignal | undefined) => {
    calls.push(timers.now())
    const mood = left.shift()
    if (mood instanceof Error) throw mood
    if (mood !== undefined) await timers.sleep(mood, signal)
  }
  const storage: Storage = {
    async put(stored, options) {
      await moody(options?.signal)
      return memory.put(stored)
    },
    async get(key, options) {
      await moody(options?.signal)
      return memory.get(key)
    },
    async open(key, options) {
      await moody(options?.signal)
      return memory.open(key)
    },
    async headers(key, options) {
      await moody(options?.signal)
      return memory.headers(key)
    },
    async delete(keys, options) {
      await moody(options?.signal)
      return memory.delete(keys)
    },
    async list(prefix, options) {
      await moody(options?.signal)
      return memory.list(prefix)
    },
    async check(options) {
      await moody(options?.signal)
      return memory.check()
    },
  }
  return { timers, memory, calls, storage: createRetryingStorage(storage, { timers, random }) }
}

describe('a retrying storage meets the contract of the storage that it wraps', () => {
  testStorageContract(async () =>
    createRetryingStorage(createMemoryStorage(), { timers: createTestTimers(), random: Math.random }),
  )
})

describe('retries', () => {
  test('a call to a busy store is retried until it succeeds', async () => {
    const { storage, memory, calls } = retryingOver([busy, busy, busy])
    await storage.put(object)
    expect(calls).toHaveLength(4)
    expect(await memory.list('')).toEqual(['a.html'])
  })

  test.each<[string, (storage: Storage) => Promise<unknown>, number]>([
    ['put', (storage) => storage.put(object), 6],
    ['delete', (storage) => storage.delete(['a.html']), 6],
    ['get', (storage) => storage.get('a.html'), 3],
    ['open', (storage) => storage.open('a.html'), 3],
    ['list', (storage) => storage.list(''), 3],
    ['check', (storage) => storage.check(), 1],
  ])('%s fails after the last attempt, with the reason', async (_, call, attempts) => {
    const { storage, calls } = retryingOver(Array(20).fill(busy))
    await expect(call(storage)).rejects.toBe(busy)
    expect(calls).toHaveLength(attempts)
  })

  test.each([
    ['a refusal', new StorageError('Access denied.', { transient: false })],
    ['an unsafe key', new RangeError('Unsafe storage key')],
    ['a bug', new TypeError('x is not a function')],
  ])('%s is not retried', async (_, failure) => {
    const { storage, calls } = retryingOver([failure])
    await expect(storage.put(object)).rejects.toBe(failure)
    expect(calls).toHaveLength(1)
  })

  test('backoff is random, with a limit that grows with each attempt up to two seconds', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 5, maxLength: 5 }),
        async (chances) => {
          const left = [...chances]
          const { storage, calls } = retryingOver(Array(5).fill(busy), () => left.shift() ?? 0)
          await storage.put(object)
          const pauses = calls.slice(1).map((at, index) => at - (calls[index] ?? 0))
          expect(pauses).toHaveLength(5)
          for (const [index, pause] of pauses.entries())
            expect(pause).toBeCloseTo((chances[index] ?? 0) * Math.min(2000, 200 * 2 ** index), 6)
        },
      ),
    )
  })
})

describe('time limits', () => {
  test('a call without a response is retried after three seconds', async () => {
    const { storage, memory, calls } = retryingOver([Number.POSITIVE_INFINITY], () => 0)
    await storage.put(object)
    expect(calls).toEqual([0, 3000.004])
    expect(await memory.list('')).toEqual(['a.html'])
  })

  test('the time limit of a large body grows by a second per megabyte', async () => {
    const { storage, calls } = retryingOver([7_000])
    await storage.put({ key: 'big.bin', body: Buffer.alloc(5_000_000) })
    expect(calls).toHaveLength(1)
  })

  test('a streamed body has as much time again with each chunk that the store takes', async () => {
    const timers = createTestTimers()
    let attempts = 0
    const slow: Storage = {
      ...createMemoryStorage(),
      async put({ body }, options) {
        attempts += 1
        if (!('open' in body)) throw new Error('The body is not streamed.')
        for await (const _ of body.open()) await timers.sleep(2_500, options?.signal)
      },
    }
    const storage = createRetryingStorage(slow, { timers, random: () => 0.5 })
    const bytes = Buffer.alloc(8 * 2 ** 18)
    const open = () => Readable.from(Array.from({ length: 8 }, () => bytes.subarray(0, 2 ** 18)))
    await storage.put({ key: 'intro.mp4', body: { size: bytes.byteLength, digest: '', open } })
    expect(attempts).toBe(1)
    expect(timers.now()).toBeGreaterThan(10_000)
  })

  test('a call that takes two seconds succeeds', async () => {
    const { storage, timers, calls } = retryingOver([2_000])
    await storage.put(object)
    expect([calls.length, timers.now()]).toEqual([1, 2_000])
  })

  test('a store that never answers is reported in one line', async () => {
    const { storage } = retryingOver(Array(3).fill(Number.POSITIVE_INFINITY))
    await expect(storage.get('a.html')).rejects.toThrow(
      /^The store did not answer "get a\.html" within 3000 ms\.$/,
    )
  })

  test('a store that ignores the signal is abandoned after the time limit', async () => {
    const timers = createTestTimers()
    const memory = createMemoryStorage()
    const deaf: Storage = { ...memory, get: () => timers.sleep(3_600_000).then(() => null) }
    const storage = createRetryingStorage(deaf, { timers, random: () => 0 })
    await expect(storage.get('a.html')).rejects.toThrow(/did not answer/)
    expect(timers.now()).toBe(9_000)
  })
})

describe('a caller that aborts', () => {
  test('ends the call at once, in an attempt or in a pause, with its own reason', async () => {
    for (const at of [100, 2_999, 3_050, 4_000]) {
      const { storage, timers } = retryingOver(Array(9).fill(Number.POSITIVE_INFINITY))
      const caller = new AbortController()
      const reason = new Error('Time is over.')
      timers.after(at, () => caller.abort(reason))
      await expect(storage.put(object, { signal: caller.signal })).rejects.toBe(reason)
      expect(timers.now()).toBe(at)
    }
  })
})

test('at most 32 writes run at once', async () => {
  let [now, most] = [0, 0]
  const timers = createTestTimers()
  const memory = createMemoryStorage()
  const counting: Storage = {
    ...memory,
    async put(stored) {
      now += 1
      most = Math.max(most, now)
      await timers.sleep(10)
      now -= 1
      return memory.put(stored)
    },
  }
  const storage = createRetryingStorage(counting, { timers, random: Math.random })
  await Promise.all(Array.from({ length: 200 }, (_, n) => storage.put({ ...object, key: `${n}.html` })))
  expect(most).toBe(32)
  expect(await memory.list('')).toHaveLength(200)
})
