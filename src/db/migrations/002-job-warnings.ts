import type { Knex } from 'knex'

export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('jobs', (table) => {
    /** Warnings of pages that went live, JSON; null without any. */
    table.text('warnings')
  })
}
