import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { backUp } from '../../src/app/backup.ts'
import { readConfig } from '../../src/app/config.ts'
import { restore } from '../../src/app/restore.ts'
import { siteOf } from '../http/data-mode/sealed-site.ts'
import { withEnvironment } from '../support/environment.ts'
import { RADOSGW_MISSING, startRadosgw } from '../support/radosgw.ts'
import { bucketOf, S3_CREDENTIALS, startS3Server } from '../support/s3-server.ts'
import { SQLITE, startService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const passphrase = 'correct horse battery staple'
const onProgress = () => {}

interface Bucket {
  readonly url: () => string
  readonly credentials: Readonly<Record<string, string>>
  readonly close: () => Promise<void>
}

async function simulated(): Promise<Bucket> {
  const server = await startS3Server()
  return { url: server.url, credentials: S3_CREDENTIALS, close: server.close }
}

async function real(): Promise<Bucket> {
  const server = await startRadosgw()
  const credentials = {
    AWS_ACCESS_KEY_ID: server.accessKeyId,
    AWS_SECRET_ACCESS_KEY: server.secretAccessKey,
  }
  const client = new S3Client({
    endpoint: server.endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: server.accessKeyId, secretAccessKey: server.secretAccessKey },
  })
  await client.send(new CreateBucketCommand({ Bucket: 'quoin' }))
  client.destroy()
  let places = 0
  const url = () => `s3://quoin/backup-${++places}?endpoint=${encodeURIComponent(server.endpoint)}`
  return { url, credentials, close: server.stop }
}

const servers: readonly [string, () => Promise<Bucket>, string | null][] = [
  ['an S3 server in this process', simulated, null],
  ['a real S3 server', real, RADOSGW_MISSING],
]

/** The real server starts slowly. */
const START_MS = 120_000

for (const [name, , missing] of servers)
  if (missing !== null) console.info(`Skipped: a backup in a bucket of ${name}. ${missing}.`)

describe.each(servers.filter(([, , missing]) => missing === null))(
  'a backup in a bucket of %s',
  (_, start) => {
    let bucket: Bucket
    let leave: () => void
    beforeAll(async () => {
      bucket = await start()
      leave = withEnvironment(bucket.credentials)
    }, START_MS)
    afterAll(async () => {
      leave()
      await bucket.close()
    })

    test('restores the installation, and the next one sends what is new', async () => {
      const to = bucketOf(bucket.url())
      const data = await temporaryFolder()
      const service = await startService({ data, env: SQLITE })
      const project = await service.newProject()
      const site = siteOf(service, project)
      const key = await site.keyOf('enable')
      await site.publish(await site.create({ slug: 'one' }))
      await service.server.service.stopJobs()
      const changes = `/projects/${project}/changes`
      const { next } = (await service.call('GET', changes)).body.meta
      const config = readConfig({ QUOIN_DATA: data })
      const first = await backUp(config, { to, passphrase, media: true, onProgress })
      expect(first.sent.blobs).toBeGreaterThan(2)
      const second = await backUp(config, { to, passphrase, media: true, onProgress })
      // The service may have written to its database meanwhile; no file of a site is sent again.
      expect(second.sent.blobs).toBeLessThanOrEqual(second.backup.database.parts.length)
      await service.close()

      const target = join(await temporaryFolder(), 'data')
      const restored = readConfig({ QUOIN_DATA: target })
      await restore(restored, { from: to, passphrase, force: false, onProgress })
      const again = await startService({ data: target, env: SQLITE })
      expect((await siteOf(again, project).open(key, 'one.json')).title).toBe('A page')
      const { body } = await again.call('GET', `${changes}?since=${next}`, undefined, { key: service.key })
      expect([body.statusCode, body.name]).toEqual([410, 'gone'])
      const all = await again.call('GET', changes, undefined, { key: service.key })
      expect([all.status, all.body.data.length]).toEqual([200, Number(next.split('-')[0])])
      await again.close()
    })

    test('does not hold the files of an installation whose files are in a bucket', async () => {
      const [data, target] = [await temporaryFolder(), join(await temporaryFolder(), 'data')]
      const store = bucket.url()
      const service = await startService({ data, env: { ...SQLITE, QUOIN_STORAGE_URL: store } })
      const project = await service.newProject()
      const site = siteOf(service, project)
      await site.publish(await site.create({ slug: 'one' }))
      await service.close()
      const to = bucketOf(bucket.url())
      const written = await backUp(readConfig({ QUOIN_DATA: data, QUOIN_STORAGE_URL: store }), {
        to,
        passphrase,
        media: true,
        onProgress,
      })
      expect(written.backup.objects).toBeNull()
      const config = readConfig({ QUOIN_DATA: target, QUOIN_STORAGE_URL: store })
      await restore(config, { from: to, passphrase, force: false, onProgress })
      expect((await readdir(target)).sort()).toEqual(['master.key', 'quoin.db'])
      const again = await startService({ data: target, env: { ...SQLITE, QUOIN_STORAGE_URL: store } })
      expect(await siteOf(again, project).read('one/')).toContain('A page')
      await again.close()
    })
  },
)
