import type { Knex } from 'knex'

/** Passwords of people, their sessions, the links with which they set a password, and their second factors. */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('users', (table) => {
    /** With its salt and parameters; null for a user who has none, and so cannot sign in. */
    table.string('password_hash', 255)
  })
  await db.raw('CREATE INDEX users_address ON users (lower(email))')

  await db.schema.createTable('sessions', (table) => {
    table.string('id', 16).primary()
    table.string('user_id', 16).notNullable().references('users.id')
    /** SHA-256 of the token, hex. The token itself is not stored. */
    table.string('token_hash', 64).notNullable().unique()
    table.string('created_at', 24).notNullable()
    table.string('used_at', 24).notNullable()
    table.string('expires_at', 24).notNullable()
    /** Of the client at the sign-in, as limits count it. */
    table.string('address', 64).notNullable()
    table.string('user_agent', 255).notNullable()
    table.index(['user_id', 'used_at'])
    table.index(['expires_at'])
  })

  await db.schema.createTable('set_up_links', (table) => {
    /** One link at a time. */
    table.string('user_id', 16).primary().references('users.id')
    /** SHA-256 of the token, hex. */
    table.string('token_hash', 64).notNullable().unique()
    table.string('created_at', 24).notNullable()
    table.string('expires_at', 24).notNullable()
    table.index(['expires_at'])
  })

  /** Attempts that failed or have not ended. */
  await db.schema.createTable('sign_in_attempts', (table) => {
    table.string('id', 16).primary()
    /** SHA-256 of the e-mail address that was given, hex. It may be no user's, or a password in the wrong field. */
    table.string('account_hash', 64).notNullable()
    table.string('address', 64).notNullable()
    table.string('attempted_at', 24).notNullable()
    table.index(['account_hash', 'attempted_at'])
    table.index(['address', 'attempted_at'])
    table.index(['attempted_at'])
  })

  await db.schema.createTable('second_factors', (table) => {
    table.string('user_id', 16).primary().references('users.id')
    /** Secret of the app, sealed with the master key. */
    table.text('secret').notNullable()
    table.string('master_key_id', 16).notNullable()
    table.string('created_at', 24).notNullable()
    /** Null until a code of the app was right. */
    table.string('enabled_at', 24)
    /** Number of 30 s since 1970 of the last code that was used; codes until then are refused. */
    table.bigInteger('last_step').notNullable()
  })

  await db.schema.createTable('recovery_codes', (table) => {
    table.string('user_id', 16).notNullable().references('users.id')
    /** SHA-256 of the code, hex. */
    table.string('code_hash', 64).notNullable()
    table.primary(['user_id', 'code_hash'])
  })
}
