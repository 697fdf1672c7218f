import type { ErrorBody, FieldError } from './api-types.ts'

/** Error names of the service, and `unexpected_answer` for an answer that is not the service's. */
export type ApiErrorName = ErrorBody['name'] | 'unexpected_answer'

/** An unsuccessful answer. */
export class ApiError extends Error {
  override readonly name: ApiErrorName
  /** The HTTP status; 0 for a redirect that a browser does not show. */
  readonly statusCode: number
  /** Every invalid field; empty when the error is about none. */
  readonly errors: readonly FieldError[]
  /** Id of the request in the service's log; null when the answer has none. */
  readonly requestId: string | null
  /** Seconds after which the same request may succeed; null unless a limit was exceeded or the service had no room. */
  readonly retryAfter: number | null

  constructor(
    message: string,
    {
      name,
      statusCode,
      errors,
      requestId,
      retryAfter,
    }: Pick<ApiError, 'name' | 'statusCode' | 'errors' | 'requestId' | 'retryAfter'>,
  ) {
    super(message)
    this.name = name
    this.statusCode = statusCode
    this.errors = errors
    this.requestId = requestId
    this.retryAfter = retryAfter
  }
}

/** @param text the body of an answer that is not the expected one. */
export function apiErrorOf(response: Response, text: string): ApiError {
  const body = readErrorBody(text)
  return new ApiError(body?.message ?? unexpected(response), {
    name: body?.name ?? 'unexpected_answer',
    statusCode: response.status,
    errors: body?.errors ?? [],
    requestId: response.headers.get('x-request-id'),
    retryAfter: retryAfterOf(response, body),
  })
}

/** What answered in place of the service, and what to check. */
function unexpected({ status, statusText, type, url, headers }: Response): string {
  const target = headers.get('location')
  if (target !== null || type === 'opaqueredirect')
    return `${url} redirects${target === null ? '' : ` to ${target}`}. Use the address that it leads to.`
  const what = [status, statusText].join(' ').trim()
  const content = headers.get('content-type')?.split(';')[0] ?? 'no content type'
  return `The answer (${what}, ${content}) is not of a Quoin server. Check the address, and the proxy in front of the server.`
}

function readErrorBody(text: string): ErrorBody | null {
  try {
    const body: unknown = JSON.parse(text)
    const isOurs = typeof body === 'object' && body !== null && 'name' in body && 'message' in body
    return isOurs ? (body as ErrorBody) : null
  } catch {
    return null
  }
}

/** A proxy may name a date instead of seconds. */
function retryAfterOf({ status, headers }: Response, body: ErrorBody | null): number | null {
  if (status !== 429 && status !== 503) return null
  const given = body?.retry_after ?? headers.get('retry-after') ?? ''
  if (/^\d+$/.test(String(given))) return Number(given)
  const seconds = Math.ceil((Date.parse(String(given)) - Date.now()) / 1000)
  return Number.isNaN(seconds) ? null : Math.max(0, seconds)
}
