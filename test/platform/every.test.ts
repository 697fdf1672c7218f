import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { every } from '../../src/platform/every.ts'

test('slow work does not run beside itself, and is repeated once it has ended', async () => {
  let begun = 0
  let end = () => {}
  const repetition = every(1, async () => {
    begun += 1
    await new Promise<void>((resolve) => (end = resolve))
  })
  await expect.poll(() => begun, { interval: 1 }).toBe(1)
  await sleep(30)
  expect(begun).toBe(1)
  end()
  await expect.poll(() => begun, { interval: 1 }).toBe(2)

  let hasStopped = false
  const stopped = repetition.stop().then(() => (hasStopped = true))
  await sleep(30)
  expect({ begun, hasStopped }).toEqual({ begun: 2, hasStopped: false })
  end()
  await stopped
  await sleep(30)
  expect(begun).toBe(2)
})
