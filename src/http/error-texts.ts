import type { ErrorName } from '../domain/errors.ts'

interface ErrorText {
  /** Short, and the same for every error of the name. */
  readonly title: string
  /** For clients; inline Markdown. */
  readonly meaning: string
}

/** Each error in words: in the OpenAPI document, in problem details and on the page that explains it. */
export const ERROR_TEXTS: Readonly<Record<ErrorName, ErrorText>> = {
  missing_api_key: {
    title: 'Missing API key',
    meaning: 'The `Authorization` header is missing.',
  },
  unauthorized: {
    title: 'Malformed authorization',
    meaning: 'The `Authorization` header is not `Bearer <API key>`.',
  },
  invalid_api_key: {
    title: 'Invalid API key',
    meaning: 'The key is unknown, revoked or expired.',
  },
  forbidden: {
    title: 'Forbidden',
    meaning:
      'The key lacks the permission, the project is archived or suspended, or the request used plain HTTP.',
  },
  project_scope_violation: {
    title: 'Project out of scope',
    meaning: 'The key is restricted to another project.',
  },
  not_found: {
    title: 'Not found',
    meaning: 'The record does not exist, or belongs to another user.',
  },
  method_not_allowed: {
    title: 'Method not allowed',
    meaning: 'The path exists and has no such method; `Allow` names those that it has.',
  },
  not_published: {
    title: 'Page not published',
    meaning: 'The page is not live.',
  },
  already_enabled: {
    title: 'Data Mode already enabled',
    meaning: 'Data Mode is already on.',
  },
  not_enabled: {
    title: 'Data Mode not enabled',
    meaning: 'Data Mode is off.',
  },
  validation_error: {
    title: 'Invalid field',
    meaning: 'A field of the body is invalid; the message names each invalid field with its path.',
  },
  invalid_request: {
    title: 'Invalid request',
    meaning: 'The body is not a JSON object, or a parameter or header is invalid.',
  },
  missing_required_field: {
    title: 'Missing required field',
    meaning: 'A required field is absent or null; the message names each one.',
  },
  conflict: {
    title: 'Conflict',
    meaning: 'The name, path or domain is taken, or the project is in the wrong state.',
  },
  gone: {
    title: 'Gone',
    meaning: 'The position is not one of this project and of the present database; begin again without it.',
  },
  precondition_failed: {
    title: 'Precondition failed',
    meaning: 'The resource has another version than `If-Match`. Nothing was written.',
  },
  payload_too_large: {
    title: 'Payload too large',
    meaning: 'The body is larger than 5 MiB, or has more than 100,000 values.',
  },
  rate_limit_exceeded: {
    title: 'Rate limit exceeded',
    meaning: 'Too many requests; retry after `retry_after` seconds.',
  },
  internal_error: {
    title: 'Internal error',
    meaning: 'An unexpected error of the service; its log has the details under `X-Request-Id`.',
  },
  service_unavailable: {
    title: 'Service unavailable',
    meaning:
      'The service is holding as much for other requests, or for others of this client, as its memory allows. Retry after `Retry-After` seconds.',
  },
}
