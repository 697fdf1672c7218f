import type { Knex } from 'knex'

/** The audit log, and who asked for releases and jobs, whose effects it records later. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('audit_log', (table) => {
    /** In order of insertion, so that the oldest rows are found without an index on the time. */
    table.bigIncrements('seq')
    /** For the end of a release, the id of that. */
    table.string('id', 16).notNullable()
    table.string('created_at', 24).notNullable()
    /** No foreign keys: a row outlives what it names. */
    table.string('user_id', 16).notNullable()
    table.string('project_id', 16)
    table.string('act', 32).notNullable()
    table.string('target', 16).notNullable()
    /** JSON. */
    table.text('actor').notNullable()
    table.text('before')
    table.text('after')
    table.text('fields')
    // With the act, so that a list of one act reads no other rows, and counting reads the index alone.
    table.index(['user_id', 'created_at', 'seq', 'act'])
    table.index(['project_id', 'created_at', 'seq', 'act'])
  })
  for (const name of ['releases', 'jobs'])
    await db.schema.alterTable(name, (table) => {
      /** Who asked for it, JSON; null from before there was an audit log, and for work of the service itself. */
      table.text('actor')
    })
}
