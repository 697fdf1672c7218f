import type { Knex } from 'knex'

/**
 * Preview links that were opened after their end, and secrets of webhooks and API keys from before the previous one. Their
 * replacement promised that they are accepted for some time more. The previous one is a column of its webhook or key.
 */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('expired_previews', (table) => {
    /** SHA-256 of the token, hex. */
    table.string('digest', 64).primary()
    table.string('expires_at', 24).notNullable()
    table.index(['expires_at'])
  })

  await db.schema.createTable('earlier_webhook_secrets', (table) => {
    table.string('webhook_id', 16).notNullable().references('webhooks.id').onDelete('CASCADE')
    /** Sealed with the master key. */
    table.text('secret').notNullable()
    table.string('master_key_id', 16).notNullable()
    table.string('until', 24).notNullable()
    table.primary(['webhook_id', 'secret'])
    table.index(['webhook_id', 'until'])
    table.index(['until'])
  })

  await db.schema.createTable('earlier_key_hashes', (table) => {
    /** SHA-256 of the key, hex. */
    table.string('hash', 64).primary()
    table.string('key_id', 16).notNullable().references('api_keys.id').onDelete('CASCADE')
    table.string('until', 24).notNullable()
    table.index(['key_id'])
    table.index(['until'])
  })
}
