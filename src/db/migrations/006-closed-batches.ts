import type { Knex } from 'knex'

export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('deliveries', (table) => {
    /** True once a batch is being sent: it receives no more events, whatever the clock of another process says. */
    table.boolean('closed').notNullable().defaultTo(false)
  })
}
