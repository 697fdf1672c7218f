import type { Knex } from 'knex'

/*
 * Databases of snapshots before the baseline, created by the migrations that it replaced. A database with all of them
 * has the schema of the baseline and of `002-previous-addresses`: only its record has to change.
 */

export const EARLY_MIGRATIONS: readonly string[] = `
  001-foundation 002-job-warnings 003-account-usage 004-domain-proofs 005-job-turns 006-closed-batches 007-publishing
  009-tags 010-wide-addresses 011-site-data 012-assets 013-published-media 014-picture-variants 015-sealed-media
  017-social-cards 018-started-deploys 020-media-repair 022-cache-purges 023-key-rotation 024-sessions 025-members
  026-audit-log 027-several-machines 030-page-reviews 032-announcements 035-write-gate 037-passkeys 038-mail
  039-background-work 040-locales 041-variables 043-certificates 045-acme-orders 046-visits 049-site-mcp 050-dark-logos
  051-sources 052-pushes 053-media-refresh 055-late-writes 057-account-states 058-ends-of-secrets 061-feed-ids
  064-invitations 065-transfer-offers 067-languages-of-settings 069-known-browsers 074-push-conflicts 076-redirects
  077-refused-sign-ins 078-previous-addresses`
  .trim()
  .split(/\s+/)

/** The migrations that have the same effect. */
const SUCCESSORS: readonly string[] = ['001-baseline', '002-previous-addresses']

/**
 * Reports whether a database has the early migrations, and nothing else.
 *
 * @param names of the migrations of the database.
 * @throws {Error} with a one-line message if it has only some of them.
 */
export function hasEarlyRecord(names: readonly string[]): boolean {
  if (!names.includes('001-foundation')) return false
  const missing = EARLY_MIGRATIONS.filter((name) => !names.includes(name))
  if (missing.length > 0)
    throw new Error(
      `The database belongs to an early snapshot of Quoin (it lacks ${shortened(missing)}), from which this version does not migrate. Let the snapshot of November 30, 2026 (commit a744fa34) migrate it first.`,
    )
  return names.length === EARLY_MIGRATIONS.length
}

function shortened([first, ...others]: readonly string[]): string {
  return others.length === 0 ? `${first}` : `${first} and ${others.length} more`
}

/** Records the successors of the early migrations, and does the work they left to a running service. */
export async function replaceEarlyRecord(trx: Knex): Promise<void> {
  await namePageCreators(trx)
  await trx.schema.dropTable('backfills')
  await trx('knex_migrations').delete()
  await trx('knex_migrations').insert(
    SUCCESSORS.map((name) => ({ name, batch: 1, migration_time: new Date() })),
  )
}

/**
 * Names the owner of the project as the creator of pages from before there were members. A service did so after its start,
 * which it may never have had, or not for long enough.
 */
async function namePageCreators(trx: Knex): Promise<void> {
  const finished = trx('backfills').where({ name: 'page-creators' }).whereNotNull('finished_at')
  if ((await finished.first('name')) !== undefined) return
  const owner = trx('projects').where('projects.id', trx.ref('pages.project_id')).select('user_id')
  await trx('pages').whereNull('created_by').update({ created_by: owner })
}
