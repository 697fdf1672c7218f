import { EventEmitter } from 'node:events'
import { describe, expect, test } from 'vitest'
import { createStallWatch } from '../../../src/http/connections/stall-watch.ts'

const STALL_MS = 30_000
const STEP_MS = 5_000

/** A request over a socket whose counters the test moves. */
function watched() {
  const watch = createStallWatch({ stallMs: STALL_MS })
  const socket = { bytesRead: 0, bytesWritten: 0, writableLength: 0 }
  const request = { socket, complete: true }
  const response = new EventEmitter()
  watch.watch(request as never, response as never)
  /** What a stalled client did not do, and after how many seconds; null when it is not stalled within ten minutes. */
  const stalledAfter = (move: () => void) => {
    for (let seconds = STEP_MS / 1000; seconds <= 600; seconds += STEP_MS / 1000) {
      move()
      const [stalled] = watch.check(STEP_MS)
      if (stalled !== undefined) return { what: stalled.what, seconds }
    }
    return null
  }
  return { socket, request, response, stalledAfter }
}

describe('a connection', () => {
  test('is stalled when its client takes no byte of an answer for the timeout', () => {
    const { socket, stalledAfter } = watched()
    Object.assign(socket, { bytesWritten: 700_000, writableLength: 700_000 })
    expect(stalledAfter(() => {})).toEqual({ what: 'answer', seconds: 30 })
  })

  test('is stalled when its client sends no byte of a body for the timeout', () => {
    const { request, stalledAfter } = watched()
    request.complete = false
    expect(stalledAfter(() => {})).toEqual({ what: 'body', seconds: 30 })
  })

  test('is stalled when bytes move slower than a telephone line', () => {
    const { socket, request, stalledAfter } = watched()
    request.complete = false
    expect(stalledAfter(() => (socket.bytesRead += 4_000 * 5))).toEqual({ what: 'body', seconds: 30 })
  })

  test('may be slow, as long as bytes move', () => {
    const { socket, stalledAfter } = watched()
    Object.assign(socket, { bytesWritten: 8_000_000, writableLength: 8_000_000 })
    expect(stalledAfter(() => (socket.writableLength -= 5_000 * 5))).toBeNull()
  })

  test('may wait for the service as long as that takes', () => {
    expect(watched().stalledAfter(() => {})).toBeNull()
  })

  test('does not take its answer by sending more requests', () => {
    const { socket, stalledAfter } = watched()
    Object.assign(socket, { bytesWritten: 700_000, writableLength: 700_000 })
    expect(stalledAfter(() => (socket.bytesRead += 100_000))).toEqual({ what: 'answer', seconds: 30 })
  })

  test('is forgotten when its answer is taken', () => {
    const { socket, response, stalledAfter } = watched()
    Object.assign(socket, { bytesWritten: 700_000, writableLength: 700_000 })
    response.emit('close')
    expect(stalledAfter(() => {})).toBeNull()
  })
})
