import type { Knex } from 'knex'

export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('jobs', (table) => {
    /** Of pages that went live; null for none. */
    table.text('warnings')
  })
}
