import type { Knex } from 'knex'

export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('releases', (table) => {
    /** Whether files of the release may have been written: from then on it cannot be withdrawn. */
    table.boolean('is_deploying').notNullable().defaultTo(false)
  })
  // An earlier version wrote files without saying so.
  await db('releases').whereIn('state', ['claimed', 'reverting']).update({ is_deploying: true })
}
