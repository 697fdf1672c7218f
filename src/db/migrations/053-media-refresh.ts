import type { Knex } from 'knex'

/** Which live pages get smaller pictures that came after their publish, without a request. */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('settings', (table) => {
    /** `auto` or `manual`. */
    table.string('media_refresh', 8).notNullable().defaultTo('auto')
  })
  await db.schema.alterTable('media_variants', (table) => {
    /** Since when pages get it; null for those of earlier versions. */
    table.string('since', 24)
    table.index(['project_id', 'since'])
  })
}
