import { setImmediate as pause } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { forEachConcurrently, mapConcurrently } from '../../src/platform/concurrency.ts'

const ITEMS = Array.from({ length: 20 }, (_, item) => item)

/** What is done, and how much of it at once at the most. */
function counting(work: (item: number) => Promise<number>) {
  const seen = { begun: [] as number[], now: 0, most: 0 }
  const counted = async (item: number) => {
    seen.begun.push(item)
    seen.now += 1
    seen.most = Math.max(seen.most, seen.now)
    try {
      await pause()
      return await work(item)
    } finally {
      seen.now -= 1
    }
  }
  return { seen, counted }
}

const failing = async (item: number) => {
  if (item === 7) throw new Error('Seven.')
  return item
}

describe('some at once', () => {
  test('are no more than that, come out in their order, and each is begun once', async () => {
    const { seen, counted } = counting(async (item) => item * 2)
    expect(await mapConcurrently(ITEMS, 3, counted)).toEqual(ITEMS.map((item) => item * 2))
    expect([seen.begun, seen.most]).toEqual([ITEMS, 3])
    expect(await mapConcurrently([], 3, counted)).toEqual([])
  })

  test('are the last ones once one has failed', async () => {
    const { seen, counted } = counting(failing)
    await expect(mapConcurrently(ITEMS, 3, counted)).rejects.toThrow('Seven.')
    for (let turn = 0; turn < 100; turn += 1) await pause()
    expect(seen.begun.length).toBeLessThanOrEqual(7 + 3)
  })
})

test('each is waited for, whatever became of others, before the first failure is told', async () => {
  const { seen, counted } = counting(failing)
  await expect(forEachConcurrently(ITEMS, async (item) => void (await counted(item)))).rejects.toThrow(
    'Seven.',
  )
  expect([seen.begun.length, seen.now]).toEqual([ITEMS.length, 0])
})
