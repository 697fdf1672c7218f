import type { Knex } from 'knex'
import { isPostgres } from '../dialect.ts'

/** What processes that share a database know of each other, and what they count together. */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('servers', (table) => {
    /** Null for a process of an earlier version, as are the others. */
    table.string('machine', 64)
    table.string('role', 8)
    /** What all processes must have in common, JSON. */
    table.text('settings')
  })
  // SQLite ignores the length of a column. A list of a tag has the address of its blog and the name of the tag.
  if (isPostgres(db)) {
    await db.raw('ALTER TABLE live_objects ALTER COLUMN owner_id TYPE varchar(1024) COLLATE "C"')
    await db.raw('ALTER TABLE listing_slots ALTER COLUMN folder TYPE varchar(1024) COLLATE "C"')
  }
  // The only process on a SQLite file that counts requests does so in memory.
  if (!isPostgres(db)) return
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
