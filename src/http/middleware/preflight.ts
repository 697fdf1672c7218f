import type { Middleware } from 'koa'

/** Headers that the API itself reads. */
const OWN_HEADERS = [
  'Authorization',
  'Content-Type',
  'If-Match',
  'If-None-Match',
  'Idempotency-Key',
  'Prefer',
  'X-Request-Id',
  'service-version',
]

/** A name of a header (RFC 9110, `token`), short enough that the answer stays small. */
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]{1,64}$/
/** Requested headers that are allowed: more than any browser adds, so that the answer stays small. */
const MAX_REQUESTED = 64

/**
 * Answers CORS preflight requests, which carry no key. Any header may be sent: tracing libraries add their own
 * (`traceparent`, `sentry-trace`), and the service ignores what it does not know. They are named one by one, because
 * `*` does not include `Authorization`. Credentials are never allowed, so cookies are not sent.
 */
export const answerPreflight: Middleware = async (ctx, next) => {
  if (ctx.method !== 'OPTIONS') return next()
  ctx.vary('Access-Control-Request-Headers')
  ctx.set({
    'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, DELETE, OPTIONS',
    'Access-Control-Allow-Headers': allowedHeaders(ctx.get('access-control-request-headers')).join(', '),
    'Access-Control-Max-Age': '86400',
  })
  ctx.status = 204
}

function allowedHeaders(requested: string): readonly string[] {
  const names = requested.split(',').map((name) => name.trim().toLowerCase())
  const added = names.filter((name) => HEADER_NAME.test(name)).slice(0, MAX_REQUESTED)
  const own = new Set(OWN_HEADERS.map((name) => name.toLowerCase()))
  return [...OWN_HEADERS, ...new Set(added.filter((name) => !own.has(name)))]
}
