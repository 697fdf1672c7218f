import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { migrate } from '../../src/db/migrate.ts'
import { openSqlite, type SqliteConnections } from '../../src/db/sqlite.ts'
import type { SqliteDriver } from '../../src/db/sqlite-drivers/driver.ts'
import { fallbackOn } from '../../src/platform/fs-errors.ts'
import { temporaryFolder } from './temporary-folder.ts'

let migrated: Promise<Buffer> | null = null

/** A new, migrated database in a folder that is removed after the test. */
export async function newDatabase(driver?: SqliteDriver): Promise<SqliteConnections> {
  const file = join(await temporaryFolder(), 'quoin.db')
  await putNewDatabase(file)
  return openSqlite(file, driver)
}

/**
 * Puts a migrated database where there is none, as a copy: migrating takes most of the time of a first start. A
 * folder that is missing or not private stays as it is, because the service itself creates it or makes it private.
 */
export async function putNewDatabase(file: string): Promise<void> {
  const folder = await fallbackOn(['ENOENT'], stat(dirname(file)), null)
  if (folder === null || (folder.mode & 0o077) !== 0) return
  migrated ??= migratedDatabase()
  await fallbackOn(['EEXIST'], writeFile(file, await migrated, { flag: 'wx', mode: 0o600 }), undefined)
}

async function migratedDatabase(): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'quoin-new-'))
  const file = join(folder, 'quoin.db')
  const connections = openSqlite(file)
  await migrate(connections.writer)
  await connections.close()
  const bytes = await readFile(file)
  await rm(folder, { recursive: true })
  return bytes
}
