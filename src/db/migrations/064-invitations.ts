import type { Knex } from 'knex'

const LIFETIME_MS = 14 * 24 * 60 * 60 * 1000

/**
 * Invitations that their people accept: what became of each, its links, and the mail that was sent with it. Members of
 * before stay members; people who had no account are invited for 14 days from now on. Records why a mail was given up.
 */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('members', (table) => {
    /** `invited`, `active` or `declined`. An invitation that has expired is one with `expires_at` in the past. */
    table.string('state', 8).notNullable().defaultTo('active')
    /** Null for a member who was never invited, such as the former owner of a project, and from before this migration. */
    table.string('invited_at', 24)
    table.string('invited_by', 16).index()
    /** Null once it was accepted. */
    table.string('expires_at', 24)
    table.string('source', 8).notNullable().defaultTo('hand')
    /** SHA-256 of the token in the link that is shown to the person who invites, hex. */
    table.string('shown_link_hash', 64)
    /** The same of the link in the mail, which proves the address as well. */
    table.string('mailed_link_hash', 64)
    /** The last mail, whose row is deleted sooner. */
    table.string('mail_id', 16)
    table.string('mail_status', 8).notNullable().defaultTo('none')
    table.string('mail_at', 24)
    table.string('mail_problem', 24)
  })
  await db.raw('CREATE UNIQUE INDEX members_shown_link ON members (shown_link_hash)')
  await db.raw('CREATE UNIQUE INDEX members_mailed_link ON members (mailed_link_hash)')
  const expiresAt = new Date(Date.now() + LIFETIME_MS).toISOString()
  await db('members')
    .whereNull('user_id')
    .update({ state: 'invited', invited_at: db.ref('created_at'), expires_at: expiresAt })

  await db.schema.alterTable('mails', (table) => {
    /** When it was sent or given up. */
    table.string('ended_at', 24)
    /** Why it was given up; null for one that was sent. */
    table.string('problem', 24)
    table.index(['problem', 'ended_at'])
  })
}
