import type { Knex } from 'knex'
import { isPostgres } from '../../dialect.ts'

/** Creates the tables of releases, of their settings and files, of content keys, and of leases. */
export async function createReleases(db: Knex): Promise<void> {
  await createReleaseRows(db)
  await createArtifacts(db)
  await createLeases(db)
}

async function createReleaseRows(db: Knex): Promise<void> {
  await db.schema.createTable('settings_snapshots', (table) => {
    table.string('project_id', 16).notNullable().references('projects.id')
    table.string('digest', 64).notNullable()
    table.text('settings').notNullable()
    table.primary(['project_id', 'digest'])
  })

  await db.schema.createTable('releases', (table) => {
    /** Position in the order of acceptance. */
    table.bigIncrements('seq')
    table.string('id', 16).notNullable().unique()
    table.string('project_id', 16).notNullable().references('projects.id')
    /** No foreign key: the record outlives the page. Null for a change of the whole site. */
    table.string('page_id', 16)
    table.string('op', 16).notNullable()
    table.string('state', 16).notNullable()
    /** Page and site as of acceptance, JSON. The settings are in `settings_snapshots`. */
    table.text('snapshot').notNullable()
    table.string('settings_digest', 64).notNullable()
    /** The assets that names in the page and in its settings meant at its acceptance, JSON: name → digest. */
    table.text('media').notNullable().defaultTo('{}')
    table.string('status_after', 16)
    table.boolean('lenient').notNullable()
    table.boolean('strict').notNullable()
    /** The release whose snapshot a rollback restores. */
    table.string('restores', 16)
    table.string('title', 200)
    table.string('path', 1024)
    /** False for a release without an effect: refused, or equal to the live version. */
    table.boolean('in_history').notNullable()
    /** Digests of the published page, JSON; null when the release published none. */
    table.text('digests')
    /** Previous values of an edit in the same request, JSON, to restore when the release is refused. */
    table.text('undo')
    table.text('outcome')
    table.text('failure')
    /** Who asked for it, JSON; null for work of the service itself. */
    table.text('actor')
    table.integer('attempts').notNullable().defaultTo(0)
    table.integer('fence').notNullable().defaultTo(0)
    /** True if files of the release may have been written: from then on it cannot be withdrawn. */
    table.boolean('is_deploying').notNullable().defaultTo(false)
    table.string('created_at', 24).notNullable()
    /** When a request that awaits the release has to be answered; null when none does. */
    table.string('deadline_at', 24)
    table.string('finished_at', 24)
    table.index(['project_id', 'state', 'seq'])
    table.index(['page_id', 'in_history', 'seq'])
    table.index(['state', 'seq'])
    table.index(['project_id', 'settings_digest'])
  })
  // Finds ended releases with long snapshots that are not compressed yet. PostgreSQL compresses long texts itself.
  if (!isPostgres(db))
    await db.raw(`CREATE INDEX releases_uncompressed_index ON releases (seq)
    WHERE finished_at IS NOT NULL AND typeof(snapshot) = 'text' AND octet_length(snapshot) >= 16384`)

  await db.schema.createTable('release_objects', (table) => {
    table.string('project_id', 16).notNullable().references('projects.id')
    table.string('release_id', 16).notNullable()
    table.string('key', 1024).notNullable()
    table.string('stage', 8).notNullable()
    /** Digest of the plaintext; references `artifacts`. */
    table.string('digest', 64).notNullable()
    table.primary(['release_id', 'key'])
    table.index(['project_id', 'digest'])
  })
}

async function createArtifacts(db: Knex): Promise<void> {
  await db.schema.createTable('artifacts', (table) => {
    table.string('project_id', 16).notNullable().references('projects.id')
    table.string('digest', 64).notNullable()
    /** Compressed, and sealed if `sealed`. */
    table.binary('bytes').notNullable()
    /** True if the bytes are sealed with the project's key of version 0. */
    table.boolean('sealed').notNullable()
    table.primary(['project_id', 'digest'])
    // Covers `sealed`, so that finding unsealed artifacts does not read their bytes.
    table.index(['project_id', 'sealed'])
  })

  await db.schema.createTable('content_keys', (table) => {
    table.string('project_id', 16).notNullable().references('projects.id')
    /** Content keys count from 1. Key 0 seals stored artifacts. */
    table.integer('key_version').notNullable()
    /** Wrapped with the master key; null once the key was destroyed. */
    table.text('wrapped')
    table.string('master_key_id', 16).notNullable()
    table.string('state', 16).notNullable()
    /** The release that created the key and returns it in its answer. */
    table.string('release_id', 16).unique()
    table.string('created_at', 24).notNullable()
    table.primary(['project_id', 'key_version'])
  })
}

async function createLeases(db: Knex): Promise<void> {
  /** The process that publishes a project. */
  await db.schema.createTable('project_leases', (table) => {
    table.string('project_id', 16).primary().references('projects.id')
    /** The process that has the lease; null when it is free. */
    table.string('owner', 32)
    /** Grows when the lease changes hands. Writes with an older fence change no row. */
    table.integer('fence').notNullable()
    /** Grows with each renewal, every second. */
    table.integer('beat').notNullable()
  })

  /**
   * A table without rows, which transactions lock to run concurrently, or alone. SQLite runs one transaction at a time
   * anyway.
   */
  if (isPostgres(db)) await db.raw('CREATE TABLE write_gate ()')
}
