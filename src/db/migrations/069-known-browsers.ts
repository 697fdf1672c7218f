import type { Knex } from 'knex'

/** When the browsers became unknown in which a user had signed in: at a new password, or when the user ended all other sessions. */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('users', (table) => {
    /** Null while nothing has. */
    table.string('browsers_known_after', 24)
  })
}
