import type { Knex } from 'knex'

/** Pages that the last push of a folder left alone, because they were changed in their files and on the server. */
export async function up(db: Knex): Promise<void> {
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
