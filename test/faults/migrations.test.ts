import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openSqlite } from '../../src/db/sqlite.ts'
import { LONG_FORM } from '../support/long-form.ts'
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
