import type { RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Most requests of one connection that wait for its earlier ones. Clients that pipeline send fewer. */
const MAX_WAITING = 16
/** Most requests of one connection that are dropped while its waiting ones are answered. */
const MAX_DROPPED = 1000

interface Waiting {
  readonly starts: (() => void)[]
  /** The response to the newest of the waiting requests; null when none waits. */
  last: ServerResponse | null
  dropped: number
}

/**
 * Handles the requests of a connection one after the other. A client may send many without waiting for answers
 * (pipelining), which would all hold memory at once. When too many wait, the waiting ones are answered, the last of
 * them with `Connection: close`, and later ones are dropped.
 *
 * @param onRefused called once for a connection on which too many requests wait.
 */
export function oneAtATime(listener: RequestListener, onRefused: () => void): RequestListener {
  const connections = new WeakMap<Socket, Waiting>()

  return (request, response) => {
    const { socket } = request
    const waiting = connections.get(socket)
    if (waiting === undefined) {
      connections.set(socket, { starts: [], last: null, dropped: 0 })
      start()
    } else if (waiting.dropped === 0 && waiting.starts.length < MAX_WAITING) {
      waiting.starts.push(start)
      waiting.last = response
    } else drop(socket, waiting)

    function start(): void {
      response.once('close', () => startNext(socket))
      listener(request, response)
    }
  }

  function drop(socket: Socket, waiting: Waiting): void {
    waiting.dropped += 1
    if (waiting.dropped === 1) {
      onRefused()
      // The request that has the response waits, so its headers are still unsent.
      if (waiting.last !== null) waiting.last.shouldKeepAlive = false
    }
    if (waiting.dropped > MAX_DROPPED) socket.destroy()
  }

  function startNext(socket: Socket): void {
    const waiting = connections.get(socket)
    const next = waiting?.starts.shift()
    if (next !== undefined && !socket.destroyed) next()
    // After a dropped request nothing else of the connection is handled.
    else if (waiting?.dropped === 0) connections.delete(socket)
  }
}
