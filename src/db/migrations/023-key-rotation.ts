import type { Knex } from 'knex'

export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('api_keys', (table) => {
    /** Hash of the key before its last rotation; valid until `former_until`. */
    table.string('former_hash', 64)
    table.string('former_until', 24)
    table.integer('version').notNullable().defaultTo(1)
    table.index(['former_hash'])
    table.index(['user_id', 'created_at', 'id'])
  })
}
