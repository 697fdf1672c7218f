import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { objectHeaders } from '../../src/domain/artifact.ts'
import { createS3Storage } from '../../src/storage/s3.ts'
import { startCommand } from '../support/command.ts'
import { withEnvironment } from '../support/environment.ts'
import { some } from '../support/long-form.ts'
import { bucketOf, S3_CREDENTIALS, type S3Server, startS3Server } from '../support/s3-server.ts'
import { pageBody, startService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let server: S3Server
let restore: () => void
beforeAll(async () => {
  restore = withEnvironment(S3_CREDENTIALS)
  server = await startS3Server()
})
afterAll(async () => {
  await server.close()
  restore()
})

describe('an unusable bucket stops the start with one line', () => {
  test.each(
    some(
      [
        ['serve', 's3://Sites', 'has the bucket "Sites"'],
        ['serve', 's3://quoin?endpoint=http://127.0.0.1:1', 'cannot be reached, the connection was refused.'],
        ['demo', 's3://quoin?endpoint=http://127.0.0.1:1', 'cannot be reached, the connection was refused.'],
        ['serve', 's3://not-there?endpoint=$', 'there is no such bucket at http://127.0.0.1:'],
      ],
      2,
    ),
  )('quoin %s on %s', async (command, url, reason) => {
    const { code, err, out } = await startCommand([command, '--port', '0'], {
      ...S3_CREDENTIALS,
      QUOIN_DATA: await temporaryFolder(),
      QUOIN_STORAGE_URL: url.replace('$', server.endpoint),
    }).ended
    expect(err).toMatch(/^[^\n]*QUOIN_STORAGE_URL: [^\n]*\n$/)
    expect(err).toContain(reason)
    expect([code, out]).toEqual([2, ''])
  })
})

test('quoin verify reports headers that another program changed in a bucket, and --repair restores them', async () => {
  const data = await temporaryFolder()
  const url = server.url()
  const env = { ...S3_CREDENTIALS, QUOIN_DATA: data, QUOIN_STORAGE_URL: url }
  const service = await startService({ data, env })
  const project = await service.newProject()
  const { body } = await service.call('POST', '/pages', pageBody(project, { slug: 'one' }))
  expect((await service.call('POST', `/pages/${body.data.id}/publish`)).status).toBe(200)
  await service.close()

  const target = bucketOf(url)
  const client = new S3Client({
    endpoint: server.endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
  })
  const storage = createS3Storage(target)
  const headersOf = (key: string) => storage.headers(`${project}/${key}`)
  for (const key of ['one/index.html', '_index.json']) {
    const Key = `${target.prefix}${project}/${key}`
    const Body = Buffer.from((await storage.get(`${project}/${key}`)) ?? [])
    await client.send(
      new PutObjectCommand({
        Bucket: target.bucket,
        Key,
        Body,
        ContentType: 'text/plain',
        CacheControl: 'max-age=60',
      }),
    )
  }
  client.destroy()

  const verify = async (...args: string[]) => {
    const { code, out } = await startCommand(['verify', '--json', ...args], env).ended
    const found = JSON.parse(out).differences as {
      kind: string
      key: string
      message: string
      repaired: boolean
    }[]
    return { code, found: found.map(({ kind, key, repaired }) => `${kind} ${key} ${repaired}`).sort() }
  }
  expect(await verify()).toEqual({
    code: 1,
    found: ['headers _index.json false', 'headers one/index.html false'],
  })
  expect(await verify('--repair')).toEqual({
    code: 0,
    found: ['headers _index.json true', 'headers one/index.html true'],
  })
  expect(await headersOf('one/index.html')).toEqual(objectHeaders('one/index.html'))
  expect(await verify()).toEqual({ code: 0, found: [] })
})
