import { createRequire } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import knex, { type Knex } from 'knex'
import pg from 'pg'
import { UnavailableError } from '../domain/errors.ts'
import type { Connections, Transact } from './connections.ts'
import { WRITE_DEADLINE_MS } from './write-lock.ts'

/** How long a query waits for a connection of its pool. */
const ACQUIRE_MS = 10_000
const CONNECT_MS = 3_000
const CONNECTIONS = 10
const FIRST_PAUSE_MS = 5
const LONGEST_PAUSE_MS = 500
const RETRY_AFTER_S = 5

/**
 * Opens a PostgreSQL database lazily: the first query connects.
 *
 * @param url `postgres://user:password@host:port/database`.
 */
export function openPostgres(url: string): Connections {
  const db = knex({
    client: bytewiseClient(),
    connection: {
      connectionString: url,
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
      types: { getTypeParser },
    },
    acquireConnectionTimeout: ACQUIRE_MS,
    pool: { min: 0, max: CONNECTIONS },
  })
  const transact = serializable(db)
  return {
    writer: db,
    transact,
    reader: db,

    async check(timeoutMs) {
      // A transaction without a change has nothing to write to disk, and no row of its own to change: a message makes one.
      await transact((trx) => trx.raw("SELECT pg_logical_emit_message(true, 'quoin', 'check')"), timeoutMs)
    },

    checkFile: async () => [],

    async close() {
      await db.destroy()
    },
  }
}

/**
 * Knex's client, whose text columns are compared byte by byte, as in SQLite, whatever the locale of the database is:
 * ranges of keys and the order of lists rely on it.
 */
function bytewiseClient(): typeof Knex.Client {
  const Client = createRequire(import.meta.url)('knex/lib/dialects/postgres/index.js')
  return class BytewiseClient extends Client {
    columnCompiler(...given: unknown[]) {
      return Object.assign(super.columnCompiler(...given), {
        varchar: (length = 255) => `varchar(${length}) COLLATE "C"`,
        text: 'text COLLATE "C"',
      })
    }
  } as unknown as typeof Knex.Client
}

/** Counts and sums are numbers: no column of Quoin holds one beyond 2^53. */
const NUMERIC_TYPES: ReadonlySet<number> = new Set([pg.types.builtins.INT8, pg.types.builtins.NUMERIC])

function getTypeParser(id: number, format: string): (text: string) => unknown {
  return NUMERIC_TYPES.has(id) ? Number : pg.types.getTypeParser(id, format as 'text')
}

/**
 * Runs transactions as if one ran after the other. PostgreSQL refuses those that it could not order, and two that wait
 * for each other; nothing of them is written, and they run again.
 */
function serializable(db: Knex): Transact {
  return async (work, timeoutMs = WRITE_DEADLINE_MS) => {
    const deadline = performance.now() + timeoutMs
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      try {
        return await db.transaction(work, { isolationLevel: 'serializable' })
      } catch (error) {
        if (!isConflict(error)) throw error
        if (performance.now() + pause > deadline) throw conflicted(timeoutMs, error)
        // A random pause, so that two that refused each other do not meet again.
        await sleep(pause * (0.5 + Math.random()))
      }
    }
  }
}

/** `serialization_failure` and `deadlock_detected`: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const CONFLICTS: readonly unknown[] = ['40001', '40P01']

function isConflict(error: unknown): boolean {
  return error instanceof Error && 'code' in error && CONFLICTS.includes(error.code)
}

function conflicted(timeoutMs: number, cause: unknown): UnavailableError {
  const error = new UnavailableError(
    `The database could not take the change within ${timeoutMs / 1000} s, because other writes changed the same rows. Nothing was changed; try again.`,
    RETRY_AFTER_S,
  )
  error.cause = cause
  return error
}
