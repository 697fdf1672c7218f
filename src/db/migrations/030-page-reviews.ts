import type { Knex } from 'knex'

/** Pages that authors propose for publishing, and notes with which editors return them. A published page has none. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('page_reviews', (table) => {
    table.string('page_id', 16).primary().references('pages.id').onDelete('CASCADE')
    table.string('project_id', 16).notNullable()
    /** `proposed` or `returned`. */
    table.string('state', 16).notNullable()
    table.string('proposed_by', 16).notNullable()
    table.string('proposed_at', 24).notNullable()
    /** The version of the page that was proposed. */
    table.integer('version').notNullable()
    table.text('note').notNullable()
    table.string('returned_by', 16)
    table.string('returned_at', 24)
    table.index(['project_id', 'state', 'proposed_at'])
  })
}
