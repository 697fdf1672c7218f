import { messageOf } from '../domain/errors.ts'
import { StorageError } from './storage.ts'
import type { BucketTarget } from './storage-url.ts'

/** Errors that a later attempt may not meet, whatever status they come with. */
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
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name could not be looked up',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no way to it',
  UND_ERR_CONNECT_TIMEOUT: 'it did not answer in time',
  UND_ERR_HEADERS_TIMEOUT: 'it did not answer in time',
  UND_ERR_BODY_TIMEOUT: 'it stopped in the middle of an answer',
  UND_ERR_SOCKET: 'the connection was closed',
}

/** What the SDK tells about a failed request; everything may be missing. */
interface Failure {
  /** E.g. `AccessDenied`. */
  readonly name: string
  readonly status: number | null
  /** Of the system, e.g. `ECONNRESET`. */
  readonly code: string | null
  readonly region: string | null
}

/** @param what in a few words, e.g. `put docs/index.html`. */
export function toStorageError(what: string, error: unknown): StorageError {
  const { name, status } = failureOf(error)
  const told = status === null ? messageOf(error) : `${name} (${status}): ${messageOf(error)}`
  return new StorageError(`The bucket could not ${what}: ${oneLine(told)}`, {
    transient: isTransient(error),
    cause: withoutRequest(error),
  })
}

export function isNotFound(error: unknown): boolean {
  return ['NoSuchKey', 'NotFound'].includes(failureOf(error).name)
}

/** The request is one this server does not know. */
export function isUnsupported(error: unknown): boolean {
  const { name, status } = failureOf(error)
  return name === 'NotImplemented' || status === 501 || status === 405
}

/** @param code of one key that a batch could not delete. */
export function isTransientCode(code: string | undefined): boolean {
  return code !== undefined && TRANSIENT.has(code)
}

function isTransient(error: unknown): boolean {
  const { name, status, code } = failureOf(error)
  if (TRANSIENT.has(name) || status === 429 || (status !== null && status >= 500)) return true
  return status === null && code !== null && code in UNREACHABLE
}

/** Why the bucket cannot be used, for whoever has to mend it. */
export function bucketUnusable(target: BucketTarget, error: unknown): StorageError {
  return new StorageError(`The bucket ${target.bucket} cannot be used: ${oneLine(reasonOf(target, error))}`, {
    transient: isTransient(error),
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
  if (name === 'InvalidAccessKeyId') return 'the access key id is not known there.'
  if (name === 'SignatureDoesNotMatch') return 'the secret access key is wrong for this access key id.'
  if (['ExpiredToken', 'InvalidToken', 'TokenRefreshRequired'].includes(name))
    return 'the session token has expired or is not valid.'
  if (name === 'RequestTimeTooSkewed') return "this machine's clock is wrong."
  if (name === 'NoSuchBucket') return `there is no such bucket at ${where}.`
  if (rightRegion !== null && rightRegion !== region)
    return `it lies in the region ${rightRegion}; add ?region=${rightRegion}.`
  if (name === 'AuthorizationHeaderMalformed' || status === 301)
    return `it does not lie in the region ${region ?? 'that is set'}.`
  if (status === 403)
    return 'access is denied; the credentials need s3:PutObject, s3:GetObject, s3:DeleteObject and s3:ListBucket.'
  return status === null ? message : `${name} (${status}): ${message}`
}

/** The SDK's errors hold the whole request, its signature included; none of that belongs in a log. */
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
