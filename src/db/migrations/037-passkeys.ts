import type { Knex } from 'knex'

/** Passkeys (WebAuthn) with which people sign in. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('passkeys', (table) => {
    table.string('id', 16).primary()
    table.string('user_id', 16).notNullable().references('users.id')
    /** As the authenticator names it, base64url; at most 1,023 bytes. */
    table.string('credential_id', 1400).notNullable().unique()
    /** COSE key, base64url. */
    table.text('public_key').notNullable()
    /** Signatures that the authenticator has made; 0 where it does not count. */
    table.bigInteger('counter').notNullable()
    table.string('name', 100).notNullable()
    table.string('created_at', 24).notNullable()
    table.string('used_at', 24)
    table.index(['user_id', 'created_at'])
  })

  /** Challenges that were answered, until they would have expired. */
  await db.schema.createTable('used_challenges', (table) => {
    table.string('challenge', 100).primary()
    table.string('expires_at', 24).notNullable()
    table.index(['expires_at'])
  })
}
