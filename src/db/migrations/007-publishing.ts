import type { Knex } from 'knex'

export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('releases', (table) => {
    /** When a request that awaits the release has to be answered; null when none does. */
    table.string('deadline_at', 24)
  })

  await db.schema.alterTable('search_bases', (table) => {
    /** Whether files of the index are being written, so that those on the CDN are unknown. */
    table.boolean('is_writing').notNullable().defaultTo(false)
  })
}
