import { access, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SqliteConnection, SqliteDriver } from '../../src/db/sqlite-drivers/driver.ts'
import { createStatements } from '../../src/db/statements.ts'
import { sqliteDrivers } from '../support/sqlite-drivers.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const drivers = sqliteDrivers()

/** Runs work on a connection to a new file, and closes it. */
async function withConnection<T>(
  driver: SqliteDriver,
  work: (connection: SqliteConnection, file: string) => Promise<T>,
): Promise<T> {
  const file = join(await temporaryFolder(), 'test.db')
  const connection = await driver.open(file, 'create')
  try {
    return await work(connection, file)
  } finally {
    await promisify(connection.close.bind(connection))()
  }
}

async function all(
  connection: SqliteConnection,
  sql: string,
  values: readonly unknown[] = [],
): Promise<readonly Record<string, unknown>[]> {
  const statements = createStatements(connection)
  try {
    const { rows } = await statements.execute('all', sql, values)
    return rows as readonly Record<string, unknown>[]
  } finally {
    await statements.close()
  }
}

describe.each([...drivers])('a connection of $name', (driver) => {
  test('returns the id of a new row, the number of changed ones, and bytes as a Buffer', () =>
    withConnection(driver, async (connection) => {
      await all(connection, 'CREATE TABLE t (id INTEGER PRIMARY KEY, bytes BLOB)')
      const statements = createStatements(connection)
      const insert = 'INSERT INTO t (bytes) VALUES (?)'
      await statements.execute('run', insert, [Buffer.from([0, 255])])
      expect(await statements.execute('run', insert, [null])).toMatchObject({ lastID: 2, changes: 1 })
      expect(await statements.execute('run', 'UPDATE t SET bytes = ?', ['x'.repeat(20_000)])).toMatchObject({
        changes: 2,
      })
      await statements.execute('run', 'UPDATE t SET bytes = ? WHERE id = ?', [Buffer.from([7]), 1])
      const [row] = await all(connection, 'SELECT bytes FROM t WHERE id = 1')
      expect(row?.['bytes']).toEqual(Buffer.from([7]))
      await statements.close()
    }))

  test('fails with the code of SQLite, and goes on', () =>
    withConnection(driver, async (connection, file) => {
      await all(connection, 'CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT UNIQUE)')
      await all(connection, "INSERT INTO t VALUES (1, 'a')")
      await expect(all(connection, "INSERT INTO t VALUES (2, 'a')")).rejects.toMatchObject({
        code: 'SQLITE_CONSTRAINT',
        message: 'SQLITE_CONSTRAINT: UNIQUE constraint failed: t.name',
      })
      await expect(all(connection, 'SELECT * FROM missing')).rejects.toMatchObject({ code: 'SQLITE_ERROR' })
      await expect(promisify(connection.exec.bind(connection))('NOT SQL')).rejects.toMatchObject({
        code: 'SQLITE_ERROR',
      })

      const other = await driver.open(file, 'existing')
      await all(other, 'PRAGMA busy_timeout = 1')
      await all(connection, 'BEGIN IMMEDIATE')
      await expect(all(other, 'BEGIN IMMEDIATE')).rejects.toMatchObject({ code: 'SQLITE_BUSY' })
      await all(connection, 'COMMIT')
      await all(other, 'BEGIN IMMEDIATE')
      await promisify(other.close.bind(other))()
      expect(await all(connection, 'SELECT name FROM t')).toEqual([{ name: 'a' }])
    }))

  test('is refused for a file that is no database, or not there, which it does not create', async () => {
    const folder = await temporaryFolder()
    await expect(driver.open(join(folder, 'missing.db'), 'existing')).rejects.toMatchObject({
      code: 'SQLITE_CANTOPEN',
    })
    await expect(access(join(folder, 'missing.db'))).rejects.toThrow()
    await writeFile(join(folder, 'text.db'), 'not a database'.repeat(100))
    const connection = await driver.open(join(folder, 'text.db'), 'existing')
    await expect(all(connection, 'SELECT * FROM sqlite_master')).rejects.toMatchObject({
      code: 'SQLITE_NOTADB',
    })
    await promisify(connection.close.bind(connection))()
  })

  test('copies a database that another one writes to, as it is at one moment', () =>
    withConnection(driver, async (connection, file) => {
      await all(connection, 'PRAGMA journal_mode = WAL')
      await all(connection, 'CREATE TABLE t (n INTEGER)')
      await all(
        connection,
        'WITH RECURSIVE s(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM s WHERE n < 5000) INSERT INTO t SELECT n FROM s',
      )
      const to = `${file}.copy`
      await writeFile(to, '')
      const source = await driver.open(file, 'existing')
      const copied = source.copyTo(to)
      await all(connection, 'DELETE FROM t WHERE n > 100')
      await copied
      await promisify(source.close.bind(source))()
      const copy = await driver.open(to, 'existing')
      const [count] = await all(copy, 'SELECT count(*) AS n FROM t')
      expect([100, 5000]).toContain(count?.['n'])
      await promisify(copy.close.bind(copy))()
    }))
})

test.skipIf(drivers.length < 2)('every value is written and read alike by all drivers', async () => {
  const value = fc.oneof(
    fc.constant(null),
    fc.constant(undefined),
    fc.boolean(),
    fc.integer(),
    fc.integer({ min: -1e12, max: 1e12 }),
    // Of others, versions of SQLite write different numbers of digits as text.
    fc.integer().map((number) => number / 8),
    fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0')),
    fc.uint8Array().map((bytes) => Buffer.from(bytes)),
  )
  const read = (driver: SqliteDriver, values: readonly unknown[]) =>
    withConnection(driver, async (connection) => {
      await all(connection, 'CREATE TABLE t (i INTEGER, r REAL, t TEXT, b BLOB, n)')
      for (const one of values)
        await all(connection, 'INSERT INTO t VALUES (?, ?, ?, ?, ?)', Array(5).fill(one))
      const rows = await all(
        connection,
        'SELECT *, typeof(i), typeof(r), typeof(t), typeof(b), typeof(n) FROM t',
      )
      const [first] = await all(
        connection,
        'SELECT ? AS v, typeof(?) AS type, ? || ? AS text',
        Array(4).fill(values[0]),
      )
      return [...rows, first]
    })
  await fc.assert(
    fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 20 }), async (values) => {
      const [expected, ...others] = await Promise.all(drivers.map((driver) => read(driver, values)))
      for (const other of others) expect(other).toEqual(expected)
    }),
    { numRuns: 50 },
  )
})
