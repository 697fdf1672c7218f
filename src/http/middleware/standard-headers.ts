import type { Middleware } from 'koa'
import { nanoid } from 'nanoid'
import { SERVICE_VERSION } from './service-version.ts'

/** A request id of the client is used when it is 1 to 128 visible ASCII characters. */
const WELL_FORMED = /^[\x21-\x7e]{1,128}$/

/** Sets the headers of every response. The request id is also in each log line about the request. */
export const standardHeaders: Middleware = async (ctx, next) => {
  const given = ctx.get('x-request-id')
  const requestId = WELL_FORMED.test(given) ? given : nanoid()
  ctx.state['requestId'] = requestId
  ctx.set({
    'X-Request-Id': requestId,
    'service-version': SERVICE_VERSION,
    'Access-Control-Allow-Origin': '*',
    // Lets scripts of other origins read entity tags, limits and request ids.
    'Access-Control-Expose-Headers': '*',
    'X-Content-Type-Options': 'nosniff',
  })
  await next()
}
