import type { Knex } from 'knex'

/** Refused sign-ins in the audit log, of which one row counts several. */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('audit_log', (table) => {
    /** Why sign-ins were refused; null in rows of other acts, as is their number. */
    table.string('reason', 16)
    table.integer('count')
  })
  await db.raw(
    'CREATE UNIQUE INDEX audit_log_refusals_index ON audit_log (id, reason) WHERE reason IS NOT NULL',
  )
}
