import type { Knex } from 'knex'

/** Runs of `quoin push`. One of a folder to a project runs at a time. */
export async function up(db: Knex): Promise<void> {
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
}
