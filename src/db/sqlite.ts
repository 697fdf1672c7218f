import { createRequire } from 'node:module'
import knex, { type Knex } from 'knex'
import { groupCommit, type Transact } from './group-commit.ts'
import { type Connection, createStatements, type Statements } from './statements.ts'

/** How long a connection waits for another process's lock before it gives up. */
const BUSY_TIMEOUT_MS = 10_000
const READERS = 4

export interface SqliteConnections {
  /** The only connection that writes; its transactions are IMMEDIATE. */
  readonly writer: Knex
  /** Its transactions. */
  readonly transact: Transact
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
  const writer = open({ min: 1, max: 1 }, [
    ...shared,
    'PRAGMA journal_mode = WAL',
    'PRAGMA synchronous = FULL',
    // What savepoints put aside.
    'PRAGMA temp_store = MEMORY',
  ])
  return {
    writer,
    transact: groupCommit(writer),
    reader: open({ min: 0, max: READERS }, [...shared, 'PRAGMA query_only = ON']),
  }
}

function runAll(statements: readonly string[]) {
  return (connection: Connection, done: (error: Error | null, connection: Connection) => void) => {
    connection.exec(statements.join(';'), (error) => done(error, connection))
  }
}

/**
 * Knex's SQLite client with transactions that take the write lock at once: a plain BEGIN lets two
 * transactions read and then fails one of them when both want to write. And with statements that are
 * kept: Knex would have each prepared anew, though many are asked again and again.
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
  const statements = new WeakMap<Connection, Statements>()
  const of = (connection: Connection) => {
    const known = statements.get(connection) ?? createStatements(connection)
    statements.set(connection, known)
    return known
  }

  return class ImmediateClient extends Client {
    /** As Knex's own does, which tells by the method what is to come back. */
    async _query(connection: Connection, query: Query): Promise<Query> {
      if (query.sql === '') throw new Error('The query is empty.')
      const { rows, ...told } = await of(connection).ask(askedBy(query), query.sql, query.bindings ?? [])
      return Object.assign(query, { response: rows, context: told })
    }

    async destroyRawConnection(connection: Connection) {
      await of(connection).end()
      return super.destroyRawConnection(connection)
    }

    transaction(...options: unknown[]) {
      return Reflect.construct(ImmediateTransaction, [this, ...options])
    }
  } as unknown as typeof Knex.Client
}

/** What Knex asks a client for; it looks there for the answer too. */
interface Query {
  readonly sql: string
  readonly bindings?: readonly unknown[]
  readonly method?: string
  readonly returning?: unknown
}

function askedBy({ method, returning }: Query): 'all' | 'run' {
  if (method === 'insert' || method === 'update') return returning ? 'all' : 'run'
  return method === 'counter' || method === 'del' ? 'run' : 'all'
}
