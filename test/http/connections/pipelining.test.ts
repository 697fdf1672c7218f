import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
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

  test('are dropped when too many wait, and the connection is closed after a thousand', () => {
    const { send, handled, socket, refusals } = connection()
    for (let i = 0; i < 17; i++) send('/')
    expect(refusals()).toBe(0)
    for (let i = 0; i < 1000; i++) send('/')
    expect(socket.destroyed).toBe(false)
    send('/')
    expect(socket.destroyed).toBe(true)
    expect(refusals()).toBe(1)
    expect(handled).toEqual(['/'])
  })

  test('are answered up to the limit before the connection ends', async () => {
    const server = createServer()
    const listener = oneAtATime(
      ({ url }, response) => setImmediate(() => response.end(`answer to ${url}\n`)),
      () => {},
    )
    server.on('request', listener).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    for (let i = 1; i <= 30; i++) socket.write(`GET /${i} HTTP/1.1\r\nHost: x\r\n\r\n`)
    const received = await text(socket)
    expect(received.match(/answer to \S+/g)).toEqual(
      Array.from({ length: 17 }, (_, i) => `answer to /${i + 1}`),
    )
    expect(received.match(/^Connection: \S+/gm)?.at(-1)).toBe('Connection: close')
  })

  test('are not handled once their client is gone while they wait', () => {
    const { send, handled, socket } = connection()
    const answer = send('/1')
    send('/2')
    socket.destroy()
    answer()
    expect(handled).toEqual(['/1'])
  })
})
