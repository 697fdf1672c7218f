import { messageOf } from '../domain/errors.ts'
import { StorageError } from './storage.ts'
import type { BucketTarget } from './storage-url.ts'

/** Errors after which a retry may succeed, whatever their status. */
const TRANSIENT = new Set([
  'InternalError',
  'SlowDown',
  'ServiceUnavailable',
  'RequestTimeout',
  'Throttling',
  'ThrottlingException',
  'TooManyRequestsException',
  'RequestLimitExceeded',
  'BandwidthLimitExceeded',
  'OperationAborted',
  'TimeoutError',
  'CredentialsProviderError',
])

const UNREACHABLE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was closed',
  ETIMEDOUT: 'it did not answer in time',
  ENOTFOUND: 'its name is unknown',
  EAI_AGAIN: 'its name could not be resolved',
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'there is no route to it',
  UND_ERR_CONNECT_TIMEOUT: 'it did not answer in time',
  UND_ERR_HEADERS_TIMEOUT: 'it did not answer in time',
  UND_ERR_BODY_TIMEOUT: 'it stopped in the middle of a response',
  UND_ERR_SOCKET: 'the connection was closed',
}

/** The parts of an SDK error that messages and retries depend on. */
interface Failure {
  /** E.g. `AccessDenied`. */
  readonly name: string
  readonly status: number | null
  /** System error code, e.g. `ECONNRESET`. */
  readonly code: string | null
  readonly region: string | null
}

/** @param operation e.g. `put docs/index.html`. */
export function toStorageError(operation: string, error: unknown): StorageError {
  const { name, status } = failureOf(error)
  const reason = status === null ? messageOf(error) : `${name} (${status}): ${messageOf(error)}`
  return new StorageError(`The bucket could not ${operation}: ${oneLine(reason)}`, {
    transient: isTransient(error),
    cause: withoutRequest(error),
  })
}

export function isNotFound(error: unknown): boolean {
  return ['NoSuchKey', 'NotFound'].includes(failureOf(error).name)
}

/** Reports whether the server does not implement the request. */
export function isUnsupported(error: unknown): boolean {
  const { name, status } = failureOf(error)
  return name === 'NotImplemented' || status === 501 || status === 405
}

/** @param code the error code of one key of a batch delete. */
export function isTransientCode(code: string | undefined): boolean {
  return code !== undefined && TRANSIENT.has(code)
}

function isTransient(error: unknown): boolean {
  const { name, status, code } = failureOf(error)
  if (TRANSIENT.has(name) || status === 429 || (status !== null && status >= 500)) return true
  return status === null && code !== null && code in UNREACHABLE
}

/** Errors that pass by themselves while a bucket is in use, but are more likely a mistake at its first use. */
const MISTAKES: readonly unknown[] = ['CredentialsProviderError', 'ECONNREFUSED', 'ENOTFOUND']

/** An error that tells the operator why the bucket cannot be used; transient when the bucket may work soon. */
export function bucketUnusable(target: BucketTarget, error: unknown): StorageError {
  const { name, code } = failureOf(error)
  return new StorageError(`The bucket ${target.bucket} cannot be used: ${oneLine(reasonOf(target, error))}`, {
    transient: isTransient(error) && !MISTAKES.includes(name) && !MISTAKES.includes(code),
    cause: withoutRequest(error),
  })
}

function reasonOf({ endpoint, region }: BucketTarget, error: unknown): string {
  const { name, status, code, region: rightRegion } = failureOf(error)
  const where = endpoint ?? 'Amazon S3'
  const message = messageOf(error)
  if (code !== null && code in UNREACHABLE) return `${where} cannot be reached, ${UNREACHABLE[code]}.`
  if (name === 'TimeoutError') return `${where} did not answer in time.`
  if (/region is missing/i.test(message)) return 'no region is set; add ?region= or set AWS_REGION.'
  if (name === 'CredentialsProviderError')
    return 'no credentials were found; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY or another source of the AWS SDK.'
  if (name === 'InvalidAccessKeyId') return 'the access key id is unknown there.'
  if (name === 'SignatureDoesNotMatch') return 'the secret access key is wrong for this access key id.'
  if (['ExpiredToken', 'InvalidToken', 'TokenRefreshRequired'].includes(name))
    return 'the session token has expired or is not valid.'
  if (name === 'RequestTimeTooSkewed') return "this machine's clock is wrong."
  if (name === 'NoSuchBucket') return `there is no such bucket at ${where}.`
  if (rightRegion !== null && rightRegion !== region)
    return `it is in the region ${rightRegion}; add ?region=${rightRegion}.`
  if (name === 'AuthorizationHeaderMalformed' || status === 301)
    return `it is not in the region ${region ?? 'that is set'}.`
  if (status === 403)
    return 'access is denied; the credentials need s3:PutObject, s3:GetObject, s3:DeleteObject and s3:ListBucket.'
  return status === null ? message : `${name} (${status}): ${message}`
}

/** Copies an error without the request, which contains the signature and must not be logged. */
function withoutRequest(error: unknown): Error {
  const plain = new Error(messageOf(error))
  plain.name = failureOf(error).name
  if (error instanceof Error && error.stack !== undefined) plain.stack = error.stack
  return plain
}

function failureOf(error: unknown): Failure {
  const given = (error ?? {}) as {
    name?: unknown
    Code?: unknown
    code?: unknown
    Region?: unknown
    cause?: { code?: unknown }
    $metadata?: { httpStatusCode?: unknown }
    $response?: { headers?: Readonly<Record<string, unknown>> }
  }
  const code = given.code ?? given.cause?.code
  const status = given.$metadata?.httpStatusCode
  const region = given.Region ?? given.$response?.headers?.['x-amz-bucket-region']
  return {
    name: String(given.Code ?? given.name ?? 'Error'),
    status: typeof status === 'number' ? status : null,
    code: typeof code === 'string' ? code : null,
    region: typeof region === 'string' ? region : null,
  }
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim().slice(0, 300)
  return /[.!?…]$/.test(line) ? line : `${line}.`
}
