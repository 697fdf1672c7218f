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
import * as severalMachines from './migrations/027-several-machines.ts'
import * as pageReviews from './migrations/030-page-reviews.ts'
import * as announcements from './migrations/032-announcements.ts'
import * as writeGate from './migrations/035-write-gate.ts'
import * as passkeys from './migrations/037-passkeys.ts'
import * as mail from './migrations/038-mail.ts'
import * as backgroundWork from './migrations/039-background-work.ts'
import * as locales from './migrations/040-locales.ts'
import * as variables from './migrations/041-variables.ts'
import * as certificates from './migrations/043-certificates.ts'
import * as acmeOrders from './migrations/045-acme-orders.ts'
import * as visits from './migrations/046-visits.ts'
import * as siteMcp from './migrations/049-site-mcp.ts'
import * as darkLogos from './migrations/050-dark-logos.ts'
import * as sources from './migrations/051-sources.ts'
import * as pushes from './migrations/052-pushes.ts'
import * as mediaRefresh from './migrations/053-media-refresh.ts'
import * as lateWrites from './migrations/055-late-writes.ts'
import * as accountStates from './migrations/057-account-states.ts'
import * as endsOfSecrets from './migrations/058-ends-of-secrets.ts'
import * as feedIds from './migrations/061-feed-ids.ts'
import * as invitations from './migrations/064-invitations.ts'
import * as transferOffers from './migrations/065-transfer-offers.ts'
import * as languagesOfSettings from './migrations/067-languages-of-settings.ts'
import * as knownBrowsers from './migrations/069-known-browsers.ts'
import * as pushConflicts from './migrations/074-push-conflicts.ts'
import * as redirects from './migrations/076-redirects.ts'
import * as refusedSignIns from './migrations/077-refused-sign-ins.ts'
import * as previousAddresses from './migrations/078-previous-addresses.ts'
import { isConflict } from './postgres-errors.ts'
import { isServed } from './server-presence.ts'
import { pauseWhileLocked, withWriteLock } from './write-lock.ts'

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
  { name: '027-several-machines', up: severalMachines.up },
  { name: '030-page-reviews', up: pageReviews.up },
  { name: '032-announcements', up: announcements.up },
  { name: '035-write-gate', up: writeGate.up },
  { name: '037-passkeys', up: passkeys.up },
  { name: '038-mail', up: mail.up },
  { name: '039-background-work', up: backgroundWork.up },
  { name: '040-locales', up: locales.up },
  { name: '041-variables', up: variables.up },
  { name: '043-certificates', up: certificates.up },
  { name: '045-acme-orders', up: acmeOrders.up },
  { name: '046-visits', up: visits.up },
  { name: '049-site-mcp', up: siteMcp.up },
  { name: '050-dark-logos', up: darkLogos.up },
  { name: '051-sources', up: sources.up },
  { name: '052-pushes', up: pushes.up },
  { name: '053-media-refresh', up: mediaRefresh.up },
  { name: '055-late-writes', up: lateWrites.up },
  { name: '057-account-states', up: accountStates.up },
  { name: '058-ends-of-secrets', up: endsOfSecrets.up },
  { name: '061-feed-ids', up: feedIds.up },
  { name: '064-invitations', up: invitations.up },
  { name: '065-transfer-offers', up: transferOffers.up },
  { name: '067-languages-of-settings', up: languagesOfSettings.up },
  { name: '069-known-browsers', up: knownBrowsers.up },
  { name: '074-push-conflicts', up: pushConflicts.up },
  { name: '076-redirects', up: redirects.up },
  { name: '077-refused-sign-ins', up: refusedSignIns.up },
  { name: '078-previous-addresses', up: previousAddresses.up },
]

/**
 * Migrations from this one on only add tables and columns that may be empty, so that servers of the version before go on
 * while they run. What a version no longer uses is removed by the next one.
 */
const FIRST_ADDITIVE = '027'

/**
 * Migrates the database to the schema of this version, completely or not at all. Several processes may call it
 * concurrently.
 *
 * @returns the names of the migrations that ran.
 * @throws {Error} with a one-line message when a newer version of Quoin migrated the database, or when a migration that
 *   servers of an older version could not bear has to run while one is running.
 */
export async function migrate(db: Knex): Promise<readonly string[]> {
  // One transaction for all migrations and Knex's own tables: a concurrent process waits, and an interrupted one
  // leaves no partial schema.
  return withWriteLock(
    () =>
      unlessBlocked(() =>
        db.transaction(async (trx) => {
          await lockMigrations(trx)
          const pending = pendingAfter(await appliedMigrations(trx))
          if (pending.some((name) => name < FIRST_ADDITIVE) && (await isServed(trx))) throw new Error(SERVED)
          await trx.migrate.latest({ migrationSource: source })
          return pending
        }),
      ),
    DEADLINE_MS,
  )
}

/**
 * The migrations that the database lacks.
 *
 * @throws {Error} with a one-line message when a newer version of Quoin migrated the database.
 */
export async function pendingMigrations(db: Knex): Promise<readonly string[]> {
  return pendingAfter(await appliedMigrations(db))
}

/** Any number: all processes that migrate a database ask for the same. */
const MIGRATION_LOCK = 4_837_210

/**
 * Lets one process migrate at a time. On SQLite the transaction itself does. A statement that waits for a long query
 * makes all later queries of its table wait, so it gives up early and runs again; a frozen process loses its locks.
 */
async function lockMigrations(trx: Knex): Promise<void> {
  if (!isPostgres(trx)) return
  await trx.raw(`SET LOCAL idle_in_transaction_session_timeout = '60s'`)
  await trx.raw(`SET LOCAL lock_timeout = '60s'`)
  await trx.raw('SELECT pg_advisory_xact_lock(?)', [MIGRATION_LOCK])
  await trx.raw(`SET LOCAL lock_timeout = '2s'`)
}

/** Repeats a migration that had to wait for a lock of running queries. Nothing of it was written. */
async function unlessBlocked<Result>(attempt: () => PromiseLike<Result>): Promise<Result> {
  const deadline = performance.now() + DEADLINE_MS
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (!isConflict(error) || performance.now() >= deadline) throw error
      await pauseWhileLocked()
    }
  }
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

function pendingAfter(applied: readonly string[]): readonly string[] {
  const unknown = unknownMigrations(applied)
  if (unknown.length > 0) {
    throw new Error(
      `The database belongs to a newer version of Quoin (it has ${unknown.join(', ')}). Run that version, or use another database.`,
    )
  }
  return MIGRATIONS.map(({ name }) => name).filter((name) => !applied.includes(name))
}

function refuseDown(): Promise<void> {
  throw new Error('Migrations cannot be reverted; restore a backup instead.')
}
