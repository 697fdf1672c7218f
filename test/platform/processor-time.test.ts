import { expect, test } from 'vitest'
import { unlimitedAnswerTime, withinAnswerTime } from '../../src/platform/answer-time.ts'
import { ownPayment, paidFor, usedProcessorMs } from '../../src/platform/processor-time.ts'

/** Uses the processor for a time, however busy it is with other processes. */
function busyFor(ms: number): number {
  const [end, before] = [performance.now() + ms, process.cpuUsage()]
  const used = () => process.cpuUsage(before).user / 1_000
  while (performance.now() < end || used() < ms);
  return ms
}

test('a request does not pay for the time in which its thread has no processor', () => {
  const request = unlimitedAnswerTime()
  const asleep = new Int32Array(new SharedArrayBuffer(4))
  withinAnswerTime(request, () => paidFor(() => Atomics.wait(asleep, 0, 0, 300)))
  expect(request.processorMs).toBeLessThan(150)
})

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
