import type { Knex } from 'knex'

export async function createAuditLog(db: Knex): Promise<void> {
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
    /** Why sign-ins were refused, of which one row counts several; null in rows of other acts, as is their number. */
    table.string('reason', 16)
    table.integer('count')
    // With the act, so that a list of one act reads no other rows, and counting reads the index alone.
    table.index(['user_id', 'created_at', 'seq', 'act'])
    table.index(['project_id', 'created_at', 'seq', 'act'])
  })
  await db.raw(
    'CREATE UNIQUE INDEX audit_log_refusals_index ON audit_log (id, reason) WHERE reason IS NOT NULL',
  )
}
