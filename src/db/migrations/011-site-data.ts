import type { Knex } from 'knex'

export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('settings', (table) => {
    /** JSON: values by name for the templates of the theme. */
    table.text('data').notNullable().defaultTo('{}')
  })
}
