import type { Knex } from 'knex'
import { jsonText } from '../dialect.ts'

/** The ids of feeds and of their entries, which stay when a site gets another address. */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('pages', (table) => {
    /** The id that its author states. */
    table.string('feed_guid', 500)
    /** The id of a page that states none, from its first publish on. */
    table.text('feed_id')
  })
  await db.schema.alterTable('projects', (table) => {
    /** The id of the feed of the site, from the first publish on. */
    table.text('feed_id')
  })
  await db.schema.alterTable('settings', (table) => {
    table.string('feed_guid', 500)
  })
  await db.schema.alterTable('live_sites', (table) => {
    /** When feeds changed last that no longer have what was newest in them, by their keys, JSON. */
    table.text('feed_times').notNullable().defaultTo('{}')
  })
  await db.raw(
    'CREATE UNIQUE INDEX pages_feed_guid ON pages (project_id, feed_guid) WHERE feed_guid IS NOT NULL',
  )
  // What feeds have shown so far stays.
  await db.raw(
    `UPDATE pages SET feed_id = (SELECT ${jsonText(db, 'feed_entry', 'id')} FROM live_pages WHERE page_id = pages.id)
      WHERE type = 'article' AND id IN (SELECT page_id FROM live_pages WHERE feed_entry IS NOT NULL)`,
  )
  await db.raw(
    `UPDATE projects SET feed_id = (SELECT ${jsonText(db, 'site', 'origin')} || '/' FROM live_sites WHERE project_id = projects.id)
      WHERE id IN (SELECT project_id FROM live_sites)`,
  )
  await db.raw(
    `UPDATE pages SET feed_id = (SELECT feed_id FROM projects WHERE projects.id = pages.project_id) || '#page_' || id
      WHERE type = 'article' AND first_published_at IS NOT NULL AND feed_id IS NULL`,
  )
}
