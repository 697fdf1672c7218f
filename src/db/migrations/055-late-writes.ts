import type { Knex } from 'knex'

/** Objects that a write may still reach which was given up without an answer of the store. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('late_writes', (table) => {
    table.string('project_id', 16).notNullable().references('projects.id')
    /** Of an object, relative to the project's prefix; empty for all files of the site itself. */
    table.string('key', 1024).notNullable()
    /** When the last of these writes was given up, or later. */
    table.string('given_up_at', 24).notNullable()
    table.primary(['project_id', 'key'])
  })
}
