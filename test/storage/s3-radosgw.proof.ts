import { CreateBucketCommand, HeadObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createS3Storage } from '../../src/storage/s3.ts'
import { testStorageContract } from '../contract/storage-contract.ts'
import { withEnvironment } from '../support/environment.ts'
import { RADOSGW_MISSING, type Radosgw, startRadosgw } from '../support/radosgw.ts'
import { bucketOf } from '../support/s3-server.ts'

if (RADOSGW_MISSING !== null) console.info(`Skipped: the bucket on a real S3 server. ${RADOSGW_MISSING}.`)

describe.skipIf(RADOSGW_MISSING !== null)('a bucket on a real S3 server', () => {
  let server: Radosgw
  let client: S3Client
  let restore: () => void
  let places = 0
  const place = (parameters = '') =>
    bucketOf(`s3://quoin/place-${++places}?endpoint=${encodeURIComponent(server.endpoint)}${parameters}`)

  beforeAll(async () => {
    server = await startRadosgw()
    restore = withEnvironment({
      AWS_ACCESS_KEY_ID: server.accessKeyId,
      AWS_SECRET_ACCESS_KEY: server.secretAccessKey,
      AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
    })
    client = new S3Client({ endpoint: server.endpoint, region: 'us-east-1', forcePathStyle: true })
    await client.send(new CreateBucketCommand({ Bucket: 'quoin' }))
  })
  afterAll(async () => {
    client.destroy()
    restore()
    await server.stop()
  })

  testStorageContract(async () => createS3Storage(place()))

  test('all keys are listed and deleted, even if they fill several pages of results', async () => {
    const storage = createS3Storage(place())
    const keys = Array.from({ length: 1050 }, (_, n) => `pages/${String(n).padStart(4, '0')}.html`)
    for (let start = 0; start < keys.length; start += 50)
      await Promise.all(
        keys.slice(start, start + 50).map((key) => storage.put({ key, body: Buffer.from(key) })),
      )
    expect(await storage.list('')).toEqual(keys)
    expect(await storage.list('pages/10')).toEqual(keys.slice(1000))
    await storage.delete(keys)
    expect(await storage.list('')).toEqual([])
  })

  test('an object is stored with its own type and caching', async () => {
    const target = place()
    await createS3Storage(target).put({ key: '_assets/a.123.css', body: Buffer.from('a{}') })
    const head = await client.send(
      new HeadObjectCommand({ Bucket: 'quoin', Key: `${target.prefix}_assets/a.123.css` }),
    )
    expect(head).toMatchObject({
      ContentType: 'text/css; charset=utf-8',
      CacheControl: 'public, max-age=31536000, immutable',
      ContentLength: 3,
    })
  })

  test('wrong credentials and a wrong bucket have different messages', async () => {
    const elsewhere = { ...place(), bucket: 'not-there' }
    await expect(createS3Storage(elsewhere).check()).rejects.toThrow(
      `The bucket not-there cannot be used: there is no such bucket at ${server.endpoint}.`,
    )
    const undo = withEnvironment({ AWS_SECRET_ACCESS_KEY: 'wrong' })
    try {
      await expect(createS3Storage(place()).check()).rejects.toThrow(
        'cannot be used: the secret access key is wrong for this access key id.',
      )
    } finally {
      undo()
    }
    const unknown = withEnvironment({ AWS_ACCESS_KEY_ID: 'nobody' })
    try {
      await expect(createS3Storage(place()).check()).rejects.toThrow(
        'cannot be used: the access key id is unknown there.',
      )
    } finally {
      unknown()
    }
  })
})
