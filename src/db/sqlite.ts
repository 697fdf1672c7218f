import { createRequire } from 'node:module'
import knex, { type Knex } from 'knex'
import { type Connections, NO_LOG } from './connections.ts'
import { groupCommit } from './group-commit.ts'
import { createIntegrity, type Integrity } from './integrity.ts'
import type { SqliteConnection, SqliteDriver } from './sqlite-drivers/driver.ts'
import { loadSqliteDriver } from './sqlite-drivers/load-driver.ts'
import { createStatements, type Statements } from './statements.ts'
import { LOCK_ATTEMPT_MS } from './write-lock.ts'

/**
 * Longest wait of a read for the lock of another process. Other writers do not block reads; recovery after a crash
 * does.
 */
const READ_LOCK_MS = 5_000
/** Longest wait of a query for a connection of its pool. A read therefore fails within 15 s, as a write does. */
const ACQUIRE_MS = 10_000
const READERS = 4

export interface SqliteConnections extends Connections {
  readonly driver: SqliteDriver['name']
  readonly integrity: Integrity
}

/**
 * Opens a SQLite file lazily: the first query connects, and creates the file if it does not exist.
 *
 * @throws {Error} when no module for SQLite can be loaded.
 */
export function openSqlite(filename: string, driver: SqliteDriver = loadSqliteDriver()): SqliteConnections {
  const open = (pool: { min: number; max: number }, pragmas: readonly string[]): Knex =>
    knex({
      client: immediateClient(driver, (error) => integrity.observe(error)),
      connection: { filename },
      useNullAsDefault: true,
      acquireConnectionTimeout: ACQUIRE_MS,
      log: NO_LOG,
      pool: { ...pool, afterCreate: runAll(pragmas) },
    })

  const shared = ['PRAGMA foreign_keys = ON', 'PRAGMA cache_size = -65536']
  // A small cache, so that a check reads the file.
  const integrity = createIntegrity(
    () => open({ min: 0, max: 1 }, ['PRAGMA query_only = ON', 'PRAGMA cache_size = -1024']),
    driver.canInterrupt,
  )
  // The only writing connection. Its transactions are IMMEDIATE.
  const writer = open({ min: 1, max: 1 }, [
    `PRAGMA busy_timeout = ${LOCK_ATTEMPT_MS}`,
    ...shared,
    'PRAGMA journal_mode = WAL',
    'PRAGMA synchronous = FULL',
    // For the statement journals of savepoints.
    'PRAGMA temp_store = MEMORY',
  ])
  const transact = groupCommit(writer)
  const reader = open({ min: 0, max: READERS }, [
    `PRAGMA busy_timeout = ${READ_LOCK_MS}`,
    ...shared,
    'PRAGMA query_only = ON',
  ])
  return {
    driver: driver.name,
    writer,
    transact,
    reader,
    late: (read) => read(reader),
    integrity,

    async check(timeoutMs) {
      const fault = integrity.fault()
      if (fault !== null) throw new Error(`The database file is damaged: ${fault}`)
      await reader.raw('SELECT 1')
      // A commit of the first page, although the value stays the same. Nothing else uses it.
      await transact((trx) => trx.raw('PRAGMA user_version = 0'), timeoutMs)
    },

    checkFile: () => integrity.check(),

    async close() {
      integrity.stop()
      await Promise.all([reader.destroy(), writer.destroy()])
    },
  }
}

function runAll(statements: readonly string[]) {
  return (
    connection: SqliteConnection,
    done: (error: Error | null, connection: SqliteConnection) => void,
  ) => {
    connection.exec(statements.join(';'), (error) => done(error, connection))
  }
}

/**
 * Knex's SQLite client with three changes. It connects through a driver of ours. Transactions take the write lock at BEGIN: with a plain BEGIN, two
 * transactions can both read, and one of them fails when both write. And prepared statements are cached: Knex would
 * prepare each statement for every execution.
 *
 * @param onError called with the error of each failed statement.
 */
function immediateClient(driver: SqliteDriver, onError: (error: unknown) => void): typeof Knex.Client {
  const require = createRequire(import.meta.url)
  const Client = require('knex/lib/dialects/sqlite3/index.js')
  const Transaction = require('knex/lib/dialects/sqlite3/execution/sqlite-transaction.js')

  class ImmediateTransaction extends Transaction {
    /** Unlike `query`, this rejects on failure, so that Knex does not run the work outside of a transaction. */
    begin(connection: SqliteConnection) {
      return this['trxClient'].query(connection, 'BEGIN IMMEDIATE;')
    }
  }
  const statements = new WeakMap<SqliteConnection, Statements>()
  const statementsOf = (connection: SqliteConnection) => {
    const cached = statements.get(connection) ?? createStatements(connection)
    statements.set(connection, cached)
    return cached
  }

  return class ImmediateClient extends Client {
    _driver() {
      return driver
    }

    acquireRawConnection() {
      return driver.open(this['connectionSettings'].filename, 'create')
    }

    /** Runs a query like Knex's own method, which selects the kind of result by the query's method. */
    async _query(connection: SqliteConnection, query: Query): Promise<Query> {
      if (query.sql === '') throw new Error('The query is empty.')
      const statement = statementsOf(connection)
      try {
        const { rows, ...context } = await statement.execute(callOf(query), query.sql, query.bindings ?? [])
        return Object.assign(query, { response: rows, context })
      } catch (error) {
        onError(error)
        throw error
      }
    }

    async destroyRawConnection(connection: SqliteConnection) {
      await statementsOf(connection).close()
      return super.destroyRawConnection(connection)
    }

    transaction(...options: unknown[]) {
      return Reflect.construct(ImmediateTransaction, [this, ...options])
    }
  } as unknown as typeof Knex.Client
}

/** A query object of Knex. The client also stores the response in it. */
interface Query {
  readonly sql: string
  readonly bindings?: readonly unknown[]
  readonly method?: string
  readonly returning?: unknown
}

function callOf({ method, returning }: Query): 'all' | 'run' {
  if (method === 'insert' || method === 'update') return returning ? 'all' : 'run'
  return method === 'counter' || method === 'del' ? 'run' : 'all'
}
