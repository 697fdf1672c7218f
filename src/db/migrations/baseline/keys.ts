import type { Knex } from 'knex'
import { isPostgres } from '../../dialect.ts'

/** API keys, and the counted and repeated requests of each. */
export async function createKeys(db: Knex): Promise<void> {
  await db.schema.createTable('api_keys', (table) => {
    table.string('id', 16).primary()
    table.string('user_id', 16).notNullable().references('users.id')
    /** The project of the key; null for all projects of the user. */
    table.string('project_id', 16).references('projects.id')
    table.string('name').notNullable()
    /** Hash of the key, which is not stored itself. */
    table.string('hash', 64).notNullable().unique()
    /** Hash of the key before its last rotation; valid until `former_until`. */
    table.string('former_hash', 64)
    table.string('former_until', 24)
    table.string('plan', 16).notNullable()
    /** Limits of an enterprise key, JSON. */
    table.text('limits')
    table.string('permissions').notNullable()
    table.string('expires_at', 24)
    table.string('revoked_at', 24)
    table.string('created_at', 24).notNullable()
    table.integer('version').notNullable().defaultTo(1)
    table.index(['user_id'])
    table.index(['former_hash'])
    table.index(['user_id', 'created_at', 'id'])
  })

  /** Secrets from before the previous one: their replacement promised that they are accepted for some time more. */
  await db.schema.createTable('earlier_key_hashes', (table) => {
    table.string('hash', 64).primary()
    table.string('key_id', 16).notNullable().references('api_keys.id').onDelete('CASCADE')
    table.string('until', 24).notNullable()
    table.index(['key_id'])
    table.index(['until'])
  })

  /** Answers of requests with an `Idempotency-Key`. */
  await db.schema.createTable('idempotency', (table) => {
    table.string('key_id', 16).notNullable().references('api_keys.id')
    table.string('path').notNullable()
    table.string('idempotency_key').notNullable()
    table.string('body_digest', 64).notNullable()
    /** Id of the created resource; null when the request was refused. */
    table.string('resource_id', 16)
    table.integer('status')
    table.text('answer')
    table.string('etag')
    table.string('location')
    table.string('created_at', 24).notNullable()
    table.primary(['key_id', 'path', 'idempotency_key'])
    table.index(['created_at'])
  })

  await db.schema.createTable('usage_months', (table) => {
    table.string('key_id', 16).notNullable().references('api_keys.id')
    table.string('month', 7).notNullable()
    table.bigInteger('requests').notNullable()
    table.primary(['key_id', 'month'])
  })

  // The only process on a SQLite file that counts requests does so in memory.
  if (isPostgres(db)) await createRateAccounts(db)
}

async function createRateAccounts(db: Knex): Promise<void> {
  await db.schema.createTable('rate_accounts', (table) => {
    /** A key or an address. */
    table.string('subject', 80).primary()
    /** The counted requests, JSON; null before the first one. */
    table.text('counted')
    /** When the last request was counted, in Unix milliseconds. */
    table.bigInteger('used_at').notNullable()
    table.index(['used_at'])
  })
  // Short windows may be forgotten in a crash of the server, and nothing waits for its disk.
  await db.raw('ALTER TABLE rate_accounts SET UNLOGGED')
}
