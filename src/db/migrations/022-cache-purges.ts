import type { Knex } from 'knex'

/** The pending purges of the CDN. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('cache_purges', (table) => {
    table.string('project_id', 16).notNullable().references('projects.id')
    /** Of an object, relative to the project's prefix; empty for the whole site. */
    table.string('key', 1024).notNullable()
    /** Changes with each request. */
    table.string('request_id', 16).notNullable()
    table.string('due_at', 24).notNullable()
    /** Whether it was purged once, and is purged again for answers that were on their way. */
    table.boolean('is_repeat').notNullable()
    table.primary(['project_id', 'key'])
    table.index(['due_at'])
  })
}
