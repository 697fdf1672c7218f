import { join } from 'node:path'
import type { Knex } from 'knex'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Connections } from '../../src/db/connections.ts'
import { EARLY_MIGRATIONS } from '../../src/db/early-record.ts'
import { MIGRATIONS, migrate, pendingMigrations, unknownMigrations } from '../../src/db/migrate.ts'
import { openPostgres } from '../../src/db/postgres.ts'
import { createServerPresence } from '../../src/db/server-presence.ts'
import { openSqlite } from '../../src/db/sqlite.ts'
import { createEarlyDatabase } from '../support/early-database.ts'
import { createSchema, type PostgresServer, postgresPrograms, startPostgres } from '../support/postgres.ts'
import { schemaText } from '../support/schema-text.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const programs = postgresPrograms()
const SUCCESSORS = ['001-baseline', '002-previous-addresses']
const TOO_OLD = /belongs to an early snapshot of Quoin \(it lacks 074-push-conflicts\).*commit a744fa34/

describe('on SQLite', () =>
  testEarlyRecord(async () => {
    const file = join(await temporaryFolder(), 'quoin.db')
    return () => openSqlite(file)
  }))

describe.skipIf(programs === null)('on PostgreSQL', () => {
  let server: PostgresServer
  let created = 0
  beforeAll(async () => {
    server = await startPostgres(programs ?? '')
  })
  afterAll(() => server.stop())

  testEarlyRecord(async () => {
    const url = await createSchema(server.url, `early_${++created}`)
    return () => openPostgres(url)
  })
})

/** @param create returns a function that opens a new database, as often as it is called. */
function testEarlyRecord(create: () => Promise<() => Connections>): void {
  let open: () => Knex
  let db: Knex
  beforeEach(async () => {
    const connect = await create()
    open = () => {
      const { writer, close } = connect()
      onTestFinished(close)
      return writer
    }
    const { writer, close } = connect()
    db = writer
    await createEarlyDatabase(db)
    return close
  })

  const recorded = () => db('knex_migrations').orderBy('id').pluck<string[]>('name')
  const creators = () => db('pages').orderBy('id').pluck<string[]>('created_by')

  test('a database with all early migrations keeps its rows, and gets the record and schema of the baseline', async () => {
    expect(await pendingMigrations(db)).toEqual(MIGRATIONS.map(({ name }) => name))
    const [page] = await db('pages').where({ id: 'b' })
    expect(await migrate(db)).toEqual(MIGRATIONS.map(({ name }) => name).slice(SUCCESSORS.length))
    expect((await recorded()).slice(0, SUCCESSORS.length)).toEqual(SUCCESSORS)
    expect(await db('pages').where({ id: 'b' })).toEqual([page])
    expect(await pendingMigrations(db)).toEqual([])

    const fresh = (await create())()
    onTestFinished(fresh.close)
    await migrate(fresh.writer)
    expect(await schemaText(db)).toBe(await schemaText(fresh.writer))
  })

  test('pages without a creator get the owner of their project, unless a service has done so', async () => {
    await migrate(db)
    expect(await creators()).toEqual(['owner', 'editor'])
  })

  test('pages are not read again after a service gave all of them a creator', async () => {
    const at = '2026-01-01T00:00:00.000Z'
    await db('backfills').insert({ name: 'page-creators', examined: 2, started_at: at, finished_at: at })
    await migrate(db)
    expect(await creators()).toEqual([null, 'editor'])
  })

  test('a later migration runs after the record was replaced, while a server of before continues', async () => {
    await createServerPresence(db).announce('early', { machine: null, role: null, settings: null })
    const later = {
      name: '999-later',
      up: (trx: Knex) => trx.schema.createTable('later', (table) => void table.string('id').primary()),
    }
    expect(await migrate(db, [...MIGRATIONS, later])).toContain('999-later')
    expect(await recorded()).toEqual([...MIGRATIONS.map(({ name }) => name), '999-later'])
    expect(await db('later')).toEqual([])
  })

  test('a database that lacks an early migration is refused, and nothing of it changes', async () => {
    await db('knex_migrations').where({ name: '074-push-conflicts' }).delete()
    const before = [await recorded(), await schemaText(db), await db('pages').orderBy('id')]
    await expect(migrate(db)).rejects.toThrow(TOO_OLD)
    await expect(pendingMigrations(db)).rejects.toThrow(TOO_OLD)
    expect([await recorded(), await schemaText(db), await db('pages').orderBy('id')]).toEqual(before)
  })

  test('a database with another migration besides the early ones is refused', async () => {
    await db('knex_migrations').insert({ name: '079-other', batch: 9, migration_time: new Date() })
    const before = await recorded()
    await expect(migrate(db)).rejects.toThrow(/belongs to a newer version of Quoin \(it has .*079-other\)/)
    expect(await recorded()).toEqual(before)
  })

  test('connections that open the database at once replace its record once', async () => {
    const ran = await Promise.all([db, open(), open()].map((connection) => migrate(connection)))
    expect(ran.flat()).toEqual(MIGRATIONS.map(({ name }) => name).slice(SUCCESSORS.length))
    expect(await recorded()).toEqual(MIGRATIONS.map(({ name }) => name))
    expect(await creators()).toEqual(['owner', 'editor'])
  })
}

test('a backup of a database with the early migrations is known, and one that lacks some is too old', () => {
  expect(unknownMigrations(EARLY_MIGRATIONS)).toEqual([])
  const lacking = EARLY_MIGRATIONS.filter((name) => name !== '074-push-conflicts')
  expect(() => unknownMigrations(lacking)).toThrow(TOO_OLD)
  expect(() => unknownMigrations(EARLY_MIGRATIONS.slice(0, 26))).toThrow(/lacks \S+ and 24 more/)
})
