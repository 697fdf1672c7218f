import type { Middleware } from 'koa'
import type { Logger } from 'pino'
import { type ErrorName, RateLimitError, ServiceError, UnavailableError } from '../../domain/errors.ts'
import { type ErrorBody, type FieldErrorBody, presentFields } from './error-body.ts'
import { answerError } from './error-preference.ts'

/** The only table of status codes, for the HTTP status and for `statusCode` in the body. */
export const STATUS: Readonly<Record<ErrorName, number>> = {
  missing_api_key: 401,
  unauthorized: 401,
  invalid_api_key: 403,
  forbidden: 403,
  project_scope_violation: 403,
  not_found: 404,
  method_not_allowed: 405,
  not_published: 409,
  already_enabled: 409,
  not_enabled: 409,
  validation_error: 422,
  invalid_request: 422,
  missing_required_field: 422,
  conflict: 400,
  gone: 410,
  precondition_failed: 412,
  payload_too_large: 413,
  rate_limit_exceeded: 429,
  internal_error: 500,
  service_unavailable: 503,
}

export interface ErrorPorts {
  readonly log: Logger
  /** URL of the service, for the pages that explain errors. */
  readonly baseUrl: string
}

/** Answers every exception with an error body. Unexpected ones are logged, and their details are not sent. */
export function answerErrors({ log, baseUrl }: ErrorPorts): Middleware {
  return async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      const body = errorBody(error)
      if (error instanceof UnavailableError) {
        for (const name of OF_ANOTHER_ANSWER) ctx.remove(name)
        ctx.set('Retry-After', String(error.retryAfter))
      } else if (body.statusCode >= 500) {
        log.error(
          { err: error, request_id: ctx.state['requestId'], method: ctx.method, path: ctx.path },
          'Request failed.',
        )
      }
      answerError(ctx, body, errorFields(error), baseUrl)
    }
  }
}

/** Headers of the answer that there is no room for. */
const OF_ANOTHER_ANSWER = [
  'ETag',
  'Cache-Control',
  'Content-Encoding',
  'Content-Range',
  'Accept-Ranges',
  'Location',
]

/** The body for any exception. */
export function errorBody(error: unknown): ErrorBody {
  const { name, message } = error instanceof ServiceError ? error : UNEXPECTED
  const body = { statusCode: STATUS[name], name, message }
  if (!(error instanceof RateLimitError)) return body
  const { retryAfter, limit, window } = error.refusal
  return { ...body, retry_after: retryAfter, limit, window }
}

/** Returns the fields of an exception, for clients that prefer them. */
export function errorFields(error: unknown): readonly FieldErrorBody[] {
  return error instanceof ServiceError ? presentFields(error.fields) : []
}

const UNEXPECTED = {
  name: 'internal_error',
  message: 'An unexpected error occurred in the service. Its log has the details under the request id.',
} as const
