import type { Knex } from 'knex'

/** Certificates that the service orders itself. */
export async function createCertificates(db: Knex): Promise<void> {
  await db.schema.createTable('certificates', (table) => {
    table.string('host', 253).primary()
    /** PEM, the certificate of the host first; null before the first one was issued. */
    table.text('chain')
    /** The private key, sealed with the master key; null like the chain. */
    table.text('secret')
    table.string('master_key_id', 16)
    table.string('expires_at', 24)
    /** When the next order may be placed. */
    table.string('due_at', 24).notNullable()
    /** Orders in a row that failed. */
    table.integer('failures').notNullable()
    /** Why the last order failed; null after a success. */
    table.text('problem')
    table.string('ordered_at', 24)
    /** The process that orders, and until when no other one does. */
    table.string('holder', 16)
    table.string('held_until', 24)
    table.index(['due_at'])
    table.index(['ordered_at'])
  })

  /** The keys of the accounts at certificate authorities. */
  await db.schema.createTable('acme_accounts', (table) => {
    table.string('directory', 500).primary()
    table.text('secret').notNullable()
    table.string('master_key_id', 16).notNullable()
  })

  await db.schema.createTable('acme_challenges', (table) => {
    table.string('token', 255).primary()
    table.text('answer').notNullable()
    table.string('expires_at', 24).notNullable()
    table.index(['expires_at'])
  })

  /** One row for each order: authorities limit how many an account makes. */
  await db.schema.createTable('acme_orders', (table) => {
    table.string('id', 21).primary()
    table.string('ordered_at', 24).notNullable()
    table.index(['ordered_at'])
  })
}
