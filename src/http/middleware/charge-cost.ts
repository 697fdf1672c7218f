import { Stream } from 'node:stream'
import type { Context, Middleware } from 'koa'
import { usedProcessorMs } from '../../platform/processor-time.ts'
import type { ApiState } from '../api.ts'
import { hasBody, MAX_BODY_BYTES } from '../read-json.ts'
import { costOfBytes, costOfProcessorTime } from '../request-cost.ts'

/**
 * Charges a request when it has ended: for its processor time in all processes, for the bytes of its answer, and for
 * those of an unread body. The cost is not known before, so no request is rejected for it: the next requests wait
 * longer. Bytes of a body are charged when they have arrived.
 */
export const chargeCost: Middleware = async (ctx, next) => {
  try {
    await next()
  } finally {
    const { charge } = ctx.state as ApiState
    await charge?.(
      costOfProcessorTime(usedProcessorMs()) + costOfBytes(answerBytes(ctx)) + costOfBytes(unreadBytes(ctx)),
    )
  }
}

/** Bytes of a body that was refused before it was read. The client sends what fits into the buffers of both systems. */
function unreadBytes(ctx: Context): number {
  const { req, request } = ctx
  if (req.complete || !hasBody(ctx)) return 0
  return Math.min(request.length ?? MAX_BODY_BYTES, MAX_BODY_BYTES)
}

/** Files are streamed, which costs little processor time. */
function answerBytes({ body, method }: Context): number {
  if (method === 'HEAD' || body instanceof Stream) return 0
  if (typeof body === 'string') return Buffer.byteLength(body)
  return body instanceof Uint8Array ? body.byteLength : 0
}
