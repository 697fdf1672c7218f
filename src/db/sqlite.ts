import { createRequire } from 'node:module'
import knex, { type Knex } from 'knex'

/** How long a connection waits for another process's lock before it gives up. */
const BUSY_TIMEOUT_MS = 10_000
const READERS = 4

export interface SqliteConnections {
  /** The only connection that writes; its transactions are IMMEDIATE. */
  readonly writer: Knex
  /** Connections that cannot write, so that a read never waits behind a write. */
  readonly reader: Knex
}

/**
 * Open one SQLite file, made when it is not there yet. Nothing is read before the first query.
 *
 * @throws {Error} when the native module cannot be loaded.
 */
export function openSqlite(filename: string): SqliteConnections {
  // Knex would log a stack first.
  createRequire(import.meta.url)('sqlite3')
  const open = (pool: { min: number; max: number }, pragmas: readonly string[]) =>
    knex({
      client: immediateClient(),
      connection: { filename },
      useNullAsDefault: true,
      acquireConnectionTimeout: 30_000,
      pool: { ...pool, afterCreate: runAll(pragmas) },
    })

  const shared = [
    `PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`,
    'PRAGMA foreign_keys = ON',
    'PRAGMA cache_size = -65536',
  ]
  return {
    writer: open({ min: 1, max: 1 }, [...shared, 'PRAGMA journal_mode = WAL', 'PRAGMA synchronous = FULL']),
    reader: open({ min: 0, max: READERS }, [...shared, 'PRAGMA query_only = ON']),
  }
}

type Connection = { exec(sql: string, done: (error: Error | null) => void): void }

function runAll(statements: readonly string[]) {
  return (connection: Connection, done: (error: Error | null, connection: Connection) => void) => {
    connection.exec(statements.join(';'), (error) => done(error, connection))
  }
}

/**
 * Knex's SQLite client with transactions that take the write lock at once: a plain BEGIN lets two
 * transactions read and then fails one of them when both want to write.
 */
function immediateClient(): typeof Knex.Client {
  const require = createRequire(import.meta.url)
  const Client = require('knex/lib/dialects/sqlite3/index.js')
  const Transaction = require('knex/lib/dialects/sqlite3/execution/sqlite-transaction.js')

  class ImmediateTransaction extends Transaction {
    begin(connection: Connection) {
      return this['query'](connection, 'BEGIN IMMEDIATE;')
    }
  }
  return class ImmediateClient extends Client {
    transaction(...options: unknown[]) {
      return Reflect.construct(ImmediateTransaction, [this, ...options])
    }
  } as unknown as typeof Knex.Client
}
