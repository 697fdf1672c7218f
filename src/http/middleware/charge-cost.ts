import { Stream } from 'node:stream'
import type { Context, Middleware } from 'koa'
import { usedProcessorMs } from '../../platform/processor-time.ts'
import type { ApiState } from '../api.ts'
import { costOfBytes, costOfProcessorTime } from '../request-cost.ts'

/**
 * Charges a request by the processor time that it took in all processes, and by the bytes of its answer, when it has
 * ended. What is measured is not known before, so it refuses nothing: the requests after it wait longer. Bytes of a body
 * are charged when they have arrived.
 */
export const chargeCost: Middleware = async (ctx, next) => {
  try {
    await next()
  } finally {
    const { charge } = ctx.state as ApiState
    await charge?.(costOfProcessorTime(usedProcessorMs()) + costOfBytes(answerBytes(ctx)))
  }
}

/** Files are streamed, which costs little processor time. */
function answerBytes({ body, method }: Context): number {
  if (method === 'HEAD' || body instanceof Stream) return 0
  if (typeof body === 'string') return Buffer.byteLength(body)
  return body instanceof Uint8Array ? body.byteLength : 0
}
