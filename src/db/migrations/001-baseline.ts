import type { Knex } from 'knex'
import { createAccounts } from './baseline/accounts.ts'
import { createAuditLog } from './baseline/audit-log.ts'
import { createCertificates } from './baseline/certificates.ts'
import { createContentFolders } from './baseline/content-folders.ts'
import { createJobs } from './baseline/jobs.ts'
import { createKeys } from './baseline/keys.ts'
import { createLiveSites } from './baseline/live-sites.ts'
import { createMedia } from './baseline/media.ts'
import { createPages } from './baseline/pages.ts'
import { createProjects } from './baseline/projects.ts'
import { createReleases } from './baseline/releases.ts'
import { createServers } from './baseline/servers.ts'
import { createUsage } from './baseline/usage.ts'
import { createWebhooks } from './baseline/webhooks.ts'

/**
 * The schema of the first version. A file has the tables of one subject, and the triggers that maintain values derived
 * from their rows. No writer can forget these.
 *
 * Ids are 16 characters, times ISO 8601 in UTC (24 characters), digests SHA-256 in hex (64 characters) unless a comment
 * says otherwise. SQLite drops a table's triggers with the table: a migration that rebuilds one creates them again.
 */
export async function up(db: Knex): Promise<void> {
  // A table comes after the tables that it refers to, also when rows are copied from one database to another.
  await createAccounts(db)
  await createProjects(db)
  await createKeys(db)
  await createPages(db)
  await createReleases(db)
  await createLiveSites(db)
  await createMedia(db)
  await createContentFolders(db)
  await createJobs(db)
  await createWebhooks(db)
  await createUsage(db)
  await createAuditLog(db)
  await createCertificates(db)
  await createServers(db)
}
