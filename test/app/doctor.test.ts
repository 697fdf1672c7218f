import { chmod, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { generate } from 'selfsigned'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { readConfig, type SettingName } from '../../src/app/config.ts'
import { examine } from '../../src/app/doctor/doctor.ts'
import type { Check, Finding } from '../../src/app/doctor/finding.ts'
import { openSqlite } from '../../src/db/sqlite.ts'
import { putNewDatabase } from '../support/new-database.ts'
import { createSchema, type PostgresServer, postgresPrograms, startPostgres } from '../support/postgres.ts'
import { pageBody, startService } from '../support/service.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const HOUR_MS = 60 * 60 * 1000

type Env = Readonly<Partial<Record<SettingName, string>>>

/** What is found with these settings, without other machines unless `network` is given. */
async function findings(
  env: Env,
  options: { readonly network?: boolean; readonly now?: number } = {},
): Promise<readonly Finding[]> {
  const found: Finding[] = []
  const config = readConfig({ QUOIN_ALLOW_HTTP: 'true', ...env })
  const { network = false, now = null } = options
  const clock = now === null ? Date.now : () => now
  for await (const finding of examine(config, { network, now: clock })) found.push(finding)
  return found
}

/** The findings of one check, as `level message remedy`. */
async function found(check: Check, ...args: Parameters<typeof findings>): Promise<readonly string[]> {
  const all = await findings(...args)
  return all
    .filter((finding) => finding.check === check)
    .map(({ level, message, remedy }) => [level, message, remedy].filter((text) => text !== null).join(' '))
}

/** The data folder of an installation with a database. */
async function installation(): Promise<string> {
  const data = await temporaryFolder()
  await putNewDatabase(join(data, 'quoin.db'))
  return data
}

async function change(data: string, statement: string): Promise<void> {
  const { writer, close } = openSqlite(join(data, 'quoin.db'))
  await writer.raw(statement)
  await close()
}

test('an installation whose service runs has no fault, and nothing in it changes', async () => {
  const data = await temporaryFolder()
  const service = await startService({
    data,
    env: { QUOIN_DATABASE_URL: `sqlite:${join(data, 'quoin.db')}` },
  })
  onTestFinished(() => service.close())
  const project = await service.newProject()
  await service.call('POST', '/pages', pageBody(project))
  const before = (await readdir(data, { recursive: true })).sort()
  const all = await findings({ QUOIN_DATA: data, QUOIN_BASE_URL: service.url }, { network: true })
  expect(all.filter(({ level }) => level !== 'ok')).toEqual([])
  expect(all.map(({ check }) => check)).toEqual(
    expect.arrayContaining([
      'versions',
      'disk',
      'database',
      'keys',
      'processes',
      'store',
      'uploads',
      'address',
    ]),
  )
  expect(all).toContainEqual(expect.objectContaining({ message: 'One process runs.' }))
  expect((await readdir(data, { recursive: true })).sort()).toEqual(before)
})

test('a folder without an installation is said to have none, and is left empty', async () => {
  const data = await temporaryFolder()
  expect(await found('database', { QUOIN_DATA: data })).toEqual([
    expect.stringMatching(/^warning There is no database at .* quoin serve creates it\./),
  ])
  expect(await readdir(data)).toEqual([])
})

test('settings that refuse every request, and a name that is missing, are warnings', async () => {
  const data = await installation()
  expect(await found('settings', { QUOIN_DATA: data, QUOIN_ALLOW_HTTP: 'false' })).toEqual([
    expect.stringMatching(/^warning Every API request will be refused/),
  ])
  expect(await found('settings', { QUOIN_DATA: data, QUOIN_TRUST_PROXY: '127.0.0.1' })).toEqual([
    expect.stringMatching(/^warning Set QUOIN_BASE_URL/),
  ])
})

test('more connections than a process may open files are a warning that says how many are needed', async () => {
  const QUOIN_MAX_CONNECTIONS = '1000000'
  const limits = await found('limits', { QUOIN_DATA: await installation(), QUOIN_MAX_CONNECTIONS })
  expect(limits).toEqual([
    expect.stringMatching(/1000000 connections at once( need 1000512\..*LimitNOFILE|\.$)/),
  ])
})

describe('the database', () => {
  test('of an earlier version is not migrated, and the command that does is named', async () => {
    const data = await installation()
    await change(data, `DELETE FROM knex_migrations WHERE name = '038-mail'`)
    for (const _ of ['first', 'second'])
      expect(await found('database', { QUOIN_DATA: data })).toEqual([
        expect.stringMatching(/^error .* earlier version \(it lacks 038-mail\)\. Run quoin migrate first/),
      ])
  })

  test('of a newer version is refused', async () => {
    const data = await installation()
    await change(data, `UPDATE knex_migrations SET name = '999-later' WHERE name = '038-mail'`)
    expect(await found('database', { QUOIN_DATA: data })).toEqual([
      expect.stringMatching(/^error .*belongs to a newer version of Quoin \(it has 999-later\)/),
    ])
  })

  test('that is no database, and one that is damaged, are errors', async () => {
    const data = await temporaryFolder()
    await writeFile(join(data, 'quoin.db'), 'this is a text, and no database'.repeat(100))
    expect(await found('database', { QUOIN_DATA: data })).toEqual([
      expect.stringMatching(/^error QUOIN_DATABASE_URL: .*not a database/),
    ])
  })
})

describe('the master key', () => {
  test('that is missing, although the database holds secrets, is an error, and none is created', async () => {
    const data = await temporaryFolder()
    const env = {
      QUOIN_DATABASE_URL: `sqlite:${join(data, 'quoin.db')}`,
      QUOIN_WEBHOOK_ALLOW_PRIVATE: 'true',
    }
    const service = await startService({ data, env })
    const project = await service.newProject()
    const hook = { url: 'http://127.0.0.1:9/hook' }
    expect((await service.call('POST', `/projects/${project}/webhooks`, hook)).status).toBe(201)
    await service.close()
    expect(await found('keys', { QUOIN_DATA: data })).toEqual([
      'ok The master key opens every secret of the database.',
    ])
    await chmod(join(data, 'master.key'), 0o644)
    expect(await found('keys', { QUOIN_DATA: data })).toEqual([
      expect.stringMatching(/^warning Other users of this machine can read .*master\.key\. Run chmod 600/),
    ])
    await rm(join(data, 'master.key'))
    expect(await found('keys', { QUOIN_DATA: data })).toEqual([
      expect.stringMatching(
        /^error QUOIN_MASTER_KEY: the file .* is missing, and the database holds the webhook secrets/,
      ),
    ])
    expect(await readdir(data)).not.toContain('master.key')
  })
})

test('work that is late, and work that failed, are warnings', async () => {
  const data = await temporaryFolder()
  const service = await startService({
    data,
    env: { QUOIN_DATABASE_URL: `sqlite:${join(data, 'quoin.db')}` },
  })
  const project = await service.newProject()
  const page = (await service.call('POST', '/pages', pageBody(project))).body.data.id
  const due = Date.now() + HOUR_MS
  const publish_at = new Date(due).toISOString()
  expect((await service.call('POST', `/pages/${page}/publish`, { publish_at })).status).toBe(202)
  await service.close()
  const env = { QUOIN_DATA: data }
  expect(await found('work', env)).toEqual(['ok No work is late, and none has failed.'])
  expect(await found('work', env, { now: due + HOUR_MS })).toEqual([
    expect.stringMatching(
      /^warning Late jobs of the kind scheduled-publish: 1, the first due since .*Start a service/,
    ),
  ])
  await change(data, `UPDATE jobs SET state = 'failed', finished_at = '${new Date().toISOString()}'`)
  expect(await found('work', env)).toEqual([
    expect.stringMatching(/^warning Jobs that failed within 24 hours: 1\. quoin jobs list --state failed/),
  ])
})

describe('certificates that the service orders', () => {
  const acme = {
    QUOIN_TLS: 'acme',
    QUOIN_ACME_TERMS: 'agreed',
    QUOIN_BASE_URL: 'https://quoin.example.com',
  } as const
  const now = Date.parse('2026-03-10T00:00:00.000Z')
  const row = (host: string, expires: string | null, problem: string | null) => {
    const text = (value: string | null) => (value === null ? 'NULL' : `'${value}'`)
    const issued = expires === null ? 'NULL, NULL, NULL' : `'PEM', 'sealed', 'key'`
    return `INSERT INTO certificates (host, chain, secret, master_key_id, expires_at, due_at, failures, problem)
      VALUES ('${host}', ${issued}, ${text(expires)}, '2026-03-10T01:00:00.000Z', 0, ${text(problem)})`
  }

  test('are counted when all were issued, and the start of the service is named while none was', async () => {
    const data = await installation()
    expect(await found('certificate', { QUOIN_DATA: data, ...acme }, { now })).toEqual([
      'warning No certificate of quoin.example.com was ordered yet. Start the service: it orders the certificate at its start.',
    ])
    await change(data, row('quoin.example.com', '2026-05-01T00:00:00.000Z', null))
    expect(await found('certificate', { QUOIN_DATA: data, ...acme }, { now })).toEqual([
      'ok Certificates that the service ordered: 1.',
    ])
  })

  test('that were not issued are errors, and those that were not renewed warnings, with the reason', async () => {
    const data = await installation()
    await change(data, row('docs.example.org', '2026-03-20T00:00:00.000Z', 'Connection refused.'))
    await change(data, row('quoin.example.com', null, 'No address.'))
    expect(await found('certificate', { QUOIN_DATA: data, ...acme }, { now })).toEqual([
      'warning The certificate of docs.example.org was not renewed: Connection refused. It is ordered again at 2026-03-10T01:00:00.000Z. Check that docs.example.org leads to this service, and that port 80 is open to the internet.',
      'error The certificate of quoin.example.com was not issued: No address. It is ordered again at 2026-03-10T01:00:00.000Z. Check that quoin.example.com leads to this service, and that port 80 is open to the internet.',
    ])
  })
})

test('a domain without proof is a warning with the command that checks it', async () => {
  const data = await temporaryFolder()
  const service = await startService({
    data,
    env: { QUOIN_DATABASE_URL: `sqlite:${join(data, 'quoin.db')}`, QUOIN_DOMAIN_PROOF: 'on' },
    proveDomain: async () => ({ problem: 'There is no TXT record.' }),
  })
  const project = await service.newProject()
  await service.call('PUT', `/projects/${project}`, { domain: 'docs.acme.com' })
  await service.close()
  expect(await found('domains', { QUOIN_DATA: data })).toEqual([
    expect.stringMatching(
      /^warning docs\.acme\.com of proj_\w+ is pending\. .* quoin domains verify docs\.acme\.com/,
    ),
  ])
})

test('a store that is no folder is an error that names its setting', async () => {
  const data = await installation()
  await writeFile(join(data, 'file'), '')
  const QUOIN_STORAGE_URL = `file:${join(data, 'file')}`
  expect(await found('store', { QUOIN_DATA: data, QUOIN_STORAGE_URL })).toEqual([
    expect.stringMatching(/^error QUOIN_STORAGE_URL: the folder .*file cannot be used: /),
  ])
})

describe('the certificate of QUOIN_TLS_CERT', () => {
  const made = new Date()
  let pems: Readonly<Record<'own' | 'other', Awaited<ReturnType<typeof certificate>>>>
  beforeAll(async () => {
    const [own, other] = [
      await certificate('quoin.example.com', made),
      await certificate('quoin.example.com', made),
    ]
    pems = { own, other }
  })
  const found = async (key: 'own' | 'other', env: Env, now = made.getTime() + DAY_MS) => {
    const data = await installation()
    await writeFile(join(data, 'own.pem'), pems.own.cert)
    for (const name of ['own', 'other'] as const)
      await writeFile(join(data, `${name}.key`), pems[name].private)
    const QUOIN_TLS_CERT = join(data, 'own.pem')
    const QUOIN_TLS_KEY = join(data, `${key}.key`)
    const QUOIN_BASE_URL = 'https://quoin.example.com:1'
    const settings = { QUOIN_DATA: data, QUOIN_TLS_CERT, QUOIN_TLS_KEY, QUOIN_BASE_URL, ...env }
    const all = await findings(settings, { now })
    return all
      .filter(({ check }) => check === 'certificate')
      .map(({ level, message }) => `${level} ${message}`)
  }

  test.each([
    ['is valid', {}, 1, /^ok The certificate of QUOIN_TLS_CERT is valid for 88 days\.$/],
    ['ends soon', {}, 80, /^warning .* ends on /],
    ['has ended', {}, 91, /^error .* ended on /],
    ['is not valid yet', {}, -2, /^error .* is not valid before /],
    [
      'is for another host',
      { QUOIN_BASE_URL: 'https://quoin.example.org' },
      1,
      /^error The certificate .* is not for quoin\.example\.org/,
    ],
  ])('%s', async (_, env: Env, days, message) => {
    expect(await found('own', env, made.getTime() + days * DAY_MS)).toEqual([expect.stringMatching(message)])
  })

  test('needs its own key', async () => {
    expect(await found('other', {})).toEqual([
      'error QUOIN_TLS_KEY is not the key of the certificate in QUOIN_TLS_CERT.',
    ])
  })
})

describe('the address of the service', () => {
  test.each([
    [200, /^ok The service is ready at /],
    [503, /^error The service at .* is not ready\. Its log says why\.$/],
    [404, /answers 404, which is no answer of Quoin\./],
  ])('whose answer is %i is reported', async (status, message) => {
    const server = createServer((_, response) => void response.writeHead(status).end())
    const QUOIN_BASE_URL = `http://127.0.0.1:${await listening(server)}`
    const env = { QUOIN_DATA: await installation(), QUOIN_BASE_URL }
    expect(await found('address', env, { network: true })).toEqual([expect.stringMatching(message)])
  })

  test('at which nothing listens is a warning', async () => {
    const server = createServer()
    const port = await listening(server)
    server.close()
    const env = { QUOIN_DATA: await installation(), QUOIN_BASE_URL: `http://127.0.0.1:${port}` }
    expect(await found('address', env, { network: true })).toEqual([
      expect.stringMatching(/^warning No service answers at .*ECONNREFUSED.*Start it with quoin serve/),
    ])
  })

  test('with a certificate that browsers refuse is an error', async () => {
    const { cert, private: key } = await certificate('localhost', new Date())
    const server = createTlsServer({ cert, key }, (_, response) => void response.end())
    const QUOIN_BASE_URL = `https://localhost:${await listening(server)}`
    const env = { QUOIN_DATA: await installation(), QUOIN_BASE_URL, QUOIN_TRUST_PROXY: '127.0.0.1' }
    const all = await findings(env, { network: true })
    expect(all).toContainEqual(expect.objectContaining({ check: 'address', level: 'ok' }))
    expect(all).toContainEqual(
      expect.objectContaining({
        check: 'certificate',
        level: 'error',
        message: expect.stringMatching(/self.signed/),
      }),
    )
  })
})

const programs = postgresPrograms()
describe.skipIf(programs === null)('on PostgreSQL', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres(programs ?? '')
  })
  afterAll(() => server.stop())

  test('the clocks of the machine and of the database are compared', async () => {
    const QUOIN_DATABASE_URL = await createSchema(server.url, 'doctor')
    const QUOIN_MASTER_KEY = Buffer.alloc(32, 7).toString('base64')
    const data = await temporaryFolder()
    const service = await startService({ data, env: { QUOIN_DATABASE_URL, QUOIN_MASTER_KEY } })
    onTestFinished(() => service.close())
    const env = { QUOIN_DATA: data, QUOIN_DATABASE_URL, QUOIN_MASTER_KEY }
    expect(await found('clock', env)).toEqual([expect.stringMatching(/^ok .* differ by \d+ s\.$/)])
    expect(await found('clock', env, { now: Date.now() + HOUR_MS })).toEqual([
      expect.stringMatching(/^error .* differ by 3[56]\d\d s; a minute is allowed\. Set both by NTP\.$/),
    ])
  })

  test('a server that does not answer, and a missing master key, are errors', async () => {
    const data = await temporaryFolder()
    const QUOIN_DATABASE_URL = 'postgres://quoin:secret@127.0.0.1:1/quoin'
    expect(await found('database', { QUOIN_DATA: data, QUOIN_DATABASE_URL })).toEqual([
      expect.stringMatching(/^error QUOIN_DATABASE_URL: 127\.0\.0\.1:1\/quoin cannot be used: (?!.*secret)/),
    ])
  })
})

async function certificate(host: string, notBeforeDate: Date) {
  return generate([{ name: 'commonName', value: host }], {
    notBeforeDate,
    notAfterDate: new Date(notBeforeDate.getTime() + 90 * DAY_MS),
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: host }] }],
  })
}

function listening(server: ReturnType<typeof createServer>): Promise<number> {
  onTestFinished(() => void server.close())
  return new Promise((resolve) => server.listen(0, () => resolve((server.address() as AddressInfo).port)))
}
