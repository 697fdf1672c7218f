import type { Knex } from 'knex'

export async function createWebhooks(db: Knex): Promise<void> {
  await db.schema.createTable('webhooks', (table) => {
    table.string('id', 16).primary()
    table.string('project_id', 16).notNullable().references('projects.id')
    table.string('url', 2048).notNullable()
    table.string('events').notNullable()
    table.string('description', 500).notNullable()
    table.boolean('active').notNullable()
    table.integer('coalesce_seconds').notNullable()
    /** Sealed with the master key. */
    table.text('secret').notNullable()
    table.string('master_key_id', 16).notNullable()
    /** The previous secret, which signs as well until `former_until`. */
    table.text('former_secret')
    table.string('former_master_key_id', 16)
    table.string('former_until', 24)
    table.string('failing_since', 24)
    /** Why Quoin disabled the webhook. */
    table.string('off_reason', 16)
    table.string('created_at', 24).notNullable()
    table.integer('version').notNullable()
    table.index(['project_id', 'created_at', 'id'])
  })

  /** Secrets from before the previous one: their replacement promised that they sign for some time more. */
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

  await db.schema.createTable('deliveries', (table) => {
    table.string('id', 16).primary()
    table.string('webhook_id', 16).notNullable().references('webhooks.id')
    table.string('project_id', 16).notNullable().references('projects.id')
    /** Id of the event: the same for all webhooks and attempts. */
    table.string('message_id', 16).notNullable()
    table.string('type', 32).notNullable()
    /** The request body, byte for byte. */
    table.text('body').notNullable()
    /** Number of events in the body; a batch with an open window may receive more. */
    table.integer('events').notNullable()
    /** True once a batch is being sent: it receives no more events, whatever the clock of another process says. */
    table.boolean('closed').notNullable().defaultTo(false)
    table.string('state', 16).notNullable()
    table.integer('attempts').notNullable()
    table.string('next_at', 24)
    /** Requests and their answers, oldest first, JSON. */
    table.text('tries').notNullable()
    table.string('created_at', 24).notNullable()
    table.string('finished_at', 24)
    table.index(['webhook_id', 'created_at', 'id'])
    table.index(['webhook_id', 'state', 'created_at', 'id'])
    table.index(['finished_at'])
    table.index(['project_id'])
  })
}
