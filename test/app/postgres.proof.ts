import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../src/app/config.ts'
import { migrate } from '../../src/db/migrate.ts'
import { openPostgres } from '../../src/db/postgres.ts'
import { preparePostgres } from '../../src/db/postgres-server.ts'
import { startCommand } from '../support/command.ts'
import { finishedJob } from '../support/finished-job.ts'
import { createSchema, type PostgresServer, postgresPrograms, startPostgres } from '../support/postgres.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { MASTER_KEY } from '../support/test-database.ts'

const programs = postgresPrograms()

describe.skipIf(programs === null)('a service on PostgreSQL', () => {
  let server: PostgresServer
  let schemas = 0
  beforeAll(async () => {
    server = await startPostgres(programs ?? '')
  })
  afterAll(() => server.stop())

  const database = () => createSchema(server.url, `service_${++schemas}`)

  async function start(url?: string, data?: string): Promise<TestService> {
    const service = await startService({
      env: {
        QUOIN_DATABASE_URL: url ?? (await database()),
        QUOIN_MASTER_KEY: MASTER_KEY,
        QUOIN_LOG_LEVEL: 'error',
      },
      ...(data !== undefined && { data }),
    })
    onTestFinished(() => service.close())
    return service
  }

  const visit = (service: TestService, path: string) =>
    service.call('GET', `/public${path}/`, undefined, { key: null })

  describe('that several tests share', () => {
    let service: TestService
    beforeAll(async () => {
      service = await startService({
        env: { QUOIN_DATABASE_URL: await database(), QUOIN_MASTER_KEY: MASTER_KEY },
      })
    })
    afterAll(() => service.close())

    const create = async (project: string, slug: string, fields: object = {}): Promise<string> =>
      (await service.call('POST', '/pages', pageBody(project, { slug, ...fields }))).body.data.id
    const statusOf = async (method: string, path: string, body?: object) =>
      (await service.call(method, path, body)).status

    test('publishes a page, moves it and takes it down', async () => {
      const project = await service.newProject('Site')
      const id = await create(project, 'first', { markdown_content: '# Hello' })
      expect(await statusOf('POST', `/pages/${id}/publish`)).toBe(200)
      expect((await visit(service, `/${project}/first`)).body).toContain('Hello')
      expect(await statusOf('PUT', `/pages/${id}`, { slug: 'moved' })).toBe(200)
      expect(await statusOf('POST', `/pages/${id}/publish`)).toBe(200)
      expect((await visit(service, `/${project}/moved`)).status).toBe(200)
      expect(await statusOf('POST', `/pages/${id}/unpublish`)).toBe(200)
      expect((await visit(service, `/${project}/moved`)).status).toBe(404)
      expect(await statusOf('DELETE', `/pages/${id}`)).toBe(200)
    })

    test('lists pages by tag, and shows projects, usage and that it is ready', async () => {
      const project = await service.newProject('Lists')
      for (const slug of ['two', 'one']) await create(project, slug, { tags: ['all'] })
      const list = await service.call('GET', `/pages?project_id=${project}&tag=all&sort=slug&order=asc`)
      expect(list.body.data.map((page: { slug: string }) => page.slug)).toEqual(['one', 'two'])
      expect(await statusOf('GET', `/projects/${project}?include=pages`)).toBe(200)
      expect(await statusOf('GET', '/users/me/usage')).toBe(200)
      expect(await statusOf('GET', '/readyz')).toBe(200)
    })

    test('runs a bulk publish as a job', async () => {
      const project = await service.newProject('Bulk')
      const pages = [await create(project, 'one'), await create(project, 'two')]
      const { status, body } = await service.call('POST', `/projects/${project}/publish`, { pages })
      expect(status).toBe(202)
      expect(await finishedJob(service, body.data.id)).toMatchObject({ failed: [] })
      for (const slug of ['one', 'two'])
        expect((await visit(service, `/${project}/${slug}`)).status).toBe(200)
    })

    test('gives projects of one name that are created at once a slug of their own', async () => {
      const answers = await Promise.all(
        Array.from({ length: 4 }, () => service.call('POST', '/projects', { name: 'Same' })),
      )
      expect(answers.map(({ status }) => status)).toEqual(Array(4).fill(201))
      expect(new Set(answers.map(({ body }) => body.data.slug)).size).toBe(4)
    })
  })

  test('loses no change of a page that two processes write at once', async () => {
    const url = await database()
    const one = await start(url)
    const other = await start(url, one.data)
    const project = await one.newProject()
    const { id } = (await one.call('POST', '/pages', pageBody(project))).body.data
    const seen = new Set([(await one.call('GET', `/pages/${id}`)).headers.get('etag')])
    const change = (service: TestService, n: number) =>
      service.call('PUT', `/pages/${id}`, { config: { [`n${n}`]: n } }, { key: one.key })
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) => change(n % 2 === 0 ? one : other, n)),
    )
    for (const { status, headers } of answers) {
      expect(status).toBe(200)
      expect(seen).not.toContain(headers.get('etag'))
      seen.add(headers.get('etag'))
    }
    expect(seen.size).toBe(7)
  })

  test('acknowledges no publish that is lost when its connections are cut', async () => {
    const url = await database()
    const service = await start(url)
    const { call } = service
    const project = await service.newProject()
    const admin = openPostgres(url)
    onTestFinished(() => admin.close())
    const cut = () =>
      admin.reader.raw(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'quoin' AND pid <> pg_backend_pid()",
      )
    const live: string[] = []
    for (let n = 0; n < 6; n++) {
      const [created] = await Promise.all([
        call('POST', '/pages', pageBody(project, { slug: `p${n}` })),
        cut(),
      ])
      expect([201, 503]).toContain(created.status)
      if (created.status !== 201) continue
      const [published] = await Promise.all([call('POST', `/pages/${created.body.data.id}/publish`), cut()])
      expect([200, 503]).toContain(published.status)
      if (published.status === 200) live.push(`p${n}`)
    }
    expect(live.length).toBeGreaterThan(0)
    // A read may meet a connection that was cut just now; the next one does not.
    for (const slug of live)
      await expect.poll(async () => (await visit(service, `/${project}/${slug}`)).status).toBe(200)
  })

  test('orders pages by the bytes of their titles, whatever the locale of the database is', async () => {
    const admin = openPostgres(server.url)
    onTestFinished(() => admin.close())
    await admin.writer.raw(
      "CREATE DATABASE american ENCODING 'UTF8' LOCALE_PROVIDER icu ICU_LOCALE 'en-US' TEMPLATE template0",
    )
    const service = await start(server.url.replace(/postgres$/, 'american'))
    const project = await service.newProject()
    for (const title of ['apple', 'Zebra', 'Äpfel', '🍏', 'Apple'])
      await service.call('POST', '/pages', pageBody(project, { title, slug: `p${title.codePointAt(0)}` }))
    const { body } = await service.call('GET', `/pages?project_id=${project}&sort=page_name&order=asc`)
    expect(body.data.map((page: { readonly page_name: string }) => page.page_name)).toEqual([
      ...['Apple', 'Zebra', 'apple', 'Äpfel', '🍏'],
    ])
  })

  test('says at its start when processes may use more connections than the server allows', async () => {
    const small = await startPostgres(programs ?? '', ['max_connections=16', 'fsync=off'])
    onTestFinished(() => small.stop())
    const { warning } = await preparePostgres(small.url, migrate)
    expect(warning).toMatch(
      /^PostgreSQL allows 13 connections, and this process uses up to 14\. Raise max_connections, or put PgBouncer in between\.$/,
    )
    expect((await preparePostgres(await database(), migrate)).warning).toBeNull()
  })

  test('names the server when it is ready, and commands that copy a file say what to do instead', async () => {
    const settings = {
      QUOIN_DATABASE_URL: await database(),
      QUOIN_MASTER_KEY: MASTER_KEY,
      QUOIN_DATA: await temporaryFolder(),
      QUOIN_PORT: '0',
      QUOIN_ALLOW_HTTP: 'true',
      QUOIN_LOG_LEVEL: 'error',
    }
    const command = startCommand(['serve'], settings)
    const [line] = await command.line(/ready at \S+ with PostgreSQL \d+\.\d+ \(postgres on 127\.0\.0\.1\)/)
    expect(line).toContain('http://127.0.0.1:')
    const keys = await startCommand(['keys', 'create', '--name', 'a', '--json'], settings).ended
    expect(JSON.parse(keys.out).key).toMatch(/\S/)
    const folder = await temporaryFolder()
    const passphrase = join(folder, 'passphrase')
    await writeFile(passphrase, 'a long passphrase\n', { mode: 0o600 })
    const backup = await startCommand(
      ['backup', '--to', `file:${folder}/backup`, '--passphrase-file', passphrase],
      settings,
    ).ended
    expect(backup.err).toContain('pg_dump')
  })
})

test.each(['postgres://', 'postgres://host', 'postgres:///quoin', 'postgres://u:secret@host:port/quoin'])(
  '%s is refused without its password',
  (url) => {
    expect(() => readConfig({ QUOIN_DATABASE_URL: url })).toThrow(
      /^QUOIN_DATABASE_URL: must look like postgres:(?!.*secret)/,
    )
  },
)
