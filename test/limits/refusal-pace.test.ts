import { expect, test } from 'vitest'
import type { CountedRequest, Decision, RateLimits } from '../../src/limits/rate-limits.ts'
import { paceRefusals } from '../../src/limits/refusal-pace.ts'

const STATUS = { limit: 1, remaining: 0, resetAt: 0, burstLimit: 1, burstRemaining: 0, windows: [] }
const REFUSED: Decision = {
  ...STATUS,
  refusal: { window: 'minute', limit: 1, retryAfter: 1 },
}

function begin(decide: () => Decision | Promise<Decision>) {
  const clock = { now: 1_000 }
  const slept: number[] = []
  const limits = paceRefusals({ take: decide } as unknown as RateLimits, {
    monotonic: () => clock.now,
    timers: { sleep: async (ms) => void slept.push(ms) },
  })
  const request = (address: string): CountedRequest => ({
    subject: { kind: 'address', id: address },
    budget: 'calls',
    endpoint: null,
  })
  return { clock, slept, take: async (address: string) => limits.take(request(address)) }
}

test('the first refusal is answered at once, and each one after it 50 ms after the one before', async () => {
  const { slept, take } = begin(() => REFUSED)
  await Promise.all([take('a'), take('a'), take('a')])
  expect(slept).toEqual([50, 100])
})

test('a client that was not refused for a while is refused at once again', async () => {
  const { clock, slept, take } = begin(() => REFUSED)
  await take('a')
  clock.now += 50
  await take('a')
  expect(slept).toEqual([])
})

test('refusals of one client delay neither those of another nor requests that are accepted', async () => {
  const answers = [REFUSED, REFUSED, { ...STATUS, refusal: null }]
  const { slept, take } = begin(async () => answers.shift() as Decision)
  await take('a')
  await take('b')
  await take('a')
  expect(slept).toEqual([])
})

test('no refusal waits longer than two seconds, however many there are', async () => {
  const { slept, take } = begin(() => REFUSED)
  await Promise.all(Array.from({ length: 200 }, () => take('a')))
  expect(Math.max(...slept)).toBe(2_000)
})
