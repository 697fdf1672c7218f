import type { Knex } from 'knex'
import * as foundation from './migrations/001-foundation.ts'
import * as jobWarnings from './migrations/002-job-warnings.ts'

/** In order; a name is never changed once it was released. */
const MIGRATIONS: readonly { readonly name: string; readonly up: (db: Knex) => Promise<void> }[] = [
  { name: '001-foundation', up: foundation.up },
  { name: '002-job-warnings', up: jobWarnings.up },
]

/**
 * Bring the database to this version's schema, wholly or not at all. May be run by several processes at once.
 *
 * @throws {Error} with one clear line when a newer Quoin made the database.
 */
export async function migrate(db: Knex): Promise<void> {
  // All of it is one transaction, Knex's own tables too: whoever starts at the same time waits, and who
  // dies half-way leaves nothing behind.
  await db.transaction(async (trx) => {
    await refuseNewer(trx)
    await trx.migrate.latest({ migrationSource: source })
  })
}

const source: Knex.MigrationSource<(typeof MIGRATIONS)[number]> = {
  getMigrations: async () => [...MIGRATIONS],
  getMigrationName: ({ name }) => name,
  getMigration: async ({ up }) => ({ up, down: refuseDown }),
}

async function refuseNewer(db: Knex): Promise<void> {
  if (!(await db.schema.hasTable('knex_migrations'))) return
  const known = new Set(MIGRATIONS.map(({ name }) => name))
  const unknown = (await db('knex_migrations').pluck<string[]>('name')).filter((name) => !known.has(name))
  if (unknown.length > 0) {
    throw new Error(
      `The database was made by a newer Quoin (it has ${unknown.join(', ')}). Run that version, or use another database.`,
    )
  }
}

function refuseDown(): Promise<void> {
  throw new Error('Migrations only go forward; restore a backup to go back.')
}
