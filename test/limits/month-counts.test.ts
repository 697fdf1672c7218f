import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { KeyId } from '../../src/domain/ids.ts'
import type { MonthUsage } from '../../src/domain/usage.ts'
import { createMonthCounts } from '../../src/limits/month-counts.ts'
import { createMemoryUsage } from '../support/memory-usage.ts'

const november = { keyId: 'one' as KeyId, month: '2026-11' }
const december = { ...november, month: '2026-12' }

const unexpected = (error: unknown) => expect.unreachable(String(error))

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('month counts', () => {
  test('are stored within seconds, in one write', async () => {
    const store = createMemoryUsage()
    const writes = vi.spyOn(store, 'add')
    const counts = createMonthCounts(store, unexpected)
    const other = { ...november, keyId: 'other' as KeyId }
    for (const key of [november, other]) await counts.load(key)
    for (const key of [november, november, other]) counts.add(key)

    await vi.advanceTimersByTimeAsync(3_000)
    expect(writes.mock.calls).toEqual([
      [
        [
          { ...november, requests: 2 },
          { ...other, requests: 1 },
        ],
      ],
    ])
    await vi.advanceTimersByTimeAsync(60_000)
    expect(writes).toHaveBeenCalledOnce()
  })

  test('are reported when they could not be stored, and stored later', async () => {
    const store = createMemoryUsage()
    const failure = new Error('The disk is full.')
    vi.spyOn(store, 'add').mockRejectedValueOnce(failure)
    const failures: unknown[] = []
    const counts = createMonthCounts(store, (error) => failures.push(error))
    await counts.load(november)
    counts.add(november)

    await vi.advanceTimersByTimeAsync(3_000)
    expect(failures).toEqual([failure])
    counts.add(november)
    await vi.advanceTimersByTimeAsync(3_000)
    expect(await store.requests(november)).toBe(2)
    expect(failures).toHaveLength(1)
  })

  test('are not lost when they are added during a write', async () => {
    const store = createMemoryUsage()
    let finish: () => void = () => {}
    const add = store.add
    vi.spyOn(store, 'add').mockImplementationOnce(async (usages: readonly MonthUsage[]) => {
      await new Promise<void>((resolve) => (finish = resolve))
      await add(usages)
    })
    const counts = createMonthCounts(store, unexpected)
    await counts.load(november)
    await counts.load(december)
    counts.add(november)
    await vi.advanceTimersByTimeAsync(3_000)
    counts.add(november)
    counts.add(december)
    finish()
    await vi.advanceTimersByTimeAsync(0)
    expect(counts.find(november)).toBe(2)
    await counts.close()
    expect(await store.requests(november)).toBe(2)
  })

  test('are all stored on close, including those of a running write', async () => {
    const store = createMemoryUsage()
    let finish: () => void = () => {}
    vi.spyOn(store, 'add').mockImplementationOnce(() => new Promise((resolve) => (finish = resolve)))
    const counts = createMonthCounts(store, unexpected)
    await counts.load(november)
    counts.add(november)
    await vi.advanceTimersByTimeAsync(3_000)
    let closed = false
    const closing = counts.close().then(() => {
      closed = true
    })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(closed).toBe(false)
    finish()
    await closing
  })

  test('are dropped for a past month only once they are stored', async () => {
    const store = createMemoryUsage()
    const counts = createMonthCounts(store, unexpected)
    await counts.load(november)
    counts.add(november)
    await counts.load(december)
    counts.add(december)
    expect(counts.find(november)).toBe(1)

    await vi.advanceTimersByTimeAsync(3_000)
    expect(counts.find(november)).toBeNull()
    expect(counts.find(december)).toBe(1)
    await counts.load(november)
    expect(counts.find(november)).toBe(1)
  })
})
