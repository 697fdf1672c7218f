import { expect, test } from 'vitest'
import {
  createAnswerTime,
  excludedFromAnswerTime,
  leftToWait,
  liftAnswerTime,
  outsideOfRequests,
  WAITS_MS,
  waitedMs,
  withinAnswerTime,
} from '../../src/platform/answer-time.ts'

/** A request, and a clock that only the test moves. */
function request() {
  let now = 0
  const time = createAnswerTime(() => now)
  return {
    time,
    pass(ms: number) {
      now += ms
    },
  }
}

test('all waits of a request share its time, also those after others', async () => {
  const { time, pass } = request()
  await withinAnswerTime(time, async () => {
    expect([leftToWait(), waitedMs()]).toEqual([WAITS_MS, 0])
    pass(5_000)
    await Promise.resolve()
    expect([leftToWait(), waitedMs()]).toEqual([WAITS_MS - 5_000, 5_000])
    pass(WAITS_MS)
    expect([leftToWait(), waitedMs()]).toEqual([0, WAITS_MS])
  })
})

test('the time in which a body arrives does not count', async () => {
  const { time, pass } = request()
  await withinAnswerTime(time, async () => {
    pass(1_000)
    await excludedFromAnswerTime(async () => pass(60_000))
    expect(leftToWait()).toBe(WAITS_MS - 1_000)
  })
})

test('work that a request starts for others has no limit, and neither has a request that may take any time', async () => {
  const { time, pass } = request()
  await withinAnswerTime(time, async () => {
    pass(10_000)
    expect(outsideOfRequests(leftToWait)).toBe(Number.POSITIVE_INFINITY)
    expect(leftToWait()).toBe(WAITS_MS - 10_000)
    liftAnswerTime()
    expect([leftToWait(), waitedMs()]).toEqual([Number.POSITIVE_INFINITY, 0])
  })
  expect(leftToWait()).toBe(Number.POSITIVE_INFINITY)
})
