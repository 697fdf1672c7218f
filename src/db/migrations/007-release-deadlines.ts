import type { Knex } from 'knex'

export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('releases', (table) => {
    /** When a request that awaits the release has to be answered; null when none does. */
    table.string('deadline_at', 24)
  })
}
