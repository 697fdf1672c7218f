import type { Knex } from 'knex'

/** The logo that a site shows on dark pages. */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('settings', (table) => {
    table.text('logo_dark_url')
  })
}
