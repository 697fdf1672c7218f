import { z } from 'zod'
import type { ErrorName } from '../../domain/errors.ts'
import { MAX_REPORTED } from '../../domain/field-errors.ts'
import { FIELD_ERROR_CODES, type FieldErrorCode } from '../../domain/invalid-field.ts'
import { STATUS } from '../middleware/errors.ts'
import { isLegacy } from './headers.ts'
import type { Operation } from './operation.ts'

/** Meaning of each error, for clients. */
const MEANINGS: Readonly<Record<ErrorName, string>> = {
  missing_api_key: 'The `Authorization` header is missing.',
  unauthorized: 'The `Authorization` header is not `Bearer <API key>`.',
  invalid_api_key: 'The key is unknown, revoked or expired.',
  forbidden:
    'The key lacks the permission, the project is archived or suspended, or the request used plain HTTP.',
  project_scope_violation: 'The key is restricted to another project.',
  not_found: 'The record does not exist, or belongs to another user.',
  method_not_allowed: 'The path exists and has no such method; `Allow` names those that it has.',
  not_published: 'The page is not live.',
  already_enabled: 'Data Mode is already on.',
  not_enabled: 'Data Mode is off.',
  validation_error: 'A field of the body is invalid; the message names each invalid field with its path.',
  invalid_request: 'The body is not a JSON object, or a parameter or header is invalid.',
  missing_required_field: 'A required field is absent or null; the message names each one.',
  conflict: 'The name, path or domain is taken, or the project is in the wrong state.',
  precondition_failed: 'The resource has another version than `If-Match`. Nothing was written.',
  payload_too_large: 'The body is larger than 5 MiB, or has more than 100,000 values.',
  rate_limit_exceeded: 'Too many requests; retry after `retry_after` seconds.',
  internal_error: 'An unexpected error of the service; its log has the details under `X-Request-Id`.',
  service_unavailable:
    'The service is holding as much for other requests, or for others of this client, as its memory allows. Retry after `Retry-After` seconds.',
}

const ERROR_NAMES = Object.keys(STATUS) as ErrorName[]

/** The body of every unsuccessful answer of the legacy surface, and to clients without a preference. */
const LegacyErrorBody = z
  .strictObject({
    statusCode: z.int().meta({ description: 'The HTTP status.', examples: [404] }),
    name: z.enum(ERROR_NAMES).meta({ examples: ['not_found'] }),
    message: z
      .string()
      .min(1)
      .meta({ examples: ['No page has the id "page_k3v9q2m7x4tz8wpa".'] }),
    retry_after: z.int().min(1).optional().meta({ description: 'For 429: seconds to wait.' }),
    limit: z
      .int()
      .min(0)
      .optional()
      .meta({ description: 'For 429: number of requests that the window allows.' }),
    window: z.enum(['burst', 'minute', 'hour', 'month', 'endpoint', 'account']).optional().meta({
      description:
        'Only with 429: the exceeded window. `account` is the budget of all keys and sessions of the user.',
    }),
  })
  .meta({ id: 'LegacyErrorBody' })

const FieldError = z
  .strictObject({
    field: z.string().meta({
      description: 'The path of the field, as in `nav_links[2].href`; empty for the body itself.',
      examples: ['slug'],
    }),
    code: z.enum(Object.keys(FIELD_ERROR_CODES) as FieldErrorCode[]).meta({
      description: Object.entries(FIELD_ERROR_CODES)
        .map(([code, meaning]) => `\`${code}\`: ${meaning}`)
        .join('\n\n'),
      examples: ['required'],
    }),
    message: z
      .string()
      .min(1)
      .meta({ description: 'Ends a sentence that begins with the field.', examples: ['required.'] }),
  })
  .meta({ id: 'FieldError' })

/** The body of every unsuccessful answer. */
export const ErrorBody = LegacyErrorBody.extend({
  errors: z.array(FieldError).max(MAX_REPORTED).optional().meta({
    description:
      'For requests with `Prefer: errors=fields`: all invalid fields, up to 100. Empty when the error is about none.',
  }),
}).meta({ id: 'ErrorBody' })

/** The error body of an operation. */
export function errorBodyOf(operation: Operation) {
  return isLegacy(operation) ? LegacyErrorBody : ErrorBody
}

/** One paragraph of Markdown per error. */
export function describeErrors(names: readonly ErrorName[]): string {
  return names.map((name) => `\`${name}\`: ${MEANINGS[name]}`).join('\n\n')
}

/** Groups errors by status, in ascending order. */
export function errorsByStatus(
  names: readonly ErrorName[],
): readonly (readonly [number, readonly ErrorName[]])[] {
  const statuses = [...new Set(names.map((name) => STATUS[name]))].sort((a, b) => a - b)
  return statuses.map((status) => [
    status,
    ERROR_NAMES.filter((name) => names.includes(name) && STATUS[name] === status),
  ])
}
