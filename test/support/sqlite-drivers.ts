import { createRequire, isBuiltin } from 'node:module'
import type { SqliteDriver } from '../../src/db/sqlite-drivers/driver.ts'
import { createNodeSqliteDriver } from '../../src/db/sqlite-drivers/node-sqlite.ts'
import { createSqlite3Driver } from '../../src/db/sqlite-drivers/sqlite3.ts'

/** Every driver for SQLite that works on this Node. */
export function sqliteDrivers(): readonly SqliteDriver[] {
  const sqlite3 = createSqlite3Driver(createRequire(import.meta.url)('sqlite3'))
  if (isBuiltin('node:sqlite')) return [sqlite3, createNodeSqliteDriver()]
  console.log(
    `Node ${process.versions.node} has no SQLite of its own; its driver is tested from Node 22.13 on.`,
  )
  return [sqlite3]
}
