import type { JsonObject } from '../../domain/json.ts'
import { SERVICE_VERSION } from '../middleware/service-version.ts'
import type { Operation } from './operation.ts'

/** A header of an answer as OpenAPI describes it; `required` means that it is always there. */
export interface Header {
  readonly description: string
  readonly required: boolean
  readonly schema: JsonObject
}

export const HEADERS = {
  'X-Request-Id': always('Names the request in the log; your own when you sent a well-formed one.', {
    type: 'string',
    maxLength: 128,
  }),
  'service-version': always('The version of the API that answered.', { type: 'string', format: 'date' }),
  'Access-Control-Allow-Origin': always('Any origin may read the answer.', { const: '*' }),
  'Access-Control-Expose-Headers': always('Scripts of any origin may read the headers too.', { const: '*' }),
  'X-RateLimit-Limit': always('Requests allowed per minute; 2147483647 means any number.', {
    type: 'integer',
  }),
  'X-RateLimit-Remaining': always('Requests left in the present minute.', { type: 'integer' }),
  'X-RateLimit-Reset': always('Unix second at which the oldest request leaves the window.', {
    type: 'integer',
  }),
  'X-RateLimit-Burst-Limit': always('Requests allowed in any 10 seconds.', { type: 'integer' }),
  'X-RateLimit-Burst-Remaining': always('Requests left in the present 10 seconds.', { type: 'integer' }),
  'X-RateLimit-Retry-After': always('Seconds to wait.', { type: 'integer', minimum: 1 }),
  'Retry-After': always('Seconds to wait.', { type: 'integer', minimum: 1 }),
  ETag: always('Names this answer: for `If-None-Match`, and for the `If-Match` of a later PUT.', {
    type: 'string',
  }),
  Location: always('Where to see how far what was asked for has come.', { type: 'string' }),
  Deprecation: always('Since when this surface is deprecated, as RFC 9745 writes it.', { type: 'string' }),
  'Idempotency-Replayed': sometimes(
    '`true` when this is the answer of an earlier request with the same key.',
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
]

/** What a request to any operation with a key may carry besides the operation's own parameters. */
export const REQUEST_HEADERS = {
  'service-version': sent('The version of the API you speak; another than the present one is refused.', {
    type: 'string',
    format: 'date',
    examples: [SERVICE_VERSION],
  }),
  'X-Request-Id': sent('Your own name for the request: 1 to 128 visible ASCII characters.', {
    type: 'string',
  }),
  'Idempotency-Key': sent(
    'Your own name for what is to happen once: whoever sends the request again within a day gets the first answer again.',
    { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
  ),
  'If-Match': sent('The `ETag` you read: the change is refused when somebody else has written since.', {
    type: 'string',
  }),
  'If-None-Match': sent('An `ETag` you have: the answer is 304 when it is still the same.', {
    type: 'string',
  }),
} as const

/** Names of the headers that an answer of this status carries. */
export function headersOf(operation: Operation, status: number): readonly HeaderName[] {
  return [
    ...EVERYWHERE,
    ...(operation.path.startsWith('/v1/') ? (['Deprecation'] as const) : []),
    ...(status === 429 ? (['X-RateLimit-Retry-After', 'Retry-After'] as const) : []),
    ...(status === 503 && operation.path.startsWith('/public/') ? (['Retry-After'] as const) : []),
    ...(status === 202 ? (['Location'] as const) : []),
    ...(operation.method === 'post' && !isOpen(operation) ? (['Idempotency-Replayed'] as const) : []),
    ...(isTagged(operation, status) ? (['ETag'] as const) : []),
  ]
}

/** Names of the headers that a request to the operation may carry. */
export function requestHeadersOf(operation: Operation): readonly (keyof typeof REQUEST_HEADERS)[] {
  if (isOpen(operation)) return []
  return [
    'service-version',
    'X-Request-Id',
    ...(operation.method === 'post' ? (['Idempotency-Key'] as const) : []),
    ...(operation.guarded ? (['If-Match'] as const) : []),
    ...(isCacheable(operation) ? (['If-None-Match'] as const) : []),
  ]
}

/** Whether an answer can be 304. */
export function isCacheable(operation: Operation): boolean {
  return operation.method === 'get' && isTagged(operation, 200)
}

function isOpen({ access }: Operation): boolean {
  return access === 'open'
}

/** JSON answers of the API carry a tag. */
function isTagged(operation: Operation, status: number): boolean {
  const answer = operation.answers.find((one) => one.status === status)
  return !isOpen(operation) && (status === 304 || answer?.content['application/json'] !== undefined)
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
