import type { Knex } from 'knex'
import { isPostgres } from './dialect.ts'
import * as foundation from './migrations/001-foundation.ts'
import * as jobWarnings from './migrations/002-job-warnings.ts'
import * as accountUsage from './migrations/003-account-usage.ts'
import * as domainProofs from './migrations/004-domain-proofs.ts'
import * as jobTurns from './migrations/005-job-turns.ts'
import * as closedBatches from './migrations/006-closed-batches.ts'
import * as publishing from './migrations/007-publishing.ts'
import * as tags from './migrations/009-tags.ts'
import * as wideAddresses from './migrations/010-wide-addresses.ts'
import * as siteData from './migrations/011-site-data.ts'
import * as assets from './migrations/012-assets.ts'
import * as publishedMedia from './migrations/013-published-media.ts'
import * as pictureVariants from './migrations/014-picture-variants.ts'
import * as sealedMedia from './migrations/015-sealed-media.ts'
import * as socialCards from './migrations/017-social-cards.ts'
import * as startedDeploys from './migrations/018-started-deploys.ts'
import * as mediaRepair from './migrations/020-media-repair.ts'
import * as cachePurges from './migrations/022-cache-purges.ts'
import * as keyRotation from './migrations/023-key-rotation.ts'
import * as sessions from './migrations/024-sessions.ts'
import * as members from './migrations/025-members.ts'
import * as auditLog from './migrations/026-audit-log.ts'
import * as announcements from './migrations/032-announcements.ts'
import { isServed } from './server-presence.ts'
import { withWriteLock } from './write-lock.ts'

/** How long a process waits while another one migrates the database. */
const DEADLINE_MS = 60_000

/** In order. Names of released migrations never change. */
const MIGRATIONS: readonly { readonly name: string; readonly up: (db: Knex) => Promise<void> }[] = [
  { name: '001-foundation', up: foundation.up },
  { name: '002-job-warnings', up: jobWarnings.up },
  { name: '003-account-usage', up: accountUsage.up },
  { name: '004-domain-proofs', up: domainProofs.up },
  { name: '005-job-turns', up: jobTurns.up },
  { name: '006-closed-batches', up: closedBatches.up },
  { name: '007-publishing', up: publishing.up },
  { name: '009-tags', up: tags.up },
  { name: '010-wide-addresses', up: wideAddresses.up },
  { name: '011-site-data', up: siteData.up },
  { name: '012-assets', up: assets.up },
  { name: '013-published-media', up: publishedMedia.up },
  { name: '014-picture-variants', up: pictureVariants.up },
  { name: '015-sealed-media', up: sealedMedia.up },
  { name: '017-social-cards', up: socialCards.up },
  { name: '018-started-deploys', up: startedDeploys.up },
  { name: '020-media-repair', up: mediaRepair.up },
  { name: '022-cache-purges', up: cachePurges.up },
  { name: '023-key-rotation', up: keyRotation.up },
  { name: '024-sessions', up: sessions.up },
  { name: '025-members', up: members.up },
  { name: '026-audit-log', up: auditLog.up },
  { name: '032-announcements', up: announcements.up },
]

/**
 * Migrates the database to the schema of this version, completely or not at all. Several processes may call it
 * concurrently.
 *
 * @param now the current time, ISO 8601 UTC.
 * @throws {Error} with a one-line message when a newer version of Quoin migrated the database, or when it has to be
 *   migrated and a server of an older version is running on it.
 */
export async function migrate(db: Knex, now = new Date().toISOString()): Promise<void> {
  // One transaction for all migrations and Knex's own tables: a concurrent process waits, and an interrupted one
  // leaves no partial schema.
  await withWriteLock(
    () =>
      db.transaction(async (trx) => {
        await lockMigrations(trx)
        const applied = await appliedMigrations(trx)
        refuseNewer(applied)
        if (applied.length < MIGRATIONS.length && (await isServed(trx, now))) throw new Error(SERVED)
        await trx.migrate.latest({ migrationSource: source })
      }),
    DEADLINE_MS,
  )
}

/** Any number: all processes that migrate a database ask for the same. */
const MIGRATION_LOCK = 4_837_210

/** Lets one process migrate at a time. On SQLite the transaction itself does. */
async function lockMigrations(trx: Knex): Promise<void> {
  if (isPostgres(trx)) await trx.raw('SELECT pg_advisory_xact_lock(?)', [MIGRATION_LOCK])
}

const source: Knex.MigrationSource<(typeof MIGRATIONS)[number]> = {
  getMigrations: async () => [...MIGRATIONS],
  getMigrationName: ({ name }) => name,
  getMigration: async ({ up }) => ({ up, down: refuseDown }),
}

/** The migrations among these that this version does not know. */
export function unknownMigrations(names: readonly string[]): readonly string[] {
  const known = new Set(MIGRATIONS.map(({ name }) => name))
  return names.filter((name) => !known.has(name))
}

const SERVED =
  'A server of an older version runs on this database, which has to be migrated. Stop it first; after it was killed, wait half a minute.'

async function appliedMigrations(db: Knex): Promise<readonly string[]> {
  if (!(await db.schema.hasTable('knex_migrations'))) return []
  return db('knex_migrations').pluck<string[]>('name')
}

function refuseNewer(applied: readonly string[]): void {
  const unknown = unknownMigrations(applied)
  if (unknown.length > 0) {
    throw new Error(
      `The database belongs to a newer version of Quoin (it has ${unknown.join(', ')}). Run that version, or use another database.`,
    )
  }
}

function refuseDown(): Promise<void> {
  throw new Error('Migrations cannot be reverted; restore a backup instead.')
}
