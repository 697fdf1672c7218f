import type { ErrorBody } from './api-types.ts'

/** Error names of the service, and `unexpected_answer` for an answer that is not the service's. */
export type ApiErrorName = ErrorBody['name'] | 'unexpected_answer'

/** An unsuccessful answer. */
export class ApiError extends Error {
  override readonly name: ApiErrorName
  /** The HTTP status. */
  readonly statusCode: number
  /** Id of the request in the service's log; null when the answer has none. */
  readonly requestId: string | null
  /** Seconds after which the same request may succeed; null unless a limit was exceeded or the service had no room. */
  readonly retryAfter: number | null

  constructor(
    message: string,
    {
      name,
      statusCode,
      requestId,
      retryAfter,
    }: Pick<ApiError, 'name' | 'statusCode' | 'requestId' | 'retryAfter'>,
  ) {
    super(message)
    this.name = name
    this.statusCode = statusCode
    this.requestId = requestId
    this.retryAfter = retryAfter
  }
}

/** @param text the body of the answer. */
export function apiErrorOf(response: Response, text: string): ApiError {
  const body = readErrorBody(text)
  return new ApiError(body?.message ?? `The answer was ${response.status} ${response.statusText}.`, {
    name: body?.name ?? 'unexpected_answer',
    statusCode: response.status,
    requestId: response.headers.get('x-request-id'),
    retryAfter: retryAfterOf(response, body),
  })
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

function retryAfterOf({ status, headers }: Response, body: ErrorBody | null): number | null {
  if (status !== 429 && status !== 503) return null
  const seconds = Number(body?.retry_after ?? headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) ? seconds : null
}
