import type { Knex } from 'knex'

/** Records that content folders pushed: their files, and digests of the values that were sent. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('sources', (table) => {
    /** The id of a page or asset, or of the project for its settings. */
    table.string('record_id', 16).primary()
    table.string('project_id', 16).notNullable()
    /** `page`, `asset` or `settings`. */
    table.string('record', 10).notNullable()
    table.string('page_id', 16).references('pages.id').onDelete('CASCADE')
    table.string('asset_id', 16).references('assets.id').onDelete('CASCADE')
    table.string('folder', 120).notNullable()
    table.text('path').notNullable()
    table.string('digest', 64).notNullable()
    /** JSON: digests by the name of the field. */
    table.text('fields').notNullable()
    /** True when a push created the record. Only then may a push remove it. */
    table.boolean('created').notNullable()
    table.string('revision', 64)
    table.string('pushed_at', 24).notNullable()
    table.integer('stored_version').notNullable()
    table.string('stored_digest', 64).notNullable()
    table.index(['project_id', 'folder', 'path'])
    table.index(['page_id'])
    table.index(['asset_id'])
  })
}
