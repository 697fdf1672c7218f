import type { Knex } from 'knex'

/** Content folders that were pushed. */
export async function createContentFolders(db: Knex): Promise<void> {
  /** Records that folders pushed: their files, and digests of the values that were sent. */
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

  /** Runs of `quoin push`. One of a folder to a project runs at a time. */
  await db.schema.createTable('pushes', (table) => {
    table.string('id', 16).primary()
    table.string('project_id', 16).notNullable()
    table.string('folder', 120).notNullable()
    table.string('name', 100).notNullable()
    table.string('revision', 64)
    table.string('committed_at', 24)
    /** `running`, `done` or `failed`. */
    table.string('state', 10).notNullable()
    /** JSON: numbers by name. */
    table.text('counts').notNullable()
    table.string('user_id', 16).notNullable()
    table.string('started_at', 24).notNullable()
    table.string('expires_at', 24).notNullable()
    table.string('finished_at', 24)
    table.index(['project_id', 'folder', 'started_at'])
    table.index(['folder'])
    table.index(['started_at'])
  })

  /** Pages that the last push of a folder left alone, because they were changed in their files and on the server. */
  await db.schema.createTable('push_conflicts', (table) => {
    table.string('page_id', 16).primary().references('pages.id').onDelete('CASCADE')
    table.string('project_id', 16).notNullable()
    table.string('folder', 120).notNullable()
    table.text('path').notNullable()
    /** JSON: digests by the name of the field; null for a field that the file does not have. */
    table.text('fields').notNullable()
    /** JSON: values by the name of the field. Null when they were too large to be sent. */
    table.text('values')
    table.index(['project_id', 'folder'])
  })
}
