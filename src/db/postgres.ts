import { createRequire } from 'node:module'
import knex, { type Knex } from 'knex'
import pg from 'pg'
import { type Connections, NO_LOG } from './connections.ts'
import { rowsOf } from './dialect.ts'
import { readsOfReplica } from './late-reads.ts'
import { isReadOnly, withRetryAfter } from './postgres-errors.ts'
import { postgresTransactions } from './postgres-transactions.ts'

/** Longest wait of a query for a connection of its pool. */
const ACQUIRE_MS = 10_000
const CONNECT_MS = 3_000
/** An answer that takes longer does not come: the server, or the way to it, is lost. */
const ANSWER_MS = 35_000
/** Reads have their own, so that a read within the time of a transaction never waits for transactions. */
const WRITERS = 8
const READERS = 6
/** Most connections of a process. */
export const CONNECTIONS_PER_PROCESS = WRITERS + READERS

/**
 * Opens a PostgreSQL database lazily: the first query connects.
 *
 * @param url `postgres://user:password@host:port/database`.
 * @param replicaUrl of a copy that follows it; null for none.
 */
export function openPostgres(url: string, replicaUrl: string | null = null): Connections {
  const sessions = createSessions()
  const writer = openPool(url, { max: WRITERS, answerMs: ANSWER_MS, sessions })
  const reader = openPool(url, { max: READERS, answerMs: ANSWER_MS, sessions })
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
      if (row?.read_only === 'off') return
      sessions.giveUpAll()
      throw new Error('The server accepts no writes: transaction_read_only is on.')
    },

    checkFile: async () => [],

    async close() {
      await Promise.all([reader.destroy(), writer.destroy(), replica?.destroy()])
    },
  }
}

/** The sessions of several pools of one server that may still be used. */
interface Sessions {
  opened(connection: object): void
  isUsable(connection: object): boolean
  /** Gives up a session, and with it all that were opened before: they are at the same server. */
  giveUp(connection: object): void
  giveUpAll(): void
}

/** While a server takes no writes, all of its sessions are given up this often at most: reads would connect each time. */
const GIVE_UP_MS = 1_000

function createSessions(): Sessions {
  let generation = 0
  let givenUpAt = Number.NEGATIVE_INFINITY
  const generations = new WeakMap<object, number>()
  const giveUpAll = () => {
    if (performance.now() - givenUpAt < GIVE_UP_MS) return
    givenUpAt = performance.now()
    generation += 1
  }
  return {
    opened: (connection) => void generations.set(connection, generation),
    isUsable: (connection) => generations.get(connection) === generation,
    giveUp(connection) {
      generations.delete(connection)
      giveUpAll()
    },
    giveUpAll,
  }
}

/**
 * @param options.answerMs how long an answer may take; absent for any time.
 * @param options.sessions those of all pools of the server; absent for this pool alone.
 */
export function openPool(
  url: string,
  {
    max,
    answerMs,
    sessions = createSessions(),
  }: { readonly max: number; readonly answerMs?: number; readonly sessions?: Sessions },
): Knex {
  return knex({
    client: bytewiseClient(sessions),
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
 * Knex's client with four changes. Text columns are compared byte by byte, as in SQLite, whatever the locale of the
 * database is: ranges of keys and the order of lists rely on it. Errors that pass by themselves say so. Statements with
 * a name are prepared only on connections to the server itself: a pooler may run each on another connection. And a session
 * that has become read-only does not go back into the pool.
 */
function bytewiseClient(sessions: Sessions): typeof Knex.Client {
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
      sessions.opened(connection)
      return connection
    }

    validateConnection(connection: object) {
      return sessions.isUsable(connection)
    }

    async query(connection: object, query: string | { readonly options?: object }) {
      const isPlain = typeof query === 'string' || direct.has(connection)
      return super
        .query(connection, isPlain ? query : { ...query, options: undefined })
        .catch((error: unknown) => {
          if (isReadOnly(error)) sessions.giveUp(connection)
          throw withRetryAfter(error)
        })
    }

    async acquireConnection() {
      return super.acquireConnection().catch((error: unknown) => {
        throw withRetryAfter(error)
      })
    }
  } as unknown as typeof Knex.Client
}

/** Counts and sums are numbers: no column of Quoin holds one beyond 2^53. */
const NUMERIC_TYPES: ReadonlySet<number> = new Set([pg.types.builtins.INT8, pg.types.builtins.NUMERIC])

function getTypeParser(id: number, format: string): (text: string) => unknown {
  return NUMERIC_TYPES.has(id) ? Number : pg.types.getTypeParser(id, format as 'text')
}
