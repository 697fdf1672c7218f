import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRetryingStorage } from '../../src/storage/retrying-storage.ts'
import { createS3Storage } from '../../src/storage/s3.ts'
import { type Storage, StorageError } from '../../src/storage/storage.ts'
import { withEnvironment } from '../support/environment.ts'
import { bucketOf, S3_CREDENTIALS } from '../support/s3-server.ts'
import { s3Error, scriptedS3, xml } from '../support/scripted-s3.ts'
import { createTestTimers } from '../support/test-timers.ts'

let restore: () => void
beforeAll(() => (restore = withEnvironment(S3_CREDENTIALS)))
afterAll(() => restore())

const object = { key: 'docs/index.html', body: Buffer.from('<h1>Docs</h1>') }

async function failureOf(call: Promise<unknown>): Promise<StorageError> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof StorageError)) throw new Error(`It failed with ${String(error)}.`)
  return error
}

describe('requests to a bucket', () => {
  test('a put sends length, type and caching, and no checksum that old servers refuse', async () => {
    const { target, requests } = await scriptedS3((_, response) => response.end())
    await createS3Storage(target).put(object)
    expect(requests).toHaveLength(1)
    const [{ method, url, headers, body } = { headers: {} }] = requests
    expect([method, url, body]).toEqual(['PUT', '/quoin/at/docs/index.html?x-id=PutObject', '<h1>Docs</h1>'])
    expect(headers).toMatchObject({
      'content-length': '13',
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'public, max-age=0, must-revalidate',
    })
    expect(Object.keys(headers).filter((name) => /checksum|crc|chunked/.test(name))).toEqual([])
  })

  test('with checksums=when_supported a put sends a checksum', async () => {
    const { target, requests } = await scriptedS3((_, response) => response.end())
    await createS3Storage({ ...target, checksums: 'when_supported' }).put(object)
    expect(requests[0]?.headers).toHaveProperty('x-amz-checksum-crc32')
  })

  test('keys are deleted in batches of a thousand, with the MD5 that every server supports', async () => {
    const { target, requests } = await scriptedS3((_, response) => xml(response, '<DeleteResult/>'))
    const keys = Array.from({ length: 2_001 }, (_, n) => `${n} & <${n}>.html`)
    await createS3Storage(target).delete([...keys, ...keys])
    expect(requests.map(({ method, body }) => [method, body.match(/<Key>/g)?.length ?? 0])).toEqual([
      ['POST', 1000],
      ['POST', 1000],
      ['DELETE', 0],
    ])
    for (const { headers, body } of requests.slice(0, 2)) {
      expect(headers['content-md5']).toBe(createHash('md5').update(body).digest('base64'))
      expect(headers).not.toHaveProperty('x-amz-checksum-crc32')
    }
    expect(requests[0]?.body).toContain('<Key>at/0 &amp; &lt;0&gt;.html</Key>')
  })

  test('keys are deleted one by one if the server does not support batches', async () => {
    const { target, requests } = await scriptedS3(({ method }, response) =>
      method === 'POST' ? xml(response, s3Error('NotImplemented'), 501) : response.writeHead(204).end(),
    )
    await createS3Storage(target).delete(['a.html', 'b.html', 'c.html'])
    expect(requests.map(({ method }) => method).sort()).toEqual(['DELETE', 'DELETE', 'DELETE', 'POST'])
  })

  test('a list requests every page of results, and decodes keys', async () => {
    const page = (keys: readonly string[], next: string) =>
      `<ListBucketResult><EncodingType>url</EncodingType><IsTruncated>${next !== ''}</IsTruncated>
      <NextContinuationToken>${next}</NextContinuationToken>
      ${keys.map((key) => `<Contents><Key>${key}</Key></Contents>`).join('')}</ListBucketResult>`
    const { target, requests } = await scriptedS3(({ url }, response) =>
      xml(
        response,
        url.includes('continuation-token=two')
          ? page(['at/a+b.html', 'at/folder/', 'at/.quoin-check'], '')
          : page(['at/z.html', 'at/%E2%82%AC.html'], 'two'),
      ),
    )
    expect(await createS3Storage(target).list('')).toEqual(['a b.html', 'z.html', '€.html'])
    expect(requests).toHaveLength(2)
  })

  test('keys that are too long with the prefix are missing, without a request', async () => {
    const { target, requests } = await scriptedS3((_, response) => response.end())
    const storage = createS3Storage(target)
    const key = 'k'.repeat(1024)
    expect(await storage.get(key)).toBeNull()
    expect(await storage.open(key)).toBeNull()
    await storage.delete([key])
    expect(requests).toEqual([])
  })
})

describe('responses of a bucket', () => {
  test('keys that were not deleted are reported with the reason', async () => {
    const { target } = await scriptedS3((_, response) =>
      xml(
        response,
        `<DeleteResult><Error><Key>at/a.html</Key><Code>AccessDenied</Code></Error>
        <Error><Key>at/gone.html</Key><Code>NoSuchKey</Code></Error></DeleteResult>`,
      ),
    )
    const failure = await failureOf(createS3Storage(target).delete(['a.html', 'b.html', 'gone.html']))
    expect(failure.message).toBe('The bucket did not delete 1 of 3 objects; at/a.html: AccessDenied.')
    expect(failure.transient).toBe(false)
  })

  test.each([
    [500, 'InternalError', true],
    [503, 'SlowDown', true],
    [503, 'ServiceUnavailable', true],
    [502, 'Whatever', true],
    [429, 'TooManyRequests', true],
    [400, 'RequestTimeout', true],
    [403, 'AccessDenied', false],
    [403, 'InvalidAccessKeyId', false],
    [404, 'NoSuchBucket', false],
    [400, 'InvalidArgument', false],
    [412, 'PreconditionFailed', false],
  ])('whether the error %d %s is transient: %j', async (status, code, transient) => {
    const { target, requests } = await scriptedS3((_, response) => xml(response, s3Error(code), status))
    const failure = await failureOf(createS3Storage(target).put(object))
    expect(failure.message).toBe(`The bucket could not put docs/index.html: ${code} (${status}): Because.`)
    expect(failure.transient).toBe(transient)
    expect(requests).toHaveLength(1)
  })

  test('an error page of a proxy is an ordinary failure', async () => {
    const { target } = await scriptedS3((_, response) => response.writeHead(502).end('<html>Bad gateway'))
    expect(await failureOf(createS3Storage(target).get('a.html'))).toMatchObject({ transient: true })
  })

  test('no error contains the request, which has a signature', async () => {
    const { target } = await scriptedS3((_, response) => xml(response, s3Error('AccessDenied'), 403))
    const failure = await failureOf(createS3Storage(target).put(object))
    expect(Object.keys(failure.cause ?? {})).toEqual(['name'])
    expect(failure.cause).toMatchObject({ name: 'AccessDenied', message: 'Because.' })
  })

  test.each(['put', 'get'] as const)('a %s is retried when its connection breaks', async (method) => {
    let attempts = 0
    const { target } = await scriptedS3((_, response) => {
      attempts += 1
      if (attempts > 2) return void response.writeHead(200, { ETag: '"1"', 'Content-Length': 4 }).end('body')
      if (method === 'put') return void response.destroy()
      response.writeHead(200, { ETag: '"1"', 'Content-Length': 4 }).write('bo', () => response.destroy())
    })
    const storage = createRetryingStorage(createS3Storage(target), {
      timers: createTestTimers(),
      random: () => 0,
    })
    if (method === 'put') await storage.put(object)
    else expect(String(await storage.get('a.html'))).toBe('body')
    expect(attempts).toBe(3)
  })

  test.each<[string, (storage: Storage, signal?: AbortSignal) => Promise<unknown>]>([
    ['put', (storage, signal) => storage.put(object, { signal })],
    ['get', (storage, signal) => storage.get('a.html', { signal })],
    ['open', (storage, signal) => storage.open('a.html', { signal })],
    ['delete', (storage, signal) => storage.delete(['a.html'], { signal })],
    ['batch delete', (storage, signal) => storage.delete(['a.html', 'b.html'], { signal })],
    ['list', (storage, signal) => storage.list('', { signal })],
  ])('an aborted %s closes its connection, and no other', async (_, call) => {
    const caller = new AbortController()
    const closed: number[] = []
    const waiting: ServerResponse[] = []
    const { target } = await scriptedS3((_, response) => {
      const place = waiting.push(response)
      response.on('close', () => closed.push(place))
      if (place === 2) caller.abort(new Error('Time is over.'))
    })
    const storage = createS3Storage(target)
    const first = call(storage)
    await expect.poll(() => waiting.length).toBe(1)
    await expect(call(storage, caller.signal)).rejects.toThrow('Time is over.')
    await expect.poll(() => closed).toEqual([2])
    waiting[0]?.writeHead(200, { ETag: '"1"', 'Content-Length': 10 }).end('<a>ab</a>\n')
    await first
  })
})

describe('an open object', () => {
  const big = Buffer.alloc(3_000_000, 'x')
  const serveBig = (onClose: () => void) =>
    scriptedS3((_, response) => {
      response.once('close', onClose)
      response.writeHead(200, { ETag: '"1"', 'Content-Length': big.length })
      // The rest is never sent: only closing the connection ends this.
      response.write(big.subarray(0, 1_500_000))
    })

  test.each(['close', 'stream', 'range'] as const)(
    'releases its connection on %s, even if it is large',
    async (how) => {
      const { promise, resolve } = deferred()
      const { target } = await serveBig(resolve)
      const opened = await createS3Storage(target).open('big.bin')
      if (how === 'close') await opened?.close()
      else opened?.stream(how === 'range' ? { start: 10, end: 1_700_000 } : undefined).destroy()
      await promise
    },
  )

  test('has a quoted entity tag even if the server omits the quotes', async () => {
    const { target } = await scriptedS3((_, response) =>
      response.writeHead(200, { ETag: 'abc', 'Content-Length': 1 }).end('x'),
    )
    expect((await createS3Storage(target).open('a.html'))?.etag).toBe('"abc"')
  })
})

describe('the reason why a bucket cannot be used', () => {
  test.each<[string, number, string]>([
    [s3Error('NoSuchBucket'), 404, 'there is no such bucket at http://127.0.0.1:'],
    [s3Error('InvalidAccessKeyId'), 403, 'the access key id is unknown there.'],
    [s3Error('SignatureDoesNotMatch'), 403, 'the secret access key is wrong for this access key id.'],
    [s3Error('ExpiredToken'), 400, 'the session token has expired or is not valid.'],
    [s3Error('RequestTimeTooSkewed'), 403, "this machine's clock is wrong."],
    [s3Error('AccessDenied'), 403, 'access is denied; the credentials need s3:PutObject'],
    [
      s3Error('AuthorizationHeaderMalformed', '<Region>eu-west-3</Region>'),
      400,
      'it is in the region eu-west-3; add ?region=eu-west-3.',
    ],
    [s3Error('AuthorizationHeaderMalformed'), 400, 'it is not in the region us-east-1.'],
    [s3Error('PermanentRedirect'), 301, 'it is not in the region us-east-1.'],
    [s3Error('SlowDown'), 503, 'SlowDown (503): Because.'],
  ])('is read from the response %s', async (body, status, reason) => {
    const { target } = await scriptedS3((_, response) => xml(response, body, status))
    const { message } = await failureOf(createS3Storage(target).check())
    expect(message).toMatch(/^The bucket quoin cannot be used: [^\n]*\.$/)
    expect(message).toContain(reason)
  })

  test('a refused connection is reported with its address', async () => {
    const refused = bucketOf('s3://quoin?endpoint=http://127.0.0.1:1')
    expect((await failureOf(createS3Storage(refused).check())).message).toBe(
      'The bucket quoin cannot be used: http://127.0.0.1:1 cannot be reached, the connection was refused.',
    )
  })

  test('a missing region and missing credentials are reported', async () => {
    const none = withEnvironment({
      AWS_ACCESS_KEY_ID: '',
      AWS_SECRET_ACCESS_KEY: '',
      AWS_EC2_METADATA_DISABLED: 'true',
      AWS_CONFIG_FILE: '/nowhere',
      AWS_SHARED_CREDENTIALS_FILE: '/nowhere',
    })
    try {
      const anywhere = bucketOf('s3://quoin')
      expect((await failureOf(createS3Storage(anywhere).check())).message).toContain(
        'no region is set; add ?region= or set AWS_REGION.',
      )
      const { target } = await scriptedS3((_, response) => response.end())
      expect((await failureOf(createS3Storage(target).check())).message).toContain(
        'no credentials were found; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
      )
    } finally {
      none()
    }
  })
})

function deferred() {
  let resolve: () => void = () => {}
  const promise = new Promise<void>((done) => (resolve = done))
  return { promise, resolve }
}
