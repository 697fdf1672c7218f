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
  })
  // Without the pages of sites in one language, so that no row is indexed while servers write.
  await db.raw(
    'CREATE INDEX live_pages_translations ON live_pages (project_id, translation_key) WHERE translation_key IS NOT NULL',
  )
  await db.raw(
    'CREATE INDEX live_pages_feeds ON live_pages (project_id, locale, feed_date, page_id) WHERE locale IS NOT NULL',
  )
}
