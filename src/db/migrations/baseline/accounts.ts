import type { Knex } from 'knex'

/** Creates the tables of users, of their ways to sign in, and of the mails to them. */
export async function createAccounts(db: Knex): Promise<void> {
  await createUsers(db)
  await createSessions(db)
  await createSecondFactors(db)
  await createPasskeys(db)
  await createMails(db)
}

async function createUsers(db: Knex): Promise<void> {
  await db.schema.createTable('users', (table) => {
    table.string('id', 16).primary()
    table.string('email').notNullable().unique()
    /** The address as `addressKey` has it: the same for every spelling. */
    table.text('email_key').notNullable().defaultTo('')
    /** False while another user has the address in another spelling. */
    table.boolean('owns_address').notNullable().defaultTo(true)
    /** When the operator or a mailed link proved the address; null while nothing has. */
    table.string('verified_at', 24)
    table.boolean('can_create_projects').notNullable()
    /** With its salt and parameters; null for a user who has none. */
    table.string('password_hash', 255)
    /**
     * When all browsers in which the user had signed in became unknown: at a new password, or when the user ended all
     * other sessions. Null while nothing has.
     */
    table.string('browsers_known_after', 24)
    /** Limits of the account in place of the limits of its plan, JSON; null for none. */
    table.text('limits')
    table.string('created_at', 24).notNullable()
    /** When the operator locked the account; null for one that can be used. */
    table.string('locked_at', 24)
    /** When the account was deleted or merged. The row remains for what names its id, without anything of the person. */
    table.string('deleted_at', 24)
    table.index(['email_key'])
  })
  await db.raw('CREATE INDEX users_address ON users (lower(email))')
  await db.raw(
    'CREATE UNIQUE INDEX users_owned_address ON users (email_key, owns_address) WHERE owns_address',
  )
}

async function createSessions(db: Knex): Promise<void> {
  await db.schema.createTable('sessions', (table) => {
    table.string('id', 16).primary()
    table.string('user_id', 16).notNullable().references('users.id')
    /** Hash of the token, which is not stored itself. */
    table.string('token_hash', 64).notNullable().unique()
    table.string('created_at', 24).notNullable()
    table.string('used_at', 24).notNullable()
    table.string('expires_at', 24).notNullable()
    /** Address of the client at the sign-in, as limits count it. */
    table.string('address', 64).notNullable()
    table.string('user_agent', 255).notNullable()
    table.index(['user_id', 'used_at'])
    table.index(['expires_at'])
  })

  /** Links with which users set a password. */
  await db.schema.createTable('set_up_links', (table) => {
    /** One link at a time. */
    table.string('user_id', 16).primary().references('users.id')
    table.string('token_hash', 64).notNullable().unique()
    table.string('created_at', 24).notNullable()
    table.string('expires_at', 24).notNullable()
    table.index(['expires_at'])
  })

  /** Attempts that failed or have not ended. */
  await db.schema.createTable('sign_in_attempts', (table) => {
    table.string('id', 16).primary()
    /** Hash of the given e-mail address, which may be no user's, or a password in the wrong field. */
    table.string('account_hash', 64).notNullable()
    table.string('address', 64).notNullable()
    table.string('attempted_at', 24).notNullable()
    table.index(['account_hash', 'attempted_at'])
    table.index(['address', 'attempted_at'])
    table.index(['attempted_at'])
  })
}

async function createSecondFactors(db: Knex): Promise<void> {
  await db.schema.createTable('second_factors', (table) => {
    table.string('user_id', 16).primary().references('users.id')
    /** Secret of the app, sealed with the master key. */
    table.text('secret').notNullable()
    table.string('master_key_id', 16).notNullable()
    table.string('created_at', 24).notNullable()
    /** When it was enabled; null until a code of the app was right. */
    table.string('enabled_at', 24)
    /** Number of 30 s since 1970 of the last code that was used; codes until then are refused. */
    table.bigInteger('last_step').notNullable()
  })

  await db.schema.createTable('recovery_codes', (table) => {
    table.string('user_id', 16).notNullable().references('users.id')
    table.string('code_hash', 64).notNullable()
    table.primary(['user_id', 'code_hash'])
  })
}

async function createPasskeys(db: Knex): Promise<void> {
  await db.schema.createTable('passkeys', (table) => {
    table.string('id', 16).primary()
    table.string('user_id', 16).notNullable().references('users.id')
    /** Id that the authenticator gave it, base64url; at most 1,023 bytes. */
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

/** No row holds a secret: links are created when a mail is sent. */
async function createMails(db: Knex): Promise<void> {
  await db.schema.createTable('mails', (table) => {
    table.string('id', 16).primary()
    table.string('kind', 16).notNullable()
    /** Address as it was typed: it may be no user's. */
    table.string('recipient', 254).notNullable()
    table.string('language', 8).notNullable()
    /** JSON: the ids of records that the mail is about. */
    table.text('about').notNullable()
    /** Address of the client that asked for it, as limits count it; null for an invitation. */
    table.string('address', 64)
    /** Who asked for it; null without a session. */
    table.string('user_id', 16).references('users.id')
    table.string('created_at', 24).notNullable()
    /** When it is due; null once it was sent or given up. While it is being sent: when another process may try. */
    table.string('due_at', 24)
    table.integer('attempts').notNullable()
    /** When it was sent or given up. */
    table.string('ended_at', 24)
    /** Why it was given up; null for one that was sent. */
    table.string('problem', 24)
    table.index(['due_at'])
    table.index(['recipient', 'created_at'])
    table.index(['address', 'created_at'])
    table.index(['user_id', 'created_at'])
    table.index(['created_at'])
    table.index(['problem', 'ended_at'])
  })

  /** New addresses of users that wait for a proof. */
  await db.schema.createTable('email_changes', (table) => {
    /** One at a time. */
    table.string('user_id', 16).primary().references('users.id')
    table.string('email', 254).notNullable()
    /** Hash of the token in the link; null until the mail is sent. */
    table.string('token_hash', 64).unique()
    table.string('expires_at', 24).notNullable()
    table.index(['expires_at'])
  })
}
