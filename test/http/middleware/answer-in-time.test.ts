import { pino } from 'pino'
import { expect, test } from 'vitest'
import { answerInTime } from '../../../src/http/middleware/answer-in-time.ts'
import { leftToWait, liftAnswerTime, WAITS_MS } from '../../../src/platform/answer-time.ts'
import { contextOf } from '../../support/koa-context.ts'

/** A request whose handler runs when nearly all of its time is over. */
async function lateRequest(method: string, handle: () => Promise<unknown>): Promise<unknown> {
  let aheadMs = 0
  const answer = answerInTime({
    log: pino({ level: 'silent' }),
    monotonic: () => performance.now() + aheadMs,
  })
  return answer(contextOf(method, '/pages'), async () => {
    aheadMs = WAITS_MS + 700
    await handle()
  })
}

const never = () => new Promise(() => {})

test('a change that never ends is answered 503 with when to try again', async () => {
  await expect(lateRequest('PUT', never)).rejects.toMatchObject({
    name: 'service_unavailable',
    retryAfter: 5,
    message: expect.stringContaining('It may still take effect'),
  })
})

test('a change that fails after its answer does not end the process', async () => {
  const failed = new Promise((_, reject) => setTimeout(() => reject(new Error('late')), 100))
  await expect(lateRequest('POST', () => failed)).rejects.toMatchObject({ name: 'service_unavailable' })
  await expect(failed).rejects.toThrow('late')
})

test('a request that may take any time is awaited, and its answer or error is that of its handler', async () => {
  const later = async () => {
    liftAnswerTime()
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect(leftToWait()).toBe(Number.POSITIVE_INFINITY)
    throw new Error('its own')
  }
  await expect(lateRequest('POST', later)).rejects.toThrow('its own')
})

test('a request that only reads has no such limit', async () => {
  await lateRequest('GET', async () => {
    expect(leftToWait()).toBe(Number.POSITIVE_INFINITY)
  })
})
