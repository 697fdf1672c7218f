import type { Server } from 'node:http'
import type { Socket } from 'node:net'

export interface ConnectionLimits {
  /** Most connections at once. */
  readonly all: number
  /** Most connections of one address at once. */
  readonly perAddress: number
  /** The address that a connection counts for; null for a proxy, which connects for many clients. */
  readonly addressOf: (socket: Socket) => string | null
  /** Sent over a refused connection before it is closed; null sends nothing, as TLS requires. */
  readonly answer: () => string | null
  readonly onRefused: (limit: 'all' | 'address') => void
}

/** Part of all connections from which on idle ones are closed, to leave room for new ones. */
const CROWDED = 0.9

/** Refuses connections beyond a limit before anything reads from them. Call it before the server listens. */
export function limitConnections(
  server: Server,
  { all, perAddress, addressOf, answer, onRefused }: ConnectionLimits,
): void {
  const byAddress = new Map<string, number>()
  const listeners = server.listeners('connection')
  let open = 0
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    const address = addressOf(socket)
    const ofAddress = address === null ? 0 : (byAddress.get(address) ?? 0)
    if (open >= all * CROWDED) server.closeIdleConnections()
    if (open >= all || ofAddress >= perAddress) return refuse(socket, open >= all ? 'all' : 'address')
    open += 1
    if (address !== null) byAddress.set(address, ofAddress + 1)
    socket.once('close', () => {
      open -= 1
      if (address !== null) forget(address)
    })
    for (const listener of listeners) listener.call(server, socket)
  })

  function forget(address: string): void {
    const left = (byAddress.get(address) ?? 0) - 1
    if (left > 0) byAddress.set(address, left)
    else byAddress.delete(address)
  }

  function refuse(socket: Socket, limit: 'all' | 'address'): void {
    onRefused(limit)
    // A client that disconnects first is refused too.
    socket.on('error', () => {})
    const text = answer()
    if (text === null) socket.destroy()
    else {
      socket.write(text)
      socket.destroySoon()
    }
  }
}
