import { openSync, statSync, writeSync } from 'node:fs'
import { chmod, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../../src/app/config.ts'
import { migrateDatabase } from '../../../src/app/database.ts'
import { openPostgres } from '../../../src/db/postgres.ts'
import { createServerPresence } from '../../../src/db/server-presence.ts'
import { openSqlite } from '../../../src/db/sqlite.ts'
import { version } from '../../../src/platform/package-paths.ts'
import { createMemoryStorage } from '../../support/memory-storage.ts'
import { createSchema, type PostgresServer, postgresPrograms, startPostgres } from '../../support/postgres.ts'
import { pageBody, type ServiceOptions, startService } from '../../support/service.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { MASTER_KEY } from '../../support/test-database.ts'
import { change, type Env, found, HOUR_MS, installation, testEveryFinding } from './findings.ts'

const programs = postgresPrograms()
let server: PostgresServer
let schemas = 0
beforeAll(async () => {
  if (programs !== null) server = await startPostgres(programs)
})
afterAll(() => server?.stop())

/** The settings of an installation without a database yet. */
async function settingsOn(kind: 'SQLite' | 'PostgreSQL') {
  const data = await temporaryFolder()
  return kind === 'SQLite'
    ? { QUOIN_DATA: data, QUOIN_DATABASE_URL: `sqlite:${join(data, 'quoin.db')}` }
    : {
        QUOIN_DATA: data,
        QUOIN_DATABASE_URL: await createSchema(server.url, `doctor_${++schemas}`),
        QUOIN_MASTER_KEY: MASTER_KEY,
      }
}
type Settings = Awaited<ReturnType<typeof settingsOn>>

function databaseOf({ QUOIN_DATA: data, QUOIN_DATABASE_URL: url }: Settings) {
  const { writer, close } = url.startsWith('sqlite:') ? openSqlite(join(data, 'quoin.db')) : openPostgres(url)
  onTestFinished(close)
  return writer
}

async function start(settings: Settings, { env, ...options }: ServiceOptions = {}) {
  const service = await startService({
    data: settings.QUOIN_DATA,
    env: { ...settings, QUOIN_BASE_URL: 'http://quoin.test', ...env },
    ...options,
  })
  let closing: Promise<void> | null = null
  const close = () => (closing ??= service.close())
  onTestFinished(close)
  return { ...service, close }
}

for (const kind of ['SQLite', 'PostgreSQL'] as const)
  describe.skipIf(kind === 'PostgreSQL' && programs === null)(`on ${kind}`, () => {
    test('a database of this version is named, and one of an earlier or a newer version is an error', async () => {
      const env = await settingsOn(kind)
      await migrateDatabase(readConfig(env))
      const database = databaseOf(env)
      for (const _ of ['first', 'second'])
        expect(await found('database', env)).toEqual([
          expect.stringMatching(
            kind === 'SQLite'
              ? /^ok SQLite at .*quoin\.db has the schema of this version and can be written\.$/
              : /^ok PostgreSQL \d\S+ \(postgres on 127\.0\.0\.1\) has the schema of this version and can be written\.$/,
          ),
        ])
      await database.raw(
        `UPDATE knex_migrations SET name = '999-later' WHERE name = '002-previous-addresses'`,
      )
      expect(await found('database', env)).toEqual([
        expect.stringMatching(/^error .*belongs to a newer version of Quoin \(it has 999-later\)/),
      ])
      await database.raw(`DELETE FROM knex_migrations WHERE name = '999-later'`)
      for (const _ of ['first', 'second'])
        expect(await found('database', env)).toEqual([
          expect.stringMatching(
            /^error .* earlier version \(it lacks 002-previous-addresses\)\. Run quoin migrate first/,
          ),
        ])
    })

    test('a master key that does not open the secrets of the database is an error that names them', async () => {
      const env = await settingsOn(kind)
      const service = await start(env, { env: { QUOIN_WEBHOOK_ALLOW_PRIVATE: 'true' } })
      const project = await service.newProject()
      const hook = { url: 'http://127.0.0.1:9/hook' }
      expect((await service.call('POST', `/projects/${project}/webhooks`, hook)).status).toBe(201)
      await service.close()
      expect(await found('keys', env)).toEqual(['ok The master key opens every secret of the database.'])
      const other = { ...env, QUOIN_MASTER_KEY: Buffer.alloc(32, 9).toString('base64') }
      expect(await found('keys', other)).toEqual([
        `error QUOIN_MASTER_KEY: this master key does not open the webhook secrets of ${project}. Put back the master key that belongs to this database, from a backup of it. If it is lost, quoin serve --accept-lost-keys starts with another one.`,
      ])
    })

    test('the processes that run are counted, and those of which none is a worker are an error', async () => {
      const env = await settingsOn(kind)
      const first = await start(env, { env: { QUOIN_ROLE: 'api' } })
      expect(await found('processes', env)).toEqual([
        'error No worker runs, so nothing is published. Start quoin worker, or set QUOIN_ROLE=all.',
      ])
      const second = await start(env, { env: { QUOIN_ROLE: 'worker' } })
      expect(await found('processes', env)).toEqual(['ok 2 processes run.'])
      await first.close()
      expect(await found('processes', env)).toEqual(['ok One process runs.'])
      await second.close()
      expect(await found('processes', env)).toEqual(['ok No process of Quoin runs.'])
    })

    test('a process of another version is a warning', async () => {
      const env = await settingsOn(kind)
      await migrateDatabase(readConfig(env))
      const settings = { 'QUOIN_THEMES 0.0.9': 'of another version' }
      await createServerPresence(databaseOf(env)).announce('other', { machine: 'a', role: 'all', settings })
      expect(await found('processes', env)).toEqual([
        `warning Running processes are of version 0.0.9, and this is ${version()}. Restart them with this version, or use the command of theirs.`,
      ])
    })

    test('work that is late, and work that failed, are warnings', async () => {
      const env = await settingsOn(kind)
      const service = await start(env)
      const project = await service.newProject()
      const page = (await service.call('POST', '/pages', pageBody(project))).body.data.id
      const due = Date.now() + HOUR_MS
      const publish_at = new Date(due).toISOString()
      expect((await service.call('POST', `/pages/${page}/publish`, { publish_at })).status).toBe(202)
      await service.close()
      expect(await found('work', env)).toEqual(['ok No work is late, and none has failed.'])
      expect(await found('work', env, { now: due + HOUR_MS })).toEqual([
        expect.stringMatching(
          /^warning Late jobs of the kind scheduled-publish: 1, the first due since .*Start a service/,
        ),
      ])
      await databaseOf(env)('jobs').update({ state: 'failed', finished_at: new Date().toISOString() })
      expect(await found('work', env)).toEqual([
        expect.stringMatching(
          /^warning Jobs that failed within 24 hours: 1\. quoin jobs list --state failed/,
        ),
      ])
    })

    test('mails that the mail server refused for good are a warning that says why', async () => {
      const env = await settingsOn(kind)
      await migrateDatabase(readConfig(env))
      expect(await found('mail', env)).toEqual([])
      const created_at = new Date().toISOString()
      const mail = {
        kind: 'set-up',
        language: 'en',
        about: '{}',
        attempts: 1,
        created_at,
        ended_at: created_at,
      }
      await databaseOf(env)('mails').insert([
        { ...mail, id: 'a', recipient: 'ada@example.com', problem: 'address_refused' },
        { ...mail, id: 'b', recipient: 'eve@example.com', problem: null },
      ])
      expect(await found('mail', env)).toEqual([
        expect.stringMatching(
          /^warning Mails that were given up within 24 hours: 1 \(address_refused\)\. The log/,
        ),
      ])
    })

    test('a publish whose files cannot be taken back is a warning', async () => {
      const env = await settingsOn(kind)
      const storage = createMemoryStorage()
      const isBroken = async () => {
        throw new Error('The store is out of order.')
      }
      const service = await start(env, { storage: { ...storage, put: isBroken, delete: isBroken } })
      const page = (await service.call('POST', '/pages', pageBody(await service.newProject()))).body.data.id
      expect((await service.call('POST', `/pages/${page}/publish`)).status).toBe(500)
      await service.close()
      expect(await found('work', env)).toContain(
        'warning Failed publishes that are still being reverted: 1. Check the store; the service tries again until it succeeds.',
      )
    })

    test('an account whose address another one has in another spelling is a warning with the command that merges them', async () => {
      const env = await settingsOn(kind)
      await migrateDatabase(readConfig(env))
      expect(await found('accounts', env)).toEqual(['ok Every account has an address of its own.'])
      const user = { email_key: 'ada@example.com', can_create_projects: false, created_at: '2026-03-01' }
      const [first, second] = ['a', 'b']
      await databaseOf(env)('users').insert([
        { ...user, id: first, email: 'ada@example.com', owns_address: true },
        { ...user, id: second, email: 'Ada@example.com', owns_address: false },
      ])
      expect(await found('accounts', env)).toEqual([
        `warning The account usr_${second} has the address Ada@example.com, which another account has in another spelling. Its password is refused; passkeys and set-up links are not. quoin users merge usr_${second} Ada@example.com gives its projects, memberships and keys to the other account.`,
      ])
    })

    test('a domain that was not proved is a warning with the command that checks it', async () => {
      const env = await settingsOn(kind)
      const proof = { QUOIN_DOMAIN_PROOF: 'on' } as const
      const api = await start(env, { env: { ...proof, QUOIN_ROLE: 'api' } })
      const project = await api.newProject()
      await api.call('PUT', `/projects/${project}`, { domain: 'docs.acme.com' })
      const pending = `warning docs.acme.com of ${project} is pending.`
      const remedy = 'quoin domains verify docs.acme.com checks it again.'
      expect(await found('domains', env)).toEqual([`${pending} It was not checked yet. ${remedy}`])
      const problem = 'There is no TXT record.'
      await start(env, { env: { ...proof, QUOIN_ROLE: 'worker' }, proveDomain: async () => ({ problem }) })
      await expect.poll(() => found('domains', env)).toEqual([`${pending} ${problem} ${remedy}`])
    })
  })

describe('a SQLite database', () => {
  test('is said to be missing when it does not exist, and the folder is left empty', async () => {
    const data = await temporaryFolder()
    expect(await found('database', { QUOIN_DATA: data })).toEqual([
      expect.stringMatching(/^warning There is no database at .* quoin serve creates it\./),
    ])
    expect(await readdir(data)).toEqual([])
  })

  test('is an error when the file is no database or is damaged', async () => {
    const data = await temporaryFolder()
    const file = join(data, 'quoin.db')
    await writeFile(file, 'this is a text, and no database'.repeat(100))
    expect(await found('database', { QUOIN_DATA: data })).toEqual([
      expect.stringMatching(/^error QUOIN_DATABASE_URL: .*not a database/),
    ])
    const damaged = await installation()
    await change(
      damaged,
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
       INSERT INTO users (id, email, email_key, can_create_projects, created_at)
        SELECT i, i || '@example.com', i || '@example.com', 0, '' FROM n`,
    )
    const descriptor = openSync(join(damaged, 'quoin.db'), 'r+')
    writeSync(
      descriptor,
      Buffer.alloc(20_000, 0xa5),
      0,
      20_000,
      statSync(join(damaged, 'quoin.db')).size - 20_000,
    )
    expect(await found('database', { QUOIN_DATA: damaged })).toEqual([
      expect.stringMatching(
        /^error SQLite at .* does not work: The database file is damaged: users: \S.*\(and \d+ more\)\. Restore a backup: quoin restore\.$/,
      ),
    ])
  })
})

describe('the file of the master key', () => {
  test('is created by the first start, must be private, and is not created again when it was lost', async () => {
    const env = await settingsOn('SQLite')
    const { QUOIN_DATA: data } = env
    await migrateDatabase(readConfig(env))
    expect(await found('keys', env)).toEqual(['ok There is no master key yet. The first start creates it.'])
    const service = await start(env, { env: { QUOIN_WEBHOOK_ALLOW_PRIVATE: 'true' } })
    const project = await service.newProject()
    await service.call('POST', `/projects/${project}/webhooks`, { url: 'http://127.0.0.1:9/hook' })
    await service.close()
    await chmod(join(data, 'master.key'), 0o644)
    expect(await found('keys', env)).toEqual([
      expect.stringMatching(/^warning Other users of this machine can read .*master\.key\. Run chmod 600/),
    ])
    await rm(join(data, 'master.key'))
    expect(await found('keys', env)).toEqual([
      expect.stringMatching(
        /^error QUOIN_MASTER_KEY: the file .* is missing, and the database holds the webhook secrets/,
      ),
    ])
    expect(await readdir(data)).not.toContain('master.key')
  })
})

describe.skipIf(programs === null)('a PostgreSQL database', () => {
  test('has a clock that is compared with that of the machine', async () => {
    const env = await settingsOn('PostgreSQL')
    await start(env)
    expect(await found('clock', env)).toEqual([expect.stringMatching(/^ok .* differ by \d+ s\.$/)])
    expect(await found('clock', env, { now: Date.now() + HOUR_MS })).toEqual([
      expect.stringMatching(/^error .* differ by 3[56]\d\d s; a minute is allowed\. Set both by NTP\.$/),
    ])
  })

  test('is an error without the password when its server does not answer', async () => {
    const env: Env = {
      QUOIN_DATA: await temporaryFolder(),
      QUOIN_DATABASE_URL: 'postgres://quoin:secret@127.0.0.1:1/quoin',
    }
    expect(await found('database', env)).toEqual([
      expect.stringMatching(/^error QUOIN_DATABASE_URL: 127\.0\.0\.1:1\/quoin cannot be used: (?!.*secret)/),
    ])
  })

  test('in another encoding is an error with the statement that creates one that can be used', async () => {
    const env = await settingsOn('PostgreSQL')
    const client = new pg.Client(server.url)
    await client.connect()
    await client.query(`CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0`)
    await client.end()
    const QUOIN_DATABASE_URL = server.url.replace(/\/postgres$/, '/latin')
    expect(await found('database', { ...env, QUOIN_DATABASE_URL })).toEqual([
      expect.stringMatching(/^error .* has the encoding LATIN1\. Create one with UTF8: CREATE DATABASE/),
    ])
  })

  test('without a master key in the settings is an error', async () => {
    const { QUOIN_MASTER_KEY: _, ...env } = { QUOIN_MASTER_KEY: '', ...(await settingsOn('PostgreSQL')) }
    await migrateDatabase(readConfig(env))
    expect(await found('keys', env)).toEqual([
      expect.stringMatching(/^error QUOIN_MASTER_KEY: must be set with PostgreSQL, to the same key for all/),
    ])
  })

  test('is an error that does not ask for a backup when it accepts no writes', async () => {
    const env = await settingsOn('PostgreSQL')
    await migrateDatabase(readConfig(env))
    const url = new URL(env.QUOIN_DATABASE_URL)
    const options = `${url.searchParams.get('options')} -c default_transaction_read_only=on`
    url.searchParams.set('options', options)
    const QUOIN_DATABASE_URL = url.href.replaceAll('+', '%20')
    expect(await found('database', { ...env, QUOIN_DATABASE_URL })).toEqual([
      expect.stringMatching(
        /^error PostgreSQL .* does not work: The server accepts no writes: transaction_read_only is on\. Check that the server accepts writes/,
      ),
    ])
  })

  test('is a warning when it allows fewer connections than a process uses', async () => {
    const small = await startPostgres(programs ?? '', ['max_connections=12'])
    onTestFinished(() => small.stop())
    const env = { ...(await settingsOn('PostgreSQL')), QUOIN_DATABASE_URL: small.url }
    await migrateDatabase(readConfig(env))
    expect(await found('database', env)).toEqual([
      'warning PostgreSQL allows 9 connections, and this process uses up to 14. Raise max_connections, or put PgBouncer in between.',
      expect.stringMatching(/^ok PostgreSQL /),
    ])
  })
})

testEveryFinding('stored-state.ts', ['Tables that are too large'])
