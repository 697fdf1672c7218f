import type { Knex } from 'knex'

/**
 * Which originals releases and live sites need, so that those stay in the media store. Triggers keep what follows from
 * other rows.
 */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('originals', (table) => {
    /**
     * SHA-256 of the bytes in the media store, hex: those of `digest` without metadata. Null for pictures of before,
     * whose metadata is still in them: they are not published.
     */
    table.string('stored_digest', 64)
    table.index(['project_id', 'stored_digest'])
  })
  const pictures = db('assets').whereNotNull('image').select('original_id')
  await db('originals')
    .whereNotIn('id', pictures)
    .update({ stored_digest: db.ref('digest') })
  await db.schema.createTable('media_pins', (table) => {
    table.string('project_id', 16).notNullable()
    /** Id of the release, or of the project for what its site shows by its settings. */
    table.string('holder', 16).notNullable()
    table.string('original_id', 16).notNullable()
    table.primary(['holder', 'original_id'])
    table.index(['original_id'])
    table.index(['project_id'])
  })
  await db.schema.alterTable('live_sites', (table) => {
    /** What the settings name, JSON: see `MediaSource`. */
    table.text('media').notNullable().defaultTo('{}')
  })
  await releasePins(db)
  await sitePins(db)
}

/** A release has its pins from its acceptance until it fails or is pruned. */
async function releasePins(db: Knex): Promise<void> {
  const unpin = 'DELETE FROM media_pins WHERE holder = OLD.id'
  await trigger(db, 'pins_release_deleted', 'DELETE ON releases', '', [unpin])
  await trigger(
    db,
    'pins_release_failed',
    'UPDATE OF state ON releases',
    "WHEN NEW.state IN ('failed', 'reverted')",
    [unpin],
  )
  // The last one to need an original gives it up: at once, which is before any time.
  await trigger(db, 'pins_deleted', 'DELETE ON media_pins', '', [
    `UPDATE originals SET state = 'removing', due_at = '1970-01-01T00:00:00.000Z'
      WHERE id = OLD.original_id AND state = 'stored'
      AND NOT EXISTS (SELECT 1 FROM assets WHERE original_id = OLD.original_id)
      AND NOT EXISTS (SELECT 1 FROM media_pins WHERE original_id = OLD.original_id)`,
  ])
}

async function sitePins(db: Knex): Promise<void> {
  const named = `SELECT originals.id FROM json_each(NEW.media) AS named JOIN originals
    ON originals.project_id = NEW.project_id AND originals.stored_digest = named.value ->> 'digest'
    WHERE originals.state = 'stored'`
  const add = `INSERT OR IGNORE INTO media_pins (project_id, holder, original_id)
    SELECT NEW.project_id, NEW.project_id, id FROM (${named})`
  const remove = `DELETE FROM media_pins WHERE holder = NEW.project_id AND original_id NOT IN (${named})`
  await trigger(db, 'pins_site_insert', 'INSERT ON live_sites', '', [add])
  await trigger(db, 'pins_site_update', 'UPDATE OF media ON live_sites', 'WHEN NEW.media <> OLD.media', [
    add,
    remove,
  ])
}

async function trigger(
  db: Knex,
  name: string,
  event: string,
  condition: string,
  statements: readonly string[],
): Promise<void> {
  await db.raw(
    `CREATE TRIGGER ${name} AFTER ${event} FOR EACH ROW ${condition} BEGIN ${statements.join('; ')}; END`,
  )
}
