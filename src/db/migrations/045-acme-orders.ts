import type { Knex } from 'knex'
import { nanoid } from 'nanoid'

/** Orders of certificates, each by itself: authorities limit how many an account makes. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('acme_orders', (table) => {
    table.string('id', 21).primary()
    table.string('ordered_at', 24).notNullable()
    table.index(['ordered_at'])
  })
  // Those that were made before this table count as well. The next order deletes what is too old to count.
  const made = await db('certificates').whereNotNull('ordered_at').pluck('ordered_at')
  for (const ordered_at of made) await db('acme_orders').insert({ id: nanoid(), ordered_at })
}
