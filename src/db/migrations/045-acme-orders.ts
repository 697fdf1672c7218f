import type { Knex } from 'knex'

/** Orders of certificates, each by itself: authorities limit how many an account makes. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('acme_orders', (table) => {
    table.string('id', 21).primary()
    table.string('ordered_at', 24).notNullable()
    table.index(['ordered_at'])
  })
}
