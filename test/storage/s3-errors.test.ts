import { describe, expect, test } from 'vitest'
import {
  bucketUnusable,
  isNotFound,
  isTransientCode,
  isUnsupported,
  toStorageError,
} from '../../src/storage/s3-errors.ts'
import type { BucketTarget } from '../../src/storage/storage-url.ts'
import { parseStorageUrl } from '../../src/storage/storage-url.ts'

const target = parseStorageUrl(
  's3://site/prefix?region=eu-west-1&endpoint=https://s3.example',
) as BucketTarget

/** An error as the AWS SDK throws it. */
function sdkError(name: string, status: number | null, more: object = {}): Error {
  return Object.assign(new Error(`${name} from the server`), {
    name,
    ...(status !== null && { $metadata: { httpStatusCode: status } }),
    ...more,
  })
}

describe('an error of a bucket', () => {
  test.each([
    ['SlowDown', 503],
    ['InternalError', 500],
    ['Anything', 502],
    ['Anything', 429],
    ['OperationAborted', 409],
    ['TimeoutError', null],
  ])('%s with the status %s is transient, so the call is retried', (name, status) => {
    expect(toStorageError('put a', sdkError(name, status))).toMatchObject({ transient: true })
  })

  test.each(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'UND_ERR_SOCKET'])(
    'a broken connection (%s) is transient, also as the cause of an error',
    (code) => {
      expect(toStorageError('put a', sdkError('Error', null, { code }))).toMatchObject({ transient: true })
      expect(toStorageError('put a', sdkError('Error', null, { cause: { code } }))).toMatchObject({
        transient: true,
      })
    },
  )

  test.each([
    ['AccessDenied', 403],
    ['NoSuchBucket', 404],
    ['InvalidAccessKeyId', 403],
    ['EntityTooLarge', 400],
  ])('%s with the status %s is not transient', (name, status) => {
    expect(toStorageError('put a', sdkError(name, status))).toMatchObject({ transient: false })
  })

  test('states in one line what failed and why', () => {
    const error = sdkError('AccessDenied', 403)
    error.message = 'Access\n  denied'
    expect(toStorageError('put docs/a.html', error).message).toBe(
      'The bucket could not put docs/a.html: AccessDenied (403): Access denied.',
    )
    error.message = 'x'.repeat(10_000)
    expect(toStorageError('put a', error).message.length).toBeLessThan(400)
  })

  test('does not contain the request, which has a signature', () => {
    const error = sdkError('AccessDenied', 403, { $request: { headers: { authorization: 'AWS4 secret' } } })
    const shown = [toStorageError('put a', error), bucketUnusable(target, error)]
    for (const { cause } of shown)
      expect(JSON.stringify(cause, Object.getOwnPropertyNames(cause))).not.toContain('AWS4')
  })

  test('is a storage error whatever was thrown', () => {
    for (const thrown of [null, undefined, 'text', 7, {}])
      expect(toStorageError('put a', thrown)).toMatchObject({ transient: false })
  })
})

test('missing objects and unsupported requests are recognised by name and status', () => {
  expect(isNotFound(sdkError('NoSuchKey', 404))).toBe(true)
  expect(isNotFound(sdkError('NotFound', 404))).toBe(true)
  expect(isNotFound(sdkError('NoSuchBucket', 404))).toBe(false)
  expect(isUnsupported(sdkError('NotImplemented', 501))).toBe(true)
  expect(isUnsupported(sdkError('MethodNotAllowed', 405))).toBe(true)
  expect(isUnsupported(sdkError('AccessDenied', 403))).toBe(false)
  expect([isTransientCode('SlowDown'), isTransientCode('AccessDenied'), isTransientCode(undefined)]).toEqual([
    true,
    false,
    false,
  ])
})

describe('a bucket that cannot be used', () => {
  test.each([
    [sdkError('Error', null, { code: 'ECONNREFUSED' }), 'https://s3.example'],
    [sdkError('TimeoutError', null), 'https://s3.example'],
    [sdkError('CredentialsProviderError', null), 'AWS_ACCESS_KEY_ID'],
    [sdkError('InvalidAccessKeyId', 403), 'access key'],
    [sdkError('SignatureDoesNotMatch', 403), 'secret access key'],
    [sdkError('ExpiredToken', 400), 'session token'],
    [sdkError('RequestTimeTooSkewed', 403), 'clock'],
    [sdkError('NoSuchBucket', 404), 'no such bucket'],
    [sdkError('PermanentRedirect', 301, { Region: 'us-east-2' }), '?region=us-east-2'],
    [sdkError('AuthorizationHeaderMalformed', 400), 'eu-west-1'],
    [sdkError('AccessDenied', 403), 's3:PutObject'],
    [new Error('Region is missing'), '?region='],
    [sdkError('Teapot', 418), 'Teapot (418)'],
  ])('with the error %s is reported with a hint', (error, hint) => {
    const { message } = bucketUnusable(target, error)
    expect(message).toMatch(/^The bucket site cannot be used: /)
    expect(message).toContain(hint)
    expect(message).not.toContain('\n')
  })
})
