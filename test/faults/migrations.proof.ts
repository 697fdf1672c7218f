import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Connections } from '../../src/db/connections.ts'
import { openPostgres } from '../../src/db/postgres.ts'
import { openSqlite } from '../../src/db/sqlite.ts'
import { createEarlyDatabase } from '../support/early-database.ts'
import { LONG_FORM } from '../support/long-form.ts'
import { createSchema, type PostgresServer, postgresPrograms, startPostgres } from '../support/postgres.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { LONG, LONG_TIMEOUT_MS } from './long-form.ts'
import { migrateUntil } from './victim.ts'

/** As shares of all statements: the first, the last, and between. */
const SHARES = LONG === null ? [0, 0.5, 1] : [0, 0.02, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 1]
const RUNS = LONG === null ? 1 : LONG.runs

test.runIf(LONG_FORM)(
  `a database whose migration died at any of ${SHARES.length} points is migrated by the next start`,
  async () => {
    const whole = await temporaryFolder()
    const statements = await migrateUntil(whole, null)
    expect(statements).toBeGreaterThan(20)
    const schema = await schemaOf(whole)

    for (let run = 0; run < RUNS; run++) {
      const died = SHARES.map(async (share) => {
        const data = await temporaryFolder()
        const point = `statement ${1 + Math.round(share * (statements - 1))}`
        expect(await migrateUntil(data, point), point).toBe(0)
        expect(await migrateUntil(data, null), point).toBeGreaterThan(0)
        expect(await schemaOf(data), point).toEqual(schema)
      })
      await Promise.all(died)
    }
    if (LONG !== null)
      console.log(`migrations: ${RUNS * SHARES.length} deaths, all migrated by the next start.`)
  },
  LONG_TIMEOUT_MS,
)

test('two processes that migrate a new database concurrently both succeed', async () => {
  const data = await temporaryFolder()
  const statements = await Promise.all([1, 2, 3].map(() => migrateUntil(data, null)))
  expect(statements.filter((count) => count === 0)).toEqual([])
})

describe('processes that open a SQLite database of before the baseline', () =>
  testEarlyDatabase(async () => {
    const data = await temporaryFolder()
    return { data, url: '', open: () => openSqlite(join(data, 'quoin.db')) }
  }))

const programs = postgresPrograms()

describe.skipIf(programs === null)('processes that open a PostgreSQL database of before the baseline', () => {
  let server: PostgresServer
  let created = 0
  beforeAll(async () => {
    server = await startPostgres(programs ?? '')
  })
  afterAll(() => server.stop())

  testEarlyDatabase(async () => {
    const url = await createSchema(server.url, `early_${++created}`)
    return { data: await temporaryFolder(), url, open: () => openPostgres(url) }
  })
})

interface Place {
  readonly data: string
  /** Empty for a file in the data folder. */
  readonly url: string
  readonly open: () => Connections
}

function testEarlyDatabase(create: () => Promise<Place>): void {
  const early = async () => {
    const place = await create()
    const { writer, close } = place.open()
    await createEarlyDatabase(writer)
    await close()
    return place
  }
  const foundIn = async ({ open }: Place) => {
    const { writer, close } = open()
    const [recorded, pages] = [
      await writer('knex_migrations').orderBy('id').pluck('name'),
      await writer('pages').orderBy('id').select('id', 'created_by'),
    ]
    await close()
    return { recorded, pages }
  }
  const replaced = {
    recorded: expect.arrayContaining(['001-baseline', '002-previous-addresses']),
    pages: [
      { id: 'a', created_by: 'owner' },
      { id: 'b', created_by: 'editor' },
    ],
  }

  test('replace its record once, however many there are', async () => {
    const place = await early()
    const statements = await Promise.all([1, 2, 3].map(() => migrateUntil(place.data, null, place.url)))
    expect(statements.filter((count) => count === 0)).toEqual([])
    const found = await foundIn(place)
    expect(found).toEqual(replaced)
    expect(new Set(found.recorded).size).toBe(found.recorded.length)
  })

  test('leave it as it was when they die, and the next start replaces its record', async () => {
    const whole = await early()
    const statements = await migrateUntil(whole.data, null, whole.url)
    const shares = LONG_FORM ? Array.from({ length: statements }, (_, n) => n / (statements - 1)) : SHARES
    for (const share of shares) {
      const place = await early()
      const before = await foundIn(place)
      const point = `statement ${1 + Math.round(share * (statements - 1))}`
      expect(await migrateUntil(place.data, point, place.url), point).toBe(0)
      expect(await foundIn(place), point).toEqual(before)
      expect(await migrateUntil(place.data, null, place.url), point).toBeGreaterThan(0)
      expect(await foundIn(place), point).toEqual(replaced)
    }
  })
}

async function schemaOf(data: string): Promise<readonly unknown[]> {
  const { writer, reader } = openSqlite(join(data, 'quoin.db'))
  try {
    return [
      await reader('sqlite_master').orderBy('name').select('type', 'name', 'sql'),
      await reader('knex_migrations').pluck('name'),
    ]
  } finally {
    await Promise.all([writer.destroy(), reader.destroy()])
  }
}
