import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openPostgres } from '../../src/db/postgres.ts'
import { startCommand } from '../support/command.ts'
import {
  createSchema,
  DURABLE,
  type PostgresServer,
  postgresPrograms,
  startPostgres,
  startReplica,
} from '../support/postgres.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { MASTER_KEY } from '../support/test-database.ts'

const programs = postgresPrograms()
const WRITERS = 4
const CUTS = 6
const CUT_MS = 1_000
/** Answers of a request: a write is tried for 15 s, and a publish has 12 s. */
const ANSWERS = [200, 201, 202, 503]

describe.skipIf(programs === null)('a service on PostgreSQL', () => {
  let server: PostgresServer
  let schemas = 0
  beforeAll(async () => {
    server = await startPostgres(programs ?? '', DURABLE)
  })
  afterAll(() => server.stop())

  const database = () => createSchema(server.url, `outage_${++schemas}`)

  async function start(env: Readonly<Record<string, string>>): Promise<TestService> {
    const service = await startService({ env: { ...env, QUOIN_MASTER_KEY: MASTER_KEY } })
    onTestFinished(() => service.close())
    return service
  }

  test.each([
    ['is restarted', 'SIGINT'],
    ['crashes', 'SIGQUIT'],
  ] as const)(
    'loses no acknowledged publish when its server %s, and works again by itself',
    async (_, signal) => {
      const service = await start({ QUOIN_DATABASE_URL: await database() })
      await writeDuring(service, async () => {
        await server.restart(signal)
        await sleep(CUT_MS)
        await server.restart(signal)
      })
    },
  )

  test('loses no acknowledged publish when all connections are cut every second', async () => {
    const url = await database()
    const service = await start({ QUOIN_DATABASE_URL: url })
    const admin = openPostgres(url)
    onTestFinished(() => admin.close())
    await writeDuring(service, async () => {
      for (let cut = 0; cut < CUTS; cut++) {
        await admin.reader.raw(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'quoin' AND pid <> pg_backend_pid()",
        )
        await sleep(CUT_MS)
      }
    })
  })

  test('refuses changes for a while when its sessions become read-only, and takes them again once the server does', async () => {
    const admin = new pg.Client(server.url)
    await admin.connect()
    onTestFinished(() => admin.end())
    await admin.query('CREATE DATABASE failover')
    const url = server.url.replace(/postgres$/, 'failover')
    const service = await start({ QUOIN_DATABASE_URL: url })
    const project = await service.newProject()
    const page = (await service.call('POST', '/pages', pageBody(project))).body.data.id
    const edit = (text: string) => service.call('PUT', `/pages/${page}`, { markdown_content: text })
    const setReadOnly = async (value: 'on' | 'off') => {
      await admin.query(`ALTER DATABASE failover SET default_transaction_read_only = ${value}`)
    }
    await setReadOnly('on')
    await admin.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'failover'")
    const refused = await edit('Refused')
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(refused.body.message).toContain('it takes no writes now')
    expect((await service.call('GET', `/pages/${page}`)).body).toMatchObject({
      data: { markdown_content: '' },
    })

    await setReadOnly('off')
    expect((await edit('Taken')).status).toBe(200)
    expect((await service.call('POST', `/pages/${page}/publish`)).status).toBe(200)
  })

  test('recognises the copy of another server, which takes no writes', async () => {
    const replica = await startReplica(programs ?? '', server)
    if (replica === null) return
    onTestFinished(() => replica.stop())
    const { transact, close } = openPostgres(replica.url)
    onTestFinished(close)
    await expect(transact(async () => {}, 300)).rejects.toThrow(/it takes no writes now.*try again/)
  })

  test('publishes, schedules and expires by the time of the database beside a machine whose clock is an hour ahead', async () => {
    const folder = await temporaryFolder()
    const env = {
      QUOIN_DATABASE_URL: await database(),
      QUOIN_MASTER_KEY: MASTER_KEY,
      QUOIN_STORAGE_URL: `file:${join(folder, 'cdn')}`,
      QUOIN_MEDIA_URL: `file:${join(folder, 'media')}`,
      QUOIN_BASE_URL: 'http://quoin.test',
      QUOIN_ALLOW_HTTP: 'true',
    }
    const api = await start({ ...env, QUOIN_ROLE: 'api' })
    const ahead = join(folder, 'ahead.mjs')
    await writeFile(ahead, AN_HOUR_AHEAD)
    const worker = startCommand(['worker', '--port', '0'], {
      ...env,
      QUOIN_DATA: await temporaryFolder(),
      NODE_OPTIONS: `--import=${ahead}`,
    })
    await worker.line(/ready at/)

    const project = await api.newProject()
    const page = (await api.call('POST', '/pages', pageBody(project, { slug: 'now' }))).body.data.id
    const publish = () => api.call('POST', `/pages/${page}/publish`)
    // On a busy machine the first page may take longer than a publish has.
    await expect.poll(async () => (await publish()).status).toBe(200)
    const { published_at } = (await api.call('GET', `/pages/${page}`)).body.data
    expect(Math.abs(Date.parse(published_at) - Date.now())).toBeLessThan(600_000)
    // The worker would publish it at once by its own clock.
    const later = (await api.call('POST', '/pages', pageBody(project, { slug: 'later' }))).body.data.id
    const half = new Date(Date.now() + 1_800_000).toISOString()
    expect((await api.call('POST', `/pages/${later}/publish`, { publish_at: half })).status).toBe(202)
    const soon = (await api.call('POST', '/pages', pageBody(project, { slug: 'soon' }))).body.data.id
    const second = new Date(Date.now() + 1_500).toISOString()
    expect((await api.call('POST', `/pages/${soon}/publish`, { publish_at: second })).status).toBe(202)
    const statusOf = async (slug: string) =>
      (await api.call('GET', `/public/${project}/${slug}/`, undefined, { key: null })).status
    await expect.poll(() => statusOf('soon')).toBe(200)
    expect(await statusOf('later')).toBe(404)
    worker.kill('SIGTERM')
    expect((await worker.ended).code).toBe(0)
  })
})

const AN_HOUR_AHEAD = `
const Real = Date
globalThis.Date = class extends Real {
  constructor(...given) { super(...(given.length > 0 ? given : [Real.now() + 3600000])) }
  static now() { return Real.now() + 3600000 }
}
`

/** Publishes new versions of several pages while the database fails, and then looks for every one that was acknowledged. */
async function writeDuring(service: TestService, fail: () => Promise<void>): Promise<void> {
  const { call } = service
  const project = await service.newProject()
  const slugs = Array.from({ length: WRITERS }, (_, n) => `p${n}`)
  const ids: string[] = []
  for (const slug of slugs) ids.push((await call('POST', '/pages', pageBody(project, { slug }))).body.data.id)
  let isOver = false
  /** What fails because of the database says when to try again. */
  const answered: (...request: Parameters<TestService['call']>) => Promise<number> = async (...request) => {
    const { status, headers, body } = await call(...request)
    expect({ status: ANSWERS.includes(status), body }).toEqual({ status: true, body })
    if (status === 503) expect(headers.get('retry-after')).toMatch(/^\d+$/)
    return status
  }
  const upload = async (name: string) => {
    const headers = { 'Content-Type': 'text/plain' }
    const path = `/projects/${project}/assets?name=${name}`
    return answered('POST', path, Buffer.from(name), { headers })
  }
  const live = new Map<string, Set<number>>()
  const writing = ids.map(async (id, n) => {
    const slug = slugs[n] ?? ''
    for (let version = 1; !isOver; version++) {
      const edited = await answered('PUT', `/pages/${id}`, { markdown_content: `Version ${version}.` })
      await upload(`${slug}-${version}.txt`)
      if (edited !== 200) continue
      const status = await answered('POST', `/pages/${id}/publish`)
      // One that failed may be that of an edit which was stored: only an acknowledged one is certain.
      if (status === 200) live.set(slug, new Set([version]))
      else live.get(slug)?.add(version)
    }
  })
  await fail()
  isOver = true
  await Promise.all(writing)
  for (const [slug, versions] of live) {
    const shown = async () => {
      const { status, body } = await call('GET', `/public/${project}/${slug}/`, undefined, { key: null })
      return status === 200 ? Number(/Version (\d+)\./.exec(body)?.[1]) : null
    }
    await expect.poll(async () => versions.has((await shown()) ?? -1)).toBe(true)
  }
  // It works without a restart of the service.
  for (const id of ids)
    await expect.poll(async () => (await call('POST', `/pages/${id}/publish`)).status).toBe(200)
}
