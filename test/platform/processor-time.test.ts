import { expect, test } from 'vitest'
import { unlimitedAnswerTime, withinAnswerTime } from '../../src/platform/answer-time.ts'
import { ownPayment, paidFor, usedProcessorMs } from '../../src/platform/processor-time.ts'

function busyFor(ms: number): number {
  const end = performance.now() + ms
  while (performance.now() < end);
  return ms
}

test('a request pays for its own work on the main thread, also for work that fails, and for no other', async () => {
  const request = unlimitedAnswerTime()
  await withinAnswerTime(request, async () => {
    expect(paidFor(() => busyFor(5))).toBe(5)
    await new Promise(setImmediate)
    expect(() =>
      paidFor(() => {
        busyFor(5)
        throw new RangeError('no')
      }),
    ).toThrow('no')
    withinAnswerTime(unlimitedAnswerTime(), () => paidFor(() => busyFor(50)))
    expect(usedProcessorMs()).toBe(request.processorMs)
  })
  expect(request.processorMs).toBeGreaterThanOrEqual(10)
  const paid = request.processorMs
  paidFor(() => busyFor(5))
  expect([request.processorMs, usedProcessorMs()]).toEqual([paid, 0])
})

test('a request pays for what another process did for it, whichever code learns of that', () => {
  const request = unlimitedAnswerTime()
  const pay = withinAnswerTime(request, ownPayment)
  pay(30)
  ownPayment()(40)
  withinAnswerTime(unlimitedAnswerTime(), () => pay(12))
  expect(request.processorMs).toBe(42)
})
