import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../src/app/config.ts'
import { openPostgres } from '../../src/db/postgres.ts'
import { startCommand } from '../support/command.ts'
import { finishedJob } from '../support/finished-job.ts'
import { createSchema, type PostgresServer, postgresPrograms, startPostgres } from '../support/postgres.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

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
      env: { QUOIN_DATABASE_URL: url ?? (await database()), QUOIN_LOG_LEVEL: 'error' },
      ...(data !== undefined && { data }),
    })
    onTestFinished(() => service.close())
    return service
  }

  const visit = (service: TestService, path: string) =>
    service.call('GET', `/public${path}`, undefined, { key: null })

  test('creates, changes, publishes, moves, finds and takes down pages', async () => {
    const { call, ...service } = await start()
    const project = await service.newProject('Site')
    const ids: string[] = []
    for (const slug of ['one', 'two', 'three']) {
      const body = pageBody(project, {
        slug,
        markdown_content: `# ${slug}\n\n[one](/one)`,
        tags: [slug, 'all'],
      })
      const { status, body: created } = await call('POST', '/pages', body)
      expect(status).toBe(201)
      ids.push(created.data.id)
      expect((await call('POST', `/pages/${created.data.id}/publish`)).status).toBe(200)
    }
    expect((await visit({ call, ...service }, `/${project}/two`)).body).toContain('two')
    const [first] = ids
    expect((await call('PUT', `/pages/${first}`, { slug: 'moved', redirect_from: ['old'] })).status).toBe(200)
    expect((await call('POST', `/pages/${first}/publish`)).status).toBe(200)
    expect((await visit({ call, ...service }, `/${project}/moved`)).status).toBe(200)
    const list = await call('GET', `/pages?project_id=${project}&tag=all&sort=slug&order=asc`)
    expect(list.body.data.map((page: { slug: string }) => page.slug)).toEqual(['moved', 'three', 'two'])
    expect((await call('POST', `/pages/${first}/unpublish`)).status).toBe(200)
    expect((await visit({ call, ...service }, `/${project}/moved`)).status).toBe(404)
    expect((await call('DELETE', `/pages/${first}`)).status).toBe(200)
    expect((await call('GET', `/projects/${project}?include=pages,counts`)).status).toBe(200)
    expect((await call('GET', '/users/me/usage')).status).toBe(200)
    expect((await call('GET', '/readyz', undefined, { key: null })).status).toBe(200)
  })

  test('runs a bulk publish as a job', async () => {
    const service = await start()
    const { call, newProject } = service
    const project = await newProject()
    for (let n = 0; n < 5; n++) await call('POST', '/pages', pageBody(project, { slug: `page-${n}` }))
    const { status, body } = await call('POST', `/projects/${project}/publish`, { pages: 'all' })
    expect(status).toBe(202)
    expect(await finishedJob(service, body.data.id)).toMatchObject({ failed: [] })
    for (let n = 0; n < 5; n++) expect((await visit(service, `/${project}/page-${n}`)).status).toBe(200)
  })

  test('gives projects of one name that are created at once a slug of their own', async () => {
    const { call } = await start()
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => call('POST', '/projects', { name: 'Same' })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(201))
    expect(new Set(answers.map(({ body }) => body.data.slug)).size).toBe(6)
  })

  test('loses no change of a page that two processes write at once', async () => {
    const url = await database()
    const one = await start(url)
    const other = await start(url, one.data)
    const project = await one.newProject()
    const { id } = (await one.call('POST', '/pages', pageBody(project))).body.data
    const version = async () => (await one.call('GET', `/pages/${id}`)).headers.get('etag')
    const seen = new Set([await version()])
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
    expect(seen).toContain(await version())
  })

  test('acknowledges no publish that is lost when its connections are cut', async () => {
    const url = await database()
    const { call, newProject, ...service } = await start(url)
    const project = await newProject()
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
    for (const slug of live)
      expect([slug, (await visit({ call, newProject, ...service }, `/${project}/${slug}`)).status]).toEqual([
        slug,
        200,
      ])
  })

  test('names the server when it is ready, and commands that copy a file say what to do instead', async () => {
    const settings = {
      QUOIN_DATABASE_URL: await database(),
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
