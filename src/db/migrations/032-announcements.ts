import type { Knex } from 'knex'

export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('settings', (table) => {
    /** JSON: the line above the header of every page. */
    table.text('announcement').notNullable().defaultTo('{"text":""}')
  })
}
