import type { JsonObject } from '../../domain/json.ts'
import { ERROR_FIELDS } from '../middleware/error-preference.ts'
import { SERVICE_VERSION } from '../middleware/service-version.ts'
import type { Operation } from './operation.ts'

/** A response header in OpenAPI; `required`: every response has it. */
export interface Header {
  readonly description: string
  readonly required: boolean
  readonly schema: JsonObject
}

export const HEADERS = {
  'X-Request-Id': always('Id of the request in the log: the one that the client sent, if well-formed.', {
    type: 'string',
    maxLength: 128,
  }),
  'service-version': always('The version of the API.', { type: 'string', format: 'date' }),
  'Access-Control-Allow-Origin': always('Scripts of any origin may read the answer.', { const: '*' }),
  'Access-Control-Expose-Headers': always('Scripts of any origin may read the headers.', { const: '*' }),
  'X-RateLimit-Limit': always('Allowed requests per minute; 2147483647: no limit.', {
    type: 'integer',
  }),
  'X-RateLimit-Remaining': always('Remaining requests in the current minute.', { type: 'integer' }),
  'X-RateLimit-Reset': always('Unix time in seconds at which the oldest request leaves the window.', {
    type: 'integer',
  }),
  'X-RateLimit-Burst-Limit': always('Allowed requests in any 10 seconds.', { type: 'integer' }),
  'X-RateLimit-Burst-Remaining': always('Remaining requests in the current 10 seconds.', { type: 'integer' }),
  'RateLimit-Policy': sometimes(
    'The limited windows: `burst`, `minute`, `hour`, `month`, `endpoint` and `account`, with the requests that they allow (`q`) and their seconds (`w`). Structured Fields (RFC 9651), as the IETF draft `ratelimit-headers` has them.',
    { type: 'string', examples: ['"burst";q=100;w=10, "minute";q=100;w=60'] },
  ),
  RateLimit: sometimes(
    'Remaining requests of each window (`r`), and seconds until its oldest request leaves it (`t`).',
    { type: 'string', examples: ['"burst";r=97;t=4, "minute";r=63;t=31'] },
  ),
  'X-RateLimit-Retry-After': always('Seconds to wait.', { type: 'integer', minimum: 1 }),
  'Retry-After': always('Seconds to wait.', { type: 'integer', minimum: 1 }),
  ETag: always('Entity tag, for `If-None-Match`, and for `If-Match` of a later change.', {
    type: 'string',
  }),
  Link: sometimes(
    'The public URL of the page, with `rel="alternate"`; for lists the next request, with `rel="next"` (RFC 8288).',
    { type: 'string', examples: ['<https://example.com/blog/opening-hours>; rel="alternate"'] },
  ),
  Location: always('URL of the job or delivery.', { type: 'string' }),
  Deprecation: always('Date since which this surface is deprecated (RFC 9745).', { type: 'string' }),
  'Preference-Applied': sometimes('`errors=fields` when the error has `errors`.', { const: ERROR_FIELDS }),
  'Idempotency-Replayed': sometimes(
    '`true` when the answer is that of an earlier request with the same key.',
    {
      const: 'true',
    },
  ),
} as const satisfies Readonly<Record<string, Header>>

export type HeaderName = keyof typeof HEADERS

const EVERYWHERE: readonly HeaderName[] = [
  'X-Request-Id',
  'service-version',
  'Access-Control-Allow-Origin',
  'Access-Control-Expose-Headers',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-RateLimit-Burst-Limit',
  'X-RateLimit-Burst-Remaining',
  'RateLimit-Policy',
  'RateLimit',
]

/** Headers that requests with a key accept, in addition to the parameters of the operation. */
export const REQUEST_HEADERS = {
  'service-version': sent('The expected version of the API; any other than the current one is refused.', {
    type: 'string',
    format: 'date',
    examples: [SERVICE_VERSION],
  }),
  'X-Request-Id': sent('An id for the request: 1 to 128 visible ASCII characters.', {
    type: 'string',
  }),
  'Idempotency-Key': sent(
    'A key for an effect that must happen once: a repeated request within a day gets the first answer again.',
    { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
  ),
  Prefer: sent('`errors=fields`: errors list each invalid field in `errors` (RFC 7240).', {
    type: 'string',
    examples: [ERROR_FIELDS],
  }),
  'If-Match': sent('The `ETag` that was read: the change is refused when the resource changed since.', {
    type: 'string',
  }),
  'If-None-Match': sent('A cached `ETag`: the answer is 304 while it is current.', {
    type: 'string',
  }),
} as const

/** Names of the headers of an answer with this status. */
export function headersOf(operation: Operation, status: number): readonly HeaderName[] {
  return [
    ...EVERYWHERE,
    ...(isLegacy(operation) ? (['Deprecation'] as const) : []),
    ...(status === 429 ? (['X-RateLimit-Retry-After', 'Retry-After'] as const) : []),
    ...(status === 503 && operation.path !== '/readyz' ? (['Retry-After'] as const) : []),
    ...(status === 202 ? (['Location'] as const) : []),
    ...(operation.method === 'post' && !isOpen(operation) ? (['Idempotency-Replayed'] as const) : []),
    ...(hasLink(operation, status) ? (['Link'] as const) : []),
    ...(isTagged(operation, status) ? (['ETag'] as const) : []),
    ...(status >= 400 && !isLegacy(operation) ? (['Preference-Applied'] as const) : []),
  ]
}

/** Reports whether the operation is of the legacy surface. Its shapes never change. */
export function isLegacy({ path }: Operation): boolean {
  return path.startsWith('/v1/')
}

/** Names of the headers that the operation accepts. */
export function requestHeadersOf(operation: Operation): readonly (keyof typeof REQUEST_HEADERS)[] {
  if (isOpen(operation)) return []
  return [
    'service-version',
    'X-Request-Id',
    ...(operation.method === 'post' ? (['Idempotency-Key'] as const) : []),
    ...(isLegacy(operation) ? [] : (['Prefer'] as const)),
    ...(operation.guarded ? (['If-Match'] as const) : []),
    ...(isCacheable(operation) ? (['If-None-Match'] as const) : []),
  ]
}

/** Reports whether an answer can be 304. */
export function isCacheable(operation: Operation): boolean {
  return operation.method === 'get' && isTagged(operation, 200)
}

function isOpen({ access }: Operation): boolean {
  return access === 'open'
}

function hasLink({ method, path, query }: Operation, status: number): boolean {
  const isLinked = path === '/pages/{id}' || 'cursor' in (query?.shape ?? {})
  return method === 'get' && isLinked && (status === 200 || status === 304)
}

/** JSON answers of the API and files have an entity tag. */
function isTagged(operation: Operation, status: number): boolean {
  const answer = operation.answers.find((one) => one.status === status)
  if (operation.guarded && status === 412) return true
  const isTaggedBody = ['application/json', '*/*'].some((type) => answer?.content[type])
  return !isOpen(operation) && (status === 304 || isTaggedBody)
}

function always(description: string, schema: JsonObject): Header {
  return { description, required: true, schema }
}

function sometimes(description: string, schema: JsonObject): Header {
  return { description, required: false, schema }
}

function sent(description: string, schema: JsonObject) {
  return { description, schema }
}
