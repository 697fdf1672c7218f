import type { Knex } from 'knex'
import { createTrigger, jsonMembers } from '../dialect.ts'

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
  await createTrigger(db, { name: 'pins_release_deleted', event: 'DELETE ON releases', statements: [unpin] })
  await createTrigger(db, {
    name: 'pins_release_failed',
    event: 'UPDATE OF state ON releases',
    when: "NEW.state IN ('failed', 'reverted')",
    statements: [unpin],
  })
  // The last one to need an original gives it up: at once, which is before any time.
  const giveUp = `UPDATE originals SET state = 'removing', due_at = '1970-01-01T00:00:00.000Z'
      WHERE id = OLD.original_id AND state = 'stored'
      AND NOT EXISTS (SELECT 1 FROM assets WHERE original_id = OLD.original_id)
      AND NOT EXISTS (SELECT 1 FROM media_pins WHERE original_id = OLD.original_id)`
  await createTrigger(db, { name: 'pins_deleted', event: 'DELETE ON media_pins', statements: [giveUp] })
}

async function sitePins(db: Knex): Promise<void> {
  const named = `SELECT originals.id FROM ${jsonMembers(db, 'NEW.media', 'named')} JOIN originals
    ON originals.project_id = NEW.project_id AND originals.stored_digest = named.value ->> 'digest'
    WHERE originals.state = 'stored'`
  const add = `INSERT INTO media_pins (project_id, holder, original_id)
    SELECT NEW.project_id, NEW.project_id, id FROM (${named}) AS shown WHERE true ON CONFLICT DO NOTHING`
  const remove = `DELETE FROM media_pins WHERE holder = NEW.project_id AND original_id NOT IN (${named})`
  await createTrigger(db, { name: 'pins_site_insert', event: 'INSERT ON live_sites', statements: [add] })
  await createTrigger(db, {
    name: 'pins_site_update',
    event: 'UPDATE OF media ON live_sites',
    when: 'NEW.media <> OLD.media',
    statements: [add, remove],
  })
}
