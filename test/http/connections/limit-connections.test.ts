import { EventEmitter } from 'node:events'
import { createServer } from 'node:http'
import { describe, expect, test } from 'vitest'
import { limitConnections } from '../../../src/http/connections/limit-connections.ts'

const PROXY = '192.0.2.1'

/** A server with four connections, two of an address, over sockets that the test opens and closes. */
function server() {
  const http = createServer()
  http.removeAllListeners('connection')
  const accepted: EventEmitter[] = []
  http.on('connection', (socket) => accepted.push(socket))
  const refused: string[] = []
  limitConnections(http, {
    all: 4,
    perAddress: 2,
    addressOf: ({ remoteAddress = '' }) => (remoteAddress === PROXY ? null : remoteAddress),
    answer: () => 'HTTP/1.1 503 service_unavailable\r\n\r\n',
    onRefused: (limit) => refused.push(limit),
  })
  const open = (remoteAddress: string) => {
    const written: string[] = []
    const socket = Object.assign(new EventEmitter(), {
      remoteAddress,
      written,
      write: (text: string) => written.push(text),
      destroySoon: () => socket.emit('close'),
    })
    http.emit('connection', socket as never)
    return socket
  }
  return { open, accepted, refused }
}

describe('the connections of a server', () => {
  test('are refused beyond the limit of their address, with an answer, and others are accepted', () => {
    const { open, accepted, refused } = server()
    const sockets = ['a', 'a', 'a', 'b'].map(open)
    expect(accepted).toEqual([sockets[0], sockets[1], sockets[3]])
    expect(refused).toEqual(['address'])
    expect(sockets[2]?.written.join('')).toMatch(/^HTTP\/1\.1 503/)
  })

  test('are refused beyond the limit of all, whatever their address', () => {
    const { open, accepted, refused } = server()
    for (const address of ['a', 'b', 'c', 'd', 'e']) open(address)
    expect(accepted).toHaveLength(4)
    expect(refused).toEqual(['all'])
  })

  test('have the limit of all only when they come from a proxy, which has many clients', () => {
    const { open, accepted } = server()
    for (let i = 0; i < 4; i++) open(PROXY)
    expect(accepted).toHaveLength(4)
  })

  test('make room when they close; a refused one never took any', () => {
    const { open, accepted, refused } = server()
    const [first] = ['a', 'a', 'a', 'a'].map(open)
    first?.emit('close')
    open('a')
    expect(accepted).toHaveLength(3)
    expect(refused).toHaveLength(2)
    open('a')
    expect(refused).toHaveLength(3)
  })
})
