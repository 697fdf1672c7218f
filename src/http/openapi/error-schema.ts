import { z } from 'zod'
import type { ErrorName } from '../../domain/errors.ts'
import { STATUS } from '../middleware/errors.ts'

/** What each error means to a client that meets it. */
const MEANINGS: Readonly<Record<ErrorName, string>> = {
  missing_api_key: 'There is no `Authorization` header.',
  unauthorized: 'The `Authorization` header is not `Bearer <API key>`.',
  invalid_api_key: 'The key is unknown, revoked or expired.',
  forbidden:
    'The key lacks the permission, the project takes no changes, or the request came over plain HTTP.',
  project_scope_violation: 'The key is restricted to another project.',
  not_found: 'There is no such record, or it is not yours.',
  not_published: 'The page is not live.',
  already_enabled: 'Data Mode is on already.',
  not_enabled: 'Data Mode is off.',
  validation_error: 'A field of the body is wrong; the message names each with its path.',
  invalid_request: 'The body is no JSON object, or a parameter or a header is wrong.',
  missing_required_field: 'A required field is absent or null; the message names each.',
  conflict: 'Something else has that place already, or the project is in the wrong state.',
  precondition_failed: '`If-Match` names a version that is not the present one. Nothing was written.',
  payload_too_large: 'The body is larger than 5 MiB.',
  rate_limit_exceeded: 'Too many requests; `retry_after` says when the next one fits.',
  internal_error: 'Something went wrong on our side; `X-Request-Id` names the request.',
}

const ERROR_NAMES = Object.keys(STATUS) as ErrorName[]

/** The body of every answer that is no success, on every surface. */
export const ErrorBody = z
  .strictObject({
    statusCode: z.int().meta({ description: 'The HTTP status.', examples: [404] }),
    name: z.enum(ERROR_NAMES).meta({ examples: ['not_found'] }),
    message: z.string().meta({ examples: ['No page has the id "page_k3v9q2m7x4tz8wpa".'] }),
    retry_after: z.int().min(1).optional().meta({ description: 'Of a 429: seconds to wait.' }),
    limit: z
      .int()
      .min(0)
      .optional()
      .meta({ description: 'Of a 429: how many requests fit into the window.' }),
    window: z
      .enum(['burst', 'minute', 'hour', 'month', 'endpoint'])
      .optional()
      .meta({ description: 'Of a 429: which window was full.' }),
  })
  .meta({ id: 'ErrorBody' })

/** One line of Markdown for each of the errors. */
export function describeErrors(names: readonly ErrorName[]): string {
  return names.map((name) => `\`${name}\`: ${MEANINGS[name]}`).join('\n\n')
}

/** By status, in rising order. */
export function errorsByStatus(
  names: readonly ErrorName[],
): readonly (readonly [number, readonly ErrorName[]])[] {
  const statuses = [...new Set(names.map((name) => STATUS[name]))].sort((a, b) => a - b)
  return statuses.map((status) => [
    status,
    ERROR_NAMES.filter((name) => names.includes(name) && STATUS[name] === status),
  ])
}
