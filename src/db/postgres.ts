import { createRequire } from 'node:module'
import knex, { type Knex } from 'knex'
import pg from 'pg'
import { type Connections, NO_LOG } from './connections.ts'
import { rowsOf } from './dialect.ts'
import { readsOfReplica } from './late-reads.ts'
import { withRetryAfter } from './postgres-errors.ts'
import { postgresTransactions } from './postgres-transactions.ts'

/** How long a query waits for a connection of its pool. */
const ACQUIRE_MS = 10_000
const CONNECT_MS = 3_000
/** An answer that takes longer does not come: the server, or the way to it, is gone. */
const ANSWER_MS = 35_000
/** Reads have their own, so that a read within the time of a transaction never waits for transactions. */
const WRITERS = 8
const READERS = 6
/** What a process uses at most. */
export const CONNECTIONS_PER_PROCESS = WRITERS + READERS

/**
 * Opens a PostgreSQL database lazily: the first query connects.
 *
 * @param url `postgres://user:password@host:port/database`.
 * @param replicaUrl of a copy that follows it; null for none.
 */
export function openPostgres(url: string, replicaUrl: string | null = null): Connections {
  const writer = openPool(url, { max: WRITERS, answerMs: ANSWER_MS })
  const reader = openPool(url, { max: READERS, answerMs: ANSWER_MS })
  const transact = postgresTransactions(writer)
  const replica = replicaUrl === null ? null : openPool(replicaUrl, { max: READERS, answerMs: ANSWER_MS })
  return {
    writer,
    transact,
    reader,
    late: replica === null ? (read) => read(reader) : readsOfReplica(replica, reader),

    async check(timeoutMs) {
      await reader.raw('SELECT 1')
      // A transaction without a change has nothing to write to disk, and no row of its own to change: a message makes one.
      // A read-only transaction may send one: the server itself, or its provider when the disk is full, allows only those.
      const [row] = rowsOf<{ readonly read_only: string }>(
        await transact(
          (trx) =>
            trx.raw(
              "SELECT current_setting('transaction_read_only') AS read_only, pg_logical_emit_message(true, 'quoin', 'check')",
            ),
          timeoutMs,
        ),
      )
      if (row?.read_only !== 'off')
        throw new Error('The server accepts no writes: transaction_read_only is on.')
    },

    checkFile: async () => [],

    async close() {
      await Promise.all([reader.destroy(), writer.destroy(), replica?.destroy()])
    },
  }
}

/** @param options.answerMs how long an answer may take; absent for any time. */
export function openPool(
  url: string,
  { max, answerMs }: { readonly max: number; readonly answerMs?: number },
): Knex {
  return knex({
    client: bytewiseClient(),
    connection: {
      connectionString: url,
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
      application_name: 'quoin',
      types: { getTypeParser },
      ...(answerMs !== undefined && { query_timeout: answerMs }),
    },
    acquireConnectionTimeout: ACQUIRE_MS,
    pool: { min: 0, max },
    log: NO_LOG,
  })
}

/**
 * Knex's client with three changes. Text columns are compared byte by byte, as in SQLite, whatever the locale of the
 * database is: ranges of keys and the order of lists rely on it. Errors that pass by themselves say so. And statements with
 * a name are prepared only on connections to the server itself: a pooler may run each on another connection.
 */
function bytewiseClient(): typeof Knex.Client {
  const Client = createRequire(import.meta.url)('knex/lib/dialects/postgres/index.js')
  const direct = new WeakSet<object>()
  return class BytewiseClient extends Client {
    columnCompiler(...given: unknown[]) {
      return Object.assign(super.columnCompiler(...given), {
        varchar: (length = 255) => `varchar(${length}) COLLATE "C"`,
        text: 'text COLLATE "C"',
      })
    }

    async acquireRawConnection() {
      const connection: pg.Client & { readonly processID: number } = await super.acquireRawConnection()
      // A pooler invents the number that cancels queries.
      const { rows } = await connection.query('SELECT pg_backend_pid() AS id')
      if (rows[0].id === connection.processID) direct.add(connection)
      return connection
    }

    async query(connection: object, query: string | { readonly options?: object }) {
      const isPlain = typeof query === 'string' || direct.has(connection)
      return super.query(connection, isPlain ? query : { ...query, options: undefined }).catch(rethrown)
    }

    async acquireConnection() {
      return super.acquireConnection().catch(rethrown)
    }
  } as unknown as typeof Knex.Client
}

function rethrown(error: unknown): never {
  throw withRetryAfter(error)
}

/** Counts and sums are numbers: no column of Quoin holds one beyond 2^53. */
const NUMERIC_TYPES: ReadonlySet<number> = new Set([pg.types.builtins.INT8, pg.types.builtins.NUMERIC])

function getTypeParser(id: number, format: string): (text: string) => unknown {
  return NUMERIC_TYPES.has(id) ? Number : pg.types.getTypeParser(id, format as 'text')
}
