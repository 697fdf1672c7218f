import type { Knex } from 'knex'

/** The name of a site where it is not that of its project, and settings of single languages. */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('settings', (table) => {
    table.text('site_name')
    /** Settings by the code of a language, JSON. */
    table.text('by_locale').notNullable().defaultTo('{}')
  })
}
