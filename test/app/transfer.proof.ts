import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPostgres } from '../../src/db/postgres.ts'
import { openSqlite } from '../../src/db/sqlite.ts'
import { siteOf } from '../http/data-mode/sealed-site.ts'
import { startCommand } from '../support/command.ts'
import { withEnvironment } from '../support/environment.ts'
import { picture } from '../support/pictures.ts'
import { createSchema, type PostgresServer, postgresPrograms, startPostgres } from '../support/postgres.ts'
import { RADOSGW_MISSING, startRadosgw } from '../support/radosgw.ts'
import { S3_CREDENTIALS, startS3Server } from '../support/s3-server.ts'
import { type Answer, pageBody, SQLITE, startService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { MASTER_KEY } from '../support/test-database.ts'

/** A server of buckets. */
interface Buckets {
  readonly url: () => string
  readonly credentials: Readonly<Record<string, string>>
  readonly close: () => Promise<void>
}

async function simulated(): Promise<Buckets> {
  const server = await startS3Server()
  return { url: server.url, credentials: S3_CREDENTIALS, close: server.close }
}

async function real(): Promise<Buckets> {
  const { endpoint, accessKeyId, secretAccessKey, stop } = await startRadosgw()
  const credentials = { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey }
  const client = new S3Client({
    endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
  })
  await client.send(new CreateBucketCommand({ Bucket: 'quoin' }))
  client.destroy()
  let places = 0
  const url = () => `s3://quoin/transfer-${++places}?endpoint=${encodeURIComponent(endpoint)}`
  return { url, credentials, close: stop }
}

const servers: readonly [string, () => Promise<Buckets>, string | null][] = [
  ['an S3 server in this process', simulated, null],
  ['a real S3 server', real, RADOSGW_MISSING],
]
for (const [name, , missing] of servers)
  if (missing !== null) console.info(`Skipped: a transfer to ${name}. ${missing}.`)

/** The real servers start slowly. */
const START_MS = 120_000
const programs = postgresPrograms()
const OCTETS = { headers: { 'Content-Type': 'application/octet-stream' } }

/** An installation with a page, a page in Data Mode, a picture, a webhook, and rows that were removed again. */
async function installation() {
  const data = await temporaryFolder()
  const service = await startService({ data, env: SQLITE })
  const { call } = service
  const project = await service.newProject('Plain')
  const created = await call(
    'POST',
    '/pages',
    pageBody(project, { slug: 'one', markdown_content: '![A](/media/a.png)' }),
  )
  const page: string = created.body.data.id
  // Long enough for a snapshot that SQLite stores compressed.
  const long = { slug: 'long', markdown_content: 'A quoin in a wall. '.repeat(2_000) }
  const longPage: string = (await call('POST', '/pages', pageBody(project, long))).body.data.id
  const release: string = (await call('POST', `/pages/${longPage}/publish`)).body.data.release_id
  const bytes = await picture({ width: 64, height: 48, format: 'png' })
  expect((await call('POST', `/projects/${project}/assets?name=a.png`, bytes, OCTETS)).status).toBe(201)
  expect((await call('POST', `/pages/${page}/publish`)).status).toBe(200)
  const sealed = siteOf(service, await service.newProject('Sealed'))
  const contentKey = await sealed.keyOf('enable')
  await sealed.publish(await sealed.create({ slug: 'two' }))
  await service.server.service.stopJobs()
  const position: string = (await call('GET', `/projects/${project}/changes`)).body.meta.next
  await service.close()
  return {
    data,
    project,
    page,
    longPage,
    release,
    position,
    sealed: sealed.project,
    contentKey,
    key: service.key,
  }
}

describe.skipIf(programs === null)('an installation on SQLite', () => {
  let postgres: PostgresServer
  let schemas = 0
  beforeAll(async () => {
    postgres = await startPostgres(programs ?? '')
  }, START_MS)
  afterAll(() => postgres.stop())
  const database = () => createSchema(postgres.url, `transfer_${++schemas}`)

  const transfer = (data: string, to: string, more: readonly string[] = [], env = {}) =>
    startCommand(['transfer', '--from', `sqlite:${data}/quoin.db`, '--to', to, '--json', ...more], env).ended

  describe.each(servers.filter(([, , missing]) => missing === null))(
    'moves to PostgreSQL and %s',
    (_, start) => {
      let buckets: Buckets
      let leave: () => void
      beforeAll(async () => {
        buckets = await start()
        leave = withEnvironment(buckets.credentials)
      }, START_MS)
      afterAll(async () => {
        leave()
        await buckets.close()
      })

      test('with its pages, keys, pictures and secrets, and its database and stores agree', async () => {
        const { data, project, page, longPage, release, position, contentKey, sealed, key } =
          await installation()
        const to = {
          QUOIN_DATABASE_URL: await database(),
          QUOIN_STORAGE_URL: buckets.url(),
          QUOIN_MEDIA_URL: buckets.url(),
          QUOIN_MASTER_KEY: (await readFile(join(data, 'master.key'), 'utf8')).trim(),
        }
        const places = ['--storage-to', to.QUOIN_STORAGE_URL, '--media-to', to.QUOIN_MEDIA_URL]
        const ended = await transfer(data, to.QUOIN_DATABASE_URL, places, buckets.credentials)
        expect(ended.code, ended.err).toBe(0)
        const { tables, files, uploads } = JSON.parse(ended.out)
        expect(tables).toContainEqual({
          name: 'pages',
          rows: 3,
          sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        })
        expect(files).toMatchObject({ objects: files.copied })
        expect(uploads.objects).toBeGreaterThan(0)

        const env = { ...to, QUOIN_DATA: await temporaryFolder() }
        const verified = await startCommand(['verify', '--json'], { ...env, ...buckets.credentials }).ended
        expect(JSON.parse(verified.out)).toMatchObject({ ok: true, projects: 2, differences: [] })
        const service = await startService({ data: env.QUOIN_DATA, env })
        const call = (method: string, path: string, body?: object): Promise<Answer> =>
          service.call(method, path, body, { key })
        const changes = () => call('GET', `/projects/${project}/changes?since=${position}`)
        expect((await changes()).body).toEqual({ data: [], meta: { next: position, has_more: false } })
        expect((await call('PUT', `/pages/${page}`, { title: 'Changed' })).status).toBe(200)
        expect((await changes()).body.data).toMatchObject([{ id: page, fields: ['title'] }])
        expect((await call('POST', `/pages/${page}/publish`)).status).toBe(200)
        const { body } = await service.call('GET', `/public/${project}/one/`, undefined, { key: null })
        expect(body).toContain('Changed')
        expect((await siteOf(service, sealed).open(contentKey, 'two.json')).title).toBe('A page')

        expect((await call('PUT', `/pages/${longPage}`, { markdown_content: 'Short.' })).status).toBe(200)
        expect((await call('POST', `/pages/${longPage}/publish`)).status).toBe(200)
        const back = await call('POST', `/pages/${longPage}/rollback`, { release_id: release })
        expect(back.status, JSON.stringify(back.body)).toBe(200)
        await service.close()
      })

      test('again after an interruption, and sends only files that are not there', async () => {
        const { data } = await installation()
        const place = buckets.url()
        const again = (to: string) => transfer(data, to, ['--storage-to', place], buckets.credentials)
        const used = await database()
        await startService({ env: { QUOIN_DATABASE_URL: used, QUOIN_MASTER_KEY: MASTER_KEY } }).then(
          (other) => other.close(),
        )
        // The files are copied, and then the database is refused.
        expect(await again(used)).toMatchObject({
          code: 2,
          err: expect.stringMatching(/--to: holds rows already \(in users\)/),
        })
        const { files } = JSON.parse((await again(await database())).out)
        expect(files).toMatchObject({ objects: expect.any(Number), copied: 0 })
        expect(files.objects).toBeGreaterThan(3)
      })
    },
  )

  test('is not moved while its server runs, nor to a database that a server uses, and nothing is written', async () => {
    const { data } = await installation()
    const to = await database()
    const running = await startService({ data, env: SQLITE })
    const refused = await transfer(data, to)
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('--from: a server uses') })
    await running.close()

    const other = await startService({ env: { QUOIN_DATABASE_URL: to, QUOIN_MASTER_KEY: MASTER_KEY } })
    expect(await transfer(data, to)).toMatchObject({
      code: 2,
      err: expect.stringContaining('--to: is in use by a server'),
    })
    await other.close()
  })

  test('is not moved into a store with files of others, and its files stay', async () => {
    const { data } = await installation()
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'other.txt'), 'theirs')
    const before = await readdir(join(data, 'cdn'), { recursive: true })
    const refused = await transfer(data, await database(), ['--storage-to', `file:${folder}`])
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('--storage-to: holds other.txt') })
    expect(await readdir(folder)).toEqual(['other.txt'])
    expect(await readdir(join(data, 'cdn'), { recursive: true })).toEqual(before)
  })

  test('keeps the number of a release that was removed from being given again', async () => {
    const { data } = await installation()
    const { writer, close } = openSqlite(join(data, 'quoin.db'))
    const [{ seq }] = await writer('sqlite_sequence').where({ name: 'audit_log' }).select('seq')
    await writer('audit_log').delete()
    await close()
    const url = await database()
    expect((await transfer(data, url)).code).toBe(0)
    const target = openPostgres(url)
    const { rows } = await target.reader.raw(
      "SELECT nextval(pg_get_serial_sequence('audit_log', 'seq')) AS next",
    )
    await target.close()
    expect(rows[0].next).toBe(seq + 1)
  })

  test.each([
    ['sqlite:/tmp/other.db', '--to: must be postgres://'],
    ['postgres://u:secret@host:port/quoin', '--to: must look like postgres://'],
  ])('is not moved to %s', async (to, message) => {
    const data = await temporaryFolder()
    await startCommand(['migrate', '--data', data]).ended
    const { code, err } = await transfer(data, to)
    expect([code, err]).toEqual([2, expect.stringContaining(message)])
    expect(err).not.toContain('secret')
  })
})
