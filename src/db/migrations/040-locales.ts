import type { Knex } from 'knex'

/** The languages of a site, and what the translations of a live page share. */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('settings', (table) => {
    /** JSON. */
    table.text('locales').notNullable().defaultTo('[]')
    /** JSON: the versions of what it documents. */
    table.text('versions').notNullable().defaultTo('[]')
  })
  await db.schema.alterTable('live_pages', (table) => {
    /** The code of the language; null on a site without locales, and so is the key. */
    table.string('locale', 40)
    table.string('translation_key', 911)
    table.index(['project_id', 'translation_key'])
    table.index(['project_id', 'locale', 'feed_date', 'page_id'])
  })
}
