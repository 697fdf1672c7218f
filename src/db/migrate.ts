import type { Knex } from 'knex'
import { isPostgres } from './dialect.ts'
import { hasEarlyRecord, replaceEarlyRecord } from './early-record.ts'
import * as baseline from './migrations/001-baseline.ts'
import * as previousAddresses from './migrations/002-previous-addresses.ts'
import * as overloadedWebhooks from './migrations/004-overloaded-webhooks.ts'
import * as changes from './migrations/005-changes.ts'
import { isConflict } from './postgres-errors.ts'
import { isServed } from './server-presence.ts'
import { pauseWhileLocked, withWriteLock } from './write-lock.ts'

/** Longest wait of a process while another one migrates the database. */
const DEADLINE_MS = 60_000

/**
 * A change of the schema. It adds tables and columns that may be empty: servers of the previous version continue while
 * it runs. The next version removes what a version no longer uses.
 */
export interface Migration {
  /** Never changes once it was released. */
  readonly name: string
  readonly up: (db: Knex) => Promise<void>
  /** Servers of the previous version could not bear it: it is refused while one runs. */
  readonly stopsServers?: true
}

/** In order. */
export const MIGRATIONS: readonly Migration[] = [
  { name: '001-baseline', up: baseline.up },
  { name: '002-previous-addresses', up: previousAddresses.up },
  { name: '004-overloaded-webhooks', up: overloadedWebhooks.up },
  { name: '005-changes', up: changes.up },
]

/**
 * Migrates the database to the schema of this version, completely or not at all. Several processes may call it
 * concurrently.
 *
 * @returns the names of the migrations that ran.
 * @throws {Error} with a one-line message when a newer version of Quoin, or one that is too old, migrated the database,
 *   or when a running server of an older version could not bear a migration.
 */
export async function migrate(
  db: Knex,
  migrations: readonly Migration[] = MIGRATIONS,
): Promise<readonly string[]> {
  // One transaction for all migrations and Knex's own tables: a concurrent process waits, and an interrupted one
  // leaves no partial schema.
  return withWriteLock(
    () =>
      unlessBlocked(() =>
        db.transaction(async (trx) => {
          await lockMigrations(trx)
          if (hasEarlyRecord(await recordedMigrations(trx))) await replaceEarlyRecord(trx)
          const pending = pendingAfter(await recordedMigrations(trx), migrations)
          if (pending.some(({ stopsServers }) => stopsServers) && (await isServed(trx)))
            throw new Error(SERVED)
          await trx.migrate.latest({ migrationSource: sourceOf(migrations) })
          return namesOf(pending)
        }),
      ),
    DEADLINE_MS,
  )
}

/**
 * The migrations that the database lacks.
 *
 * @throws {Error} with a one-line message when a newer version of Quoin, or one that is too old, migrated the database.
 */
export async function pendingMigrations(db: Knex): Promise<readonly string[]> {
  return namesOf(pendingAfter(await recordedMigrations(db), MIGRATIONS))
}

/**
 * Returns the migrations of a database unknown to this version.
 *
 * @throws {Error} with a one-line message when this version is too new for the database.
 */
export function unknownMigrations(
  recorded: readonly string[],
  migrations: readonly Migration[] = MIGRATIONS,
): readonly string[] {
  if (hasEarlyRecord(recorded)) return []
  const known = new Set(namesOf(migrations))
  return recorded.filter((name) => !known.has(name))
}

/** Any number: all processes that migrate a database ask for the same. */
const MIGRATION_LOCK = 4_837_210

/**
 * Lets one process migrate at a time. On SQLite the transaction itself does. A statement that waits for a long query
 * makes all later queries of its table wait, so it gives up early and runs again; a frozen process loses its locks.
 */
async function lockMigrations(trx: Knex): Promise<void> {
  if (!isPostgres(trx)) return
  await trx.raw(`SET LOCAL idle_in_transaction_session_timeout = '60s'`)
  await trx.raw(`SET LOCAL lock_timeout = '60s'`)
  await trx.raw('SELECT pg_advisory_xact_lock(?)', [MIGRATION_LOCK])
  await trx.raw(`SET LOCAL lock_timeout = '2s'`)
}

/** Repeats a migration that had to wait for a lock of running queries. Nothing of it was written. */
async function unlessBlocked<Result>(attempt: () => PromiseLike<Result>): Promise<Result> {
  const deadline = performance.now() + DEADLINE_MS
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (!isConflict(error) || performance.now() >= deadline) throw error
      await pauseWhileLocked()
    }
  }
}

function sourceOf(migrations: readonly Migration[]): Knex.MigrationSource<Migration> {
  return {
    getMigrations: async () => [...migrations],
    getMigrationName: ({ name }) => name,
    getMigration: async ({ up }) => ({ up, down: refuseDown }),
  }
}

const SERVED =
  'A server of an older version runs on this database, which has to be migrated. Stop it first; after it was killed, wait half a minute.'

async function recordedMigrations(db: Knex): Promise<readonly string[]> {
  if (!(await db.schema.hasTable('knex_migrations'))) return []
  return db('knex_migrations').pluck<string[]>('name')
}

function pendingAfter(recorded: readonly string[], migrations: readonly Migration[]): readonly Migration[] {
  const unknown = unknownMigrations(recorded, migrations)
  if (unknown.length > 0) {
    throw new Error(
      `The database belongs to a newer version of Quoin (it has ${unknown.join(', ')}). Run that version, or use another database.`,
    )
  }
  return migrations.filter(({ name }) => !recorded.includes(name))
}

function namesOf(migrations: readonly Migration[]): readonly string[] {
  return migrations.map(({ name }) => name)
}

function refuseDown(): Promise<void> {
  throw new Error('Migrations cannot be reverted; restore a backup instead.')
}
