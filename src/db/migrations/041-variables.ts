import type { Knex } from 'knex'

/** Texts that pages name as `{{ name }}`. */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('settings', (table) => {
    /** JSON: texts by name. */
    table.text('variables').notNullable().defaultTo('{}')
  })
}
