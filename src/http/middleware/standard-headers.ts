import type { Middleware } from 'koa'
import { nanoid } from 'nanoid'
import { SERVICE_VERSION } from './service-version.ts'

/** A client's own id is kept when it is 1 to 128 visible ASCII characters. */
const WELL_FORMED = /^[\x21-\x7e]{1,128}$/

/** What every response carries; the request id also stands in each log line about the request. */
export const standardHeaders: Middleware = async (ctx, next) => {
  const given = ctx.get('x-request-id')
  const requestId = WELL_FORMED.test(given) ? given : nanoid()
  ctx.state['requestId'] = requestId
  ctx.set({
    'X-Request-Id': requestId,
    'service-version': SERVICE_VERSION,
    'Access-Control-Allow-Origin': '*',
    // Otherwise scripts of other origins could not read tags, limits and request ids.
    'Access-Control-Expose-Headers': '*',
    'X-Content-Type-Options': 'nosniff',
  })
  await next()
}
