import type { Knex } from 'knex'

/** Gives webhooks that were switched off for their pending messages the reason `overloaded`, which was `swamped`. */
export async function up(db: Knex): Promise<void> {
  await db('webhooks').where({ off_reason: 'swamped' }).update({ off_reason: 'overloaded' })
}
