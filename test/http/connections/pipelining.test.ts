import { EventEmitter } from 'node:events'
import { describe, expect, test } from 'vitest'
import { oneAtATime } from '../../../src/http/connections/pipelining.ts'

/** A connection, and the requests over it that are being handled. */
function connection() {
  const handled: string[] = []
  let closedFor = 0
  const socket = {
    destroyed: false,
    destroy: () => {
      socket.destroyed = true
    },
  }
  const listener = oneAtATime(
    ({ url = '' }) => void handled.push(url),
    () => (closedFor += 1),
  )
  const send = (url: string) => {
    const response = new EventEmitter()
    listener({ socket, url } as never, response as never)
    return () => response.emit('close')
  }
  return { send, handled, socket, refusals: () => closedFor }
}

describe('the requests of a connection', () => {
  test('are handled one after the other, in their order', () => {
    const { send, handled } = connection()
    const [answerFirst, answerSecond] = ['/1', '/2', '/3'].map(send)
    expect(handled).toEqual(['/1'])
    answerFirst?.()
    expect(handled).toEqual(['/1', '/2'])
    answerSecond?.()
    expect(handled).toEqual(['/1', '/2', '/3'])
  })

  test('are handled at once when no earlier one is under way', () => {
    const { send, handled } = connection()
    send('/1')()
    send('/2')()
    expect(handled).toEqual(['/1', '/2'])
  })

  test('end it when too many of them wait', () => {
    const { send, handled, socket, refusals } = connection()
    for (let i = 0; i < 17; i++) send('/')
    expect(socket.destroyed).toBe(false)
    for (let i = 0; i < 100; i++) send('/')
    expect(socket.destroyed).toBe(true)
    expect(refusals()).toBe(1)
    expect(handled).toEqual(['/'])
  })

  test('that wait are not handled once their client is gone', () => {
    const { send, handled, socket } = connection()
    const answer = send('/1')
    send('/2')
    socket.destroy()
    answer()
    expect(handled).toEqual(['/1'])
  })
})
