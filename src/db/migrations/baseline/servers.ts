import type { Knex } from 'knex'

/** The running processes that share the database. */
export async function createServers(db: Knex): Promise<void> {
  await db.schema.createTable('servers', (table) => {
    table.string('id', 32).primary()
    /** When the process last reported that it runs. */
    table.string('seen_at', 24).notNullable()
    table.string('machine', 64)
    table.string('role', 8)
    /** Settings that all processes must have in common, JSON. */
    table.text('settings')
  })
}
