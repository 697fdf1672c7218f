import type { Knex } from 'knex'

/** Work that no request asks for, and that one process does for all that share the database. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('recurring_work', (table) => {
    table.string('name', 64).primary()
    /** When a process may begin the next run. */
    table.string('due_at', 24).notNullable()
  })
  await db.schema.createTable('backfills', (table) => {
    table.string('name', 64).primary()
    /** Where the next batch starts; null for the first one. */
    table.text('reached')
    /** Rows that were examined. */
    table.bigInteger('examined').notNullable()
    table.string('started_at', 24).notNullable()
    table.string('finished_at', 24)
  })
}
