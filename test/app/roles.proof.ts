import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { ConfigError, readConfig } from '../../src/app/config.ts'
import { refusalBeside } from '../../src/app/membership.ts'
import { finishedJob } from '../support/finished-job.ts'
import { createSchema, type PostgresServer, postgresPrograms, startPostgres } from '../support/postgres.ts'
import { sendRaw } from '../support/raw-request.ts'
import { pageBody, startService, type TestService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { MASTER_KEY } from '../support/test-database.ts'

const BASE_URL = 'http://quoin.test'
const programs = postgresPrograms()

describe.skipIf(programs === null)('processes with a role on PostgreSQL', () => {
  let server: PostgresServer
  let schemas = 0
  beforeAll(async () => {
    server = await startPostgres(programs ?? '')
  })
  afterAll(() => server.stop())

  /** Starts processes that share a database and the folders of one machine. */
  async function installation() {
    const data = await temporaryFolder()
    const shared = {
      QUOIN_DATABASE_URL: await createSchema(server.url, `roles_${++schemas}`),
      QUOIN_MASTER_KEY: MASTER_KEY,
      QUOIN_BASE_URL: BASE_URL,
    }
    return async (env: object): Promise<TestService> => {
      const service = await startService({ data, env: { ...shared, ...env } })
      onTestFinished(() => service.close())
      return service
    }
  }

  test('a publish that an API process accepts is finished by a worker, and answered by the first', async () => {
    const start = await installation()
    const api = await start({ QUOIN_ROLE: 'api' })
    const worker = await start({ QUOIN_ROLE: 'worker' })
    const project = await api.newProject()
    const { id } = (await api.call('POST', '/pages', pageBody(project, { markdown_content: '# Hello' }))).body
      .data
    expect((await api.call('POST', `/pages/${id}/publish`)).status).toBe(200)
    const page = await api.call('GET', `/public/${project}/a-page/`, undefined, { key: null })
    expect(page.body).toContain('Hello')
    const metrics = async ({ server: { address } }: TestService) => (await fetch(`${address}/metrics`)).text()
    expect(await metrics(worker)).toMatch(/quoin_releases_total\{state="live"\} 1/)
    expect(await metrics(api)).not.toMatch(/quoin_releases_total\{/)

    const bulk = await api.call('POST', `/projects/${project}/publish`, { pages: [id] })
    expect(await finishedJob(api, bulk.body.data.id)).toMatchObject({ failed: [] })
    expect((await api.call('DELETE', `/pages/${id}`)).status).toBe(200)
    await api.call('PUT', `/projects/${project}`, { status: 'archived' })
    expect((await api.call('DELETE', `/projects/${project}`)).status).toBe(200)
  })

  test('a worker answers whether it is ready, its metrics, and nothing else', async () => {
    const worker = await (await installation())({ QUOIN_ROLE: 'worker' })
    const statusOf = async (path: string) => (await fetch(worker.server.address + path)).status
    expect(await statusOf('/readyz')).toBe(200)
    expect(await statusOf('/healthz')).toBe(200)
    expect(await statusOf('/metrics')).toBe(200)
    expect(await statusOf('/pages')).toBe(404)
    expect(await statusOf('/dashboard')).toBe(404)
  })

  test('a request that is repeated at two processes at once is done once, and answered alike', async () => {
    const start = await installation()
    const [one, other] = [await start({}), await start({})]
    const headers = { 'Idempotency-Key': 'create-it' }
    const create = ({ call }: TestService) =>
      call('POST', '/projects', { name: 'Once' }, { key: one.key, headers })
    const answers = await Promise.all([one, other, one, other].map(create))
    const ids = new Set(answers.filter(({ status }) => status === 201).map(({ body }) => body.data.id))
    expect(ids.size).toBe(1)
    // One that meets the first while that is under way may be refused, and never does it again.
    expect(answers.filter(({ status }) => status !== 201 && status !== 409)).toEqual([])
    expect((await create(other)).body.data.id).toBe([...ids][0])
    expect((await one.call('GET', '/projects')).body.meta.total).toBe(1)
  })

  test('a session works in every process, and ends in all of them at once', async () => {
    const start = await installation()
    const [one, other] = [await start({}), await start({})]
    const { sessions, setUpLinks } = one.server.service
    const client = { address: '203.0.113.7', userAgent: 'Firefox' }
    const { token } = await setUpLinks.redeem(
      await setUpLinks.issue(one.userId),
      'correct horse battery',
      client,
    )
    const elsewhere = other.server.service.sessions
    expect(await elsewhere.authenticate(token)).not.toBeNull()
    await sessions.signOut(token)
    expect(await elsewhere.authenticate(token)).toBeNull()
  })

  test('a domain that is given to a project in one process is served by the others, and no longer once it is taken away', async () => {
    const start = await installation()
    const [one, other] = [await start({}), await start({})]
    const project = await one.newProject()
    const { id } = (await one.call('POST', '/pages', pageBody(project, { slug: 'index' }))).body.data
    expect((await one.call('POST', `/pages/${id}/publish`)).status).toBe(200)
    const visit = async () =>
      (await sendRaw(other.server.address, '/', { headers: { Host: 'docs.acme.example' } })).status
    expect(await visit()).not.toBe(200)
    const give = (custom_domain: string | null) =>
      one.call('PUT', `/projects/${project}`, { hosting: { custom_domain } })
    expect((await give('docs.acme.example')).status).toBe(200)
    await expect.poll(visit).toBe(200)
    expect((await give(null)).status).toBe(200)
    await expect.poll(visit).not.toBe(200)
  })

  test('without a worker a publish is refused at its deadline, and never goes live later', async () => {
    const start = await installation()
    const api = await start({ QUOIN_ROLE: 'api' })
    const project = await api.newProject()
    const { id } = (await api.call('POST', '/pages', pageBody(project))).body.data
    expect((await api.call('POST', `/pages/${id}/publish`)).status).toBe(500)
    await start({ QUOIN_ROLE: 'worker' })
    expect((await api.call('POST', `/pages/${id}/publish`)).status).toBe(200)
    const releases = await api.call('GET', `/pages/${id}/releases`)
    const states = releases.body.data.map(({ state }: { state: string }) => state)
    expect(states.sort()).toEqual(['failed', 'succeeded'])
  })

  test.each([
    ['another store', { QUOIN_STORAGE_URL: 'file:/tmp/quoin-other-store' }, 'QUOIN_STORAGE_URL'],
    ['another master key', { QUOIN_MASTER_KEY: Buffer.alloc(32, 8).toString('base64') }, 'QUOIN_MASTER_KEY'],
    ['other themes', { QUOIN_THEMES: 'a copy of one' }, 'QUOIN_THEMES: a running process'],
    ['no master key', { QUOIN_MASTER_KEY: '' }, 'QUOIN_MASTER_KEY'],
  ])(
    'a process with %s than one that runs is refused with a line that says which',
    async (_, env, setting) => {
      const start = await installation()
      await start({})
      const themes = await temporaryFolder()
      const theme = JSON.stringify({ name: 'mine', title: 'Mine', extends: 'minimal' })
      await mkdir(join(themes, 'mine'))
      await writeFile(join(themes, 'mine/theme.json'), theme)
      const given = 'QUOIN_THEMES' in env ? { QUOIN_THEMES: themes } : env
      const refused = await start(given).catch((error: unknown) => error)
      expect(refused).toBeInstanceOf(ConfigError)
      expect(String(refused)).toMatch(new RegExp(setting))
      // It has left nothing behind that would keep others from starting.
      await start({ QUOIN_ROLE: 'worker' })
    },
  )

  test('a process with another address starts, so that addresses change without a pause, and says so in its log', async () => {
    const start = await installation()
    await start({})
    await start({ QUOIN_BASE_URL: 'http://other.test' })
  })

  test('a new master key is introduced process by process: each knows it before one seals with it', async () => {
    const start = await installation()
    const added = Buffer.alloc(32, 9).toString('base64')
    await start({})
    await start({ QUOIN_MASTER_KEY: `${MASTER_KEY},${added}` })
    await expect(start({ QUOIN_MASTER_KEY: `${added},${MASTER_KEY}` })).rejects.toThrow(/QUOIN_MASTER_KEY/)
  })
})

describe('a process on another machine', () => {
  const settings = (env: object) =>
    readConfig({ QUOIN_DATA: '/srv/quoin', QUOIN_MASTER_KEY: MASTER_KEY, ...env })
  const on = (machine: string | null) => ({ machine, role: 'all', settings: {} })
  const BUCKETS = { QUOIN_STORAGE_URL: 's3://sites', QUOIN_MEDIA_URL: 's3://media' }
  const POSTGRES = { QUOIN_DATABASE_URL: 'postgres://host/quoin' }

  test.each([
    ['of a SQLite file', BUCKETS, /^QUOIN_DATABASE_URL: .*SQLite file.*one machine/],
    [
      'of a folder of published files',
      { ...POSTGRES, QUOIN_MEDIA_URL: 's3://media' },
      /^QUOIN_STORAGE_URL: .*folder/,
    ],
    [
      'of a folder of uploads',
      { ...POSTGRES, QUOIN_STORAGE_URL: 's3://sites' },
      /^QUOIN_MEDIA_URL: .*folder/,
    ],
  ])('is refused beside one %s', (_, env, refusal) => {
    expect(refusalBeside(settings(env), on('one'), [on('other')])).toMatch(refusal)
    expect(refusalBeside(settings(env), on('one'), [on('one'), on(null)])).toBeNull()
  })

  test('is accepted with PostgreSQL and buckets', () => {
    expect(refusalBeside(settings({ ...POSTGRES, ...BUCKETS }), on('one'), [on('other')])).toBeNull()
  })
})

test.each([
  [{ QUOIN_ROLE: 'both' }, /^QUOIN_ROLE: must be all, api or worker/],
  [{ QUOIN_ROLE: 'worker' }, /^QUOIN_BASE_URL: must be set with the role worker/],
  [{ QUOIN_MIGRATE: 'no' }, /^QUOIN_MIGRATE: must be on or off/],
  [{ QUOIN_DATABASE_DIRECT_URL: 'postgres://host/quoin' }, /^QUOIN_DATABASE_DIRECT_URL: has no effect/],
  [{ QUOIN_DATABASE_REPLICA_URL: 'postgres://host/quoin' }, /^QUOIN_DATABASE_REPLICA_URL: has no effect/],
])('the settings %o are refused', (env, refusal) => {
  expect(() => readConfig(env)).toThrow(refusal)
})
