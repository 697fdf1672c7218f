import { isIP } from 'node:net'
import type { Context, Middleware } from 'koa'
import { nanoid } from 'nanoid'
import { hostName } from '../../domain/site-host.ts'
import { requestTarget } from '../public/request-target.ts'
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
    ...(isOwnTls(ctx) && { 'Strict-Transport-Security': `max-age=${HSTS_SECONDS}` }),
  })
  await next()
}

/** Half a year. Without subdomains: other services may have them. */
const HSTS_SECONDS = 180 * 24 * 60 * 60

/**
 * Reports whether this process serves the domain of the request over TLS, at the port that browsers use in place of 80.
 * Behind a proxy the proxy decides; addresses and names such as `localhost` serve other things over HTTP at other
 * times.
 */
function isOwnTls({ req }: Context): boolean {
  if (!('encrypted' in req.socket)) return false
  const { host } = requestTarget(req)
  const name = hostName(host)
  return name !== null && name === host.toLowerCase() && name.includes('.') && isIP(name) === 0
}
