import type { Knex } from 'knex'

/** Mails that wait or were sent, and addresses that wait for a proof. Neither holds a secret: links are made when a mail is sent. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('mails', (table) => {
    table.string('id', 16).primary()
    table.string('kind', 16).notNullable()
    /** As it was typed: it may be no user's. */
    table.string('recipient', 254).notNullable()
    table.string('language', 8).notNullable()
    /** JSON: the ids of records that the mail is about. */
    table.text('about').notNullable()
    /** Of the client that asked for it, as limits count it; null for an invitation. */
    table.string('address', 64)
    /** Who asked for it; null without a session. */
    table.string('user_id', 16).references('users.id')
    table.string('created_at', 24).notNullable()
    /** Null once it was sent or given up. While it is being sent: when another process may try. */
    table.string('due_at', 24)
    table.integer('attempts').notNullable()
    table.index(['due_at'])
    table.index(['recipient', 'created_at'])
    table.index(['address', 'created_at'])
    table.index(['user_id', 'created_at'])
    table.index(['created_at'])
  })

  await db.schema.createTable('email_changes', (table) => {
    /** One at a time. */
    table.string('user_id', 16).primary().references('users.id')
    table.string('email', 254).notNullable()
    /** SHA-256 of the token in the link, hex; null until the mail is sent. */
    table.string('token_hash', 64).unique()
    table.string('expires_at', 24).notNullable()
    table.index(['expires_at'])
  })
}
