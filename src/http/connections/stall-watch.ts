import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Slower clients are closed too, after the stall timeout. A telephone line of 56 kbit/s is faster. */
const MIN_BYTES_PER_SECOND = 4 * 1024

/** A connection with a client that is too slow to send a body or to take an answer. */
export interface Stalled {
  readonly socket: Socket
  readonly what: 'body' | 'answer'
}

export interface StallWatch {
  /** Watches a request until its answer is taken. */
  watch(request: Pick<IncomingMessage, 'socket' | 'complete'>, response: Pick<ServerResponse, 'once'>): void
  /**
   * @param ms time since the last call.
   * @returns connections that moved no byte for the timeout, or too few since the request began. Time in which the
   *   service itself keeps its client waiting does not count.
   */
  check(ms: number): readonly Stalled[]
}

/** One request, and the progress of its client while the service waited for it. */
interface Watched {
  readonly request: Pick<IncomingMessage, 'socket' | 'complete'>
  /** Bytes at the last check. */
  sent: number
  taken: number
  waitedMs: number
  idleMs: number
  movedBytes: number
}

export function createStallWatch({ stallMs }: { readonly stallMs: number }): StallWatch {
  const watched = new Set<Watched>()

  return {
    watch(request, response) {
      const { socket } = request
      const bytes = { sent: socket.bytesRead, taken: takenFrom(socket) }
      const one = { request, ...bytes, waitedMs: 0, idleMs: 0, movedBytes: 0 }
      watched.add(one)
      response.once('close', () => watched.delete(one))
    },

    check(ms) {
      const stalled: Stalled[] = []
      for (const one of watched) {
        const what = awaitedFrom(one.request)
        advance(one, what, ms)
        if (what === null || !isStalled(one)) continue
        watched.delete(one)
        stalled.push({ socket: one.request.socket, what })
      }
      return stalled
    },
  }

  function isStalled({ idleMs, waitedMs, movedBytes }: Watched): boolean {
    return idleMs >= stallMs || (waitedMs >= stallMs && movedBytes < (waitedMs / 1000) * MIN_BYTES_PER_SECOND)
  }
}

/** Returns the part that the service waits for; null while the client waits for the service. */
function awaitedFrom({ socket, complete }: Watched['request']): Stalled['what'] | null {
  if (socket.writableLength > 0) return 'answer'
  return complete ? null : 'body'
}

/** Counts only progress in the awaited direction: further requests are not progress on an unread answer. */
function advance(one: Watched, what: Stalled['what'] | null, ms: number): void {
  const { socket } = one.request
  const [sent, taken] = [socket.bytesRead, takenFrom(socket)]
  const moved = what === 'body' ? sent - one.sent : taken - one.taken
  one.sent = sent
  one.taken = taken
  if (what === null) {
    one.idleMs = 0
    return
  }
  one.waitedMs += ms
  one.idleMs = moved > 0 ? 0 : one.idleMs + ms
  one.movedBytes += moved
}

/** Bytes that the client has taken. What the socket still holds is not taken. */
function takenFrom({ bytesWritten, writableLength }: Socket): number {
  return bytesWritten - writableLength
}
