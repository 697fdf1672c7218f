import type { Socket } from 'node:net'
import type { Middleware } from 'koa'
import { hasBody } from '../read-json.ts'

/** The rest of a body that Node.js may read and discard, to use the connection again. */
const DISCARDED_BYTES = 64 * 1024
/** Time for a client to read its answer while it still sends. */
const LINGER_MS = 2_000

/**
 * Closes the connection after an answer to a request whose body was not read, such as one over a limit. Reading and
 * discarding the body would cost more than the request was refused for.
 */
export const closeUnread: Middleware = async (ctx, next) => {
  await next()
  const isLong = (ctx.request.length ?? Number.POSITIVE_INFINITY) > DISCARDED_BYTES
  if (ctx.req.complete || !hasBody(ctx) || !isLong) return
  ctx.set('Connection', 'close')
  closeLater(ctx.req.socket)
}

/**
 * Replaces how Node.js closes the connection after its last answer. Closed with unread bytes, a connection is reset,
 * and the client may lose the answer. So it stays open, unread, until the client closes it or time is up.
 */
function closeLater(socket: Socket): void {
  socket.destroySoon = () => {
    socket.end()
    socket.pause()
    const timer = setTimeout(() => socket.destroy(), LINGER_MS)
    socket.once('close', () => clearTimeout(timer))
  }
}
