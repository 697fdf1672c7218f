import type { Knex } from 'knex'
import { isPostgres } from '../dialect.ts'

/** What transactions lock to run at once, or alone. It has no rows. SQLite runs one transaction at a time anyway. */
export async function up(db: Knex): Promise<void> {
  if (isPostgres(db)) await db.raw('CREATE TABLE write_gate ()')
}
