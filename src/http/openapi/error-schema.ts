import { z } from 'zod'
import type { ErrorName } from '../../domain/errors.ts'
import { MAX_REPORTED } from '../../domain/field-errors.ts'
import { FIELD_ERROR_CODES, type FieldErrorCode } from '../../domain/invalid-field.ts'
import { ERROR_TEXTS } from '../error-texts.ts'
import { STATUS } from '../middleware/errors.ts'
import { isLegacy } from './headers.ts'
import type { Operation } from './operation.ts'

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

export const FieldError = z
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

/** The body of an unsuccessful answer to clients that accept problem details (RFC 9457). */
export const Problem = z
  .strictObject({
    type: z.string().meta({
      description: 'The URL of a page that explains the error.',
      examples: ['https://api.example.com/problems/not_found'],
    }),
    title: z.string().meta({ examples: ['Not found'] }),
    status: LegacyErrorBody.shape.statusCode,
    detail: LegacyErrorBody.shape.message,
    name: LegacyErrorBody.shape.name,
    request_id: z.string().meta({ description: 'The `X-Request-Id` of the answer.' }),
    errors: z
      .array(FieldError)
      .max(MAX_REPORTED)
      .meta({
        description: 'All invalid fields, up to 100. Empty when the error is about none.',
        examples: [[]],
      }),
    retry_after: LegacyErrorBody.shape.retry_after,
    limit: LegacyErrorBody.shape.limit,
    window: LegacyErrorBody.shape.window,
  })
  .meta({ id: 'Problem' })

/** The error body of an operation. */
export function errorBodyOf(operation: Operation) {
  return isLegacy(operation) ? LegacyErrorBody : ErrorBody
}

/** One paragraph of Markdown per error. */
export function describeErrors(names: readonly ErrorName[]): string {
  return names.map((name) => `\`${name}\`: ${ERROR_TEXTS[name].meaning}`).join('\n\n')
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
