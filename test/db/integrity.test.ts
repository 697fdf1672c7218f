import { openSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate.ts'
import { openSqlite } from '../../src/db/sqlite.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

async function opened() {
  const file = join(await temporaryFolder(), 'quoin.db')
  const connections = openSqlite(file)
  await migrate(connections.writer)
  await connections.writer.raw(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
     INSERT INTO users (id, email, email_key, can_create_projects, created_at)
        SELECT i, i || '@example.com', i || '@example.com', 0, '' FROM n`,
  )
  await connections.writer.raw('PRAGMA wal_checkpoint(TRUNCATE)')
  const db = createDatabase(connections)
  onTestFinished(() => db.close())
  return { file, db, connections }
}

/** Overwrites the last pages of the file, as a broken disk does. */
function damage(file: string): void {
  const descriptor = openSync(file, 'r+')
  writeSync(descriptor, Buffer.alloc(20_000, 0xa5), 0, 20_000, statSync(file).size - 20_000)
}

test('a sound database is ready, and the check of its file finds nothing', async () => {
  const { db } = await opened()
  expect(await db.checkFile()).toEqual([])
  await db.check(1_000)
})

test('damage that no query has met is found by the check of the file, past the cache', async () => {
  const { file, db } = await opened()
  await db.read.users.list()
  damage(file)
  await db.check(1_000)
  await db.checkFile()
  await expect(db.check(1_000)).rejects.toThrow('The database file is damaged')
})

test('damage that a query meets is reported from then on', async () => {
  const { file, connections } = await opened()
  const later = openSqlite(file)
  onTestFinished(async () => {
    await Promise.all([later.writer.destroy(), later.reader.destroy()])
  })
  damage(file)
  expect(later.integrity.fault()).toBeNull()
  await later
    .reader('users')
    .select('*')
    .catch(() => {})
  await later.reader.raw('SELECT count(*) FROM users INDEXED BY users_email_unique').catch(() => {})
  expect(later.integrity.fault()).toContain('malformed')
  expect(connections.integrity.fault()).toBeNull()
})

test('a database that cannot be written is not ready', async () => {
  const { file, db } = await opened()
  const other = openSqlite(file)
  onTestFinished(async () => {
    await Promise.all([other.writer.destroy(), other.reader.destroy()])
  })
  const held = await other.writer.transaction()
  await expect(db.check(100)).rejects.toThrow('within 0.1 s')
  await held.rollback()
  await db.check(5_000)
})
