import type { InvalidField } from './invalid-field.ts'
import type { Refusal } from './rate-limit.ts'

/**
 * Every failure a caller can cause or must handle, by its wire name.
 * `http/middleware/errors.ts` maps each name to a status code; nothing else does.
 */
export type ErrorName =
  | 'missing_api_key'
  | 'unauthorized'
  | 'invalid_api_key'
  | 'forbidden'
  | 'project_scope_violation'
  | 'not_found'
  | 'method_not_allowed'
  | 'not_published'
  | 'already_enabled'
  | 'not_enabled'
  | 'validation_error'
  | 'invalid_request'
  | 'missing_required_field'
  | 'conflict'
  | 'gone'
  | 'precondition_failed'
  | 'payload_too_large'
  | 'rate_limit_exceeded'
  | 'internal_error'
  | 'service_unavailable'

/**
 * An expected failure, whose message is written for the caller and safe to show. Any other exception is a bug and is
 * answered as `internal_error` without details.
 */
export class ServiceError extends Error {
  override readonly name: ErrorName
  /** The fields of the request that the error is about; `fieldFailure` sets them. */
  readonly fields: readonly InvalidField[]

  constructor(
    name: ErrorName,
    message: string,
    { fields = [], ...options }: ErrorOptions & { readonly fields?: readonly InvalidField[] } = {},
  ) {
    super(message, options)
    this.name = name
    this.fields = fields
  }
}

/** `rate_limit_exceeded`, with the exceeded window and the time to wait. */
export class RateLimitError extends ServiceError {
  readonly refusal: Refusal

  constructor(message: string, refusal: Refusal) {
    super('rate_limit_exceeded', message)
    this.refusal = refusal
  }
}

/** `service_unavailable`: the service has no room for the request now. */
export class UnavailableError extends ServiceError {
  /** Seconds after which the same request may succeed. */
  readonly retryAfter: number

  constructor(message: string, retryAfter: number) {
    super('service_unavailable', message)
    this.retryAfter = retryAfter
  }
}

/** `unauthorized`: the password was right, and a code is needed too. */
export class CodeNeededError extends ServiceError {
  /** Proves for a while that the password was right; a form may hold it. */
  readonly challenge: string

  constructor(challenge: string) {
    super('unauthorized', 'A code of your app is needed too.')
    this.challenge = challenge
  }
}

/** The message of anything thrown, for a log line or a report. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}
