import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'

/** Most requests of one connection that wait for its earlier ones. Clients that pipeline send fewer. */
const MAX_WAITING = 16

/**
 * Handles the requests of a connection one after the other. A client may send many without waiting for answers
 * (pipelining), which would all hold memory at once.
 *
 * @param onRefused called when a connection is closed because too many of its requests wait.
 */
export function oneAtATime(listener: RequestListener, onRefused: () => void): RequestListener {
  const waiting = new WeakMap<Socket, (() => void)[]>()

  return (request, response) => {
    const { socket } = request
    const queue = waiting.get(socket)
    if (queue === undefined) {
      waiting.set(socket, [])
      start()
    } else if (queue.length < MAX_WAITING) queue.push(start)
    else if (!socket.destroyed) {
      onRefused()
      socket.destroy()
    }

    function start(): void {
      response.once('close', () => startNext(socket))
      listener(request, response)
    }
  }

  function startNext(socket: Socket): void {
    const next = waiting.get(socket)?.shift()
    if (next === undefined || socket.destroyed) waiting.delete(socket)
    else next()
  }
}
