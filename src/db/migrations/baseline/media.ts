import type { Knex } from 'knex'
import { createTrigger, jsonMembers, jsonTexts } from '../../dialect.ts'

/** Assets, their originals in the media store, and the pages, releases and sites that need them. */
export async function createMedia(db: Knex): Promise<void> {
  await createOriginals(db)
  await createVariants(db)
  await createAssets(db)
  await createDraftNames(db)
  await createLiveNames(db)
  await createPins(db)
}

async function createOriginals(db: Knex): Promise<void> {
  await db.schema.createTable('originals', (table) => {
    table.string('id', 16).primary()
    table.string('project_id', 16).notNullable().references('projects.id')
    table.string('digest', 64).notNullable()
    /**
     * Digest of the bytes in the media store: those of `digest` without metadata. Null for an image whose metadata was
     * never removed. It is not published.
     */
    table.string('stored_digest', 64)
    table.bigInteger('bytes').notNullable()
    /** `storing` until an asset has it, then `stored`; `removing` until it is deleted from the store. */
    table.string('state', 8).notNullable()
    /** When it may be removed from the store; null while it is stored. */
    table.string('due_at', 24)
    /** True if a repair found neither its bytes nor a published copy of them. */
    table.boolean('is_lost').notNullable().defaultTo(false)
    /** The status of its assets; null where no variants were requested. */
    table.string('variants', 16)
    table.text('failure')
    /** Version of the recipe of the variants that pages get. */
    table.integer('recipe').notNullable().defaultTo(1)
    /** Version of the recipe that variants were requested with last. */
    table.integer('requested_recipe').notNullable().defaultTo(1)
    /** When the variants of the recipe replaced those of an earlier one; null where none were replaced. */
    table.string('recipe_since', 24)
    table.index(['project_id', 'digest'])
    table.index(['project_id', 'stored_digest'])
    table.index(['due_at'])
  })
}

/**
 * Creates the table of smaller images derived from originals. They are in the media store for as long as their
 * original.
 */
async function createVariants(db: Knex): Promise<void> {
  await db.schema.createTable('media_variants', (table) => {
    table.string('original_id', 16).notNullable().references('originals.id')
    table.string('project_id', 16).notNullable()
    table.string('format', 8).notNullable()
    table.integer('width').notNullable()
    table.integer('height').notNullable()
    /** Version of the recipe that it was derived with. */
    table.integer('recipe').notNullable().defaultTo(1)
    table.string('digest', 64).notNullable()
    table.bigInteger('bytes').notNullable()
    /** Since when pages get it; null where that was not recorded. */
    table.string('since', 24)
    table.primary(['original_id', 'format', 'width', 'recipe'])
    table.index(['project_id', 'digest'])
    table.index(['project_id', 'since'])
  })
  await createTrigger(db, {
    name: 'variants_original_deleted',
    time: 'BEFORE',
    event: 'DELETE ON originals',
    statements: ['DELETE FROM media_variants WHERE original_id = OLD.id'],
  })
}

async function createAssets(db: Knex): Promise<void> {
  await db.schema.createTable('assets', (table) => {
    table.string('id', 16).primary()
    table.string('project_id', 16).notNullable().references('projects.id')
    table.string('name', 200).notNullable()
    table.string('original_id', 16).notNullable().references('originals.id')
    table.string('digest', 64).notNullable()
    table.bigInteger('bytes').notNullable()
    table.string('kind', 8).notNullable()
    table.string('content_type', 100).notNullable()
    /** Facts of an image, JSON; null for other files. */
    table.text('image')
    table.string('alt', 1000).notNullable()
    table.string('title', 500).notNullable()
    table.float('focus_x')
    table.float('focus_y')
    table.string('status', 16).notNullable()
    table.text('failure')
    table.string('created_at', 24).notNullable()
    table.string('updated_at', 24).notNullable()
    table.integer('version').notNullable()
    table.unique(['project_id', 'name'])
    table.index(['project_id', 'digest'])
    table.index(['original_id'])
    for (const order of ['created_at', 'updated_at', 'bytes']) table.index(['project_id', order, 'id'])
  })
  // An upload that is still storing its original notices the deletion of the project by itself.
  await createTrigger(db, {
    name: 'assets_project_deleted',
    event: 'UPDATE OF deleted_at ON projects',
    when: 'NEW.deleted_at IS NOT NULL',
    statements: [
      'DELETE FROM assets WHERE project_id = NEW.id',
      "UPDATE originals SET state = 'removing', due_at = NEW.deleted_at WHERE project_id = NEW.id AND state = 'stored'",
    ],
  })
}

/** Names of assets in the pages as they are edited. */
async function createDraftNames(db: Knex): Promise<void> {
  await createNames(db, 'page_media')
  const add = `INSERT INTO page_media (project_id, name, page_id)
    SELECT NEW.project_id, items.value, NEW.id FROM ${jsonTexts(db, 'NEW.media')}`
  const remove = 'DELETE FROM page_media WHERE page_id = OLD.id'
  await createTrigger(db, {
    name: 'media_pages_insert',
    event: 'INSERT ON pages',
    when: "NEW.media <> '[]'",
    statements: [add],
  })
  await createTrigger(db, {
    name: 'media_pages_update',
    event: 'UPDATE OF media ON pages',
    when: 'NEW.media <> OLD.media',
    statements: [remove, add],
  })
  await createTrigger(db, {
    name: 'media_pages_delete',
    event: 'DELETE ON pages',
    when: "OLD.media <> '[]'",
    statements: [remove],
  })
}

/** Names of assets in the pages as they are live. */
async function createLiveNames(db: Knex): Promise<void> {
  await createNames(db, 'live_media')
  const add = `INSERT INTO live_media (project_id, name, page_id)
    SELECT NEW.project_id, names.key, NEW.page_id FROM releases, ${jsonMembers(db, 'releases.media', 'names')}
    WHERE releases.id = NEW.release_id AND releases.media <> '{}' ON CONFLICT DO NOTHING`
  const remove = 'DELETE FROM live_media WHERE page_id = OLD.page_id'
  await createTrigger(db, { name: 'media_live_insert', event: 'INSERT ON live_pages', statements: [add] })
  await createTrigger(db, {
    name: 'media_live_update',
    event: 'UPDATE OF release_id ON live_pages',
    when: 'NEW.release_id <> OLD.release_id',
    statements: [remove, add],
  })
  await createTrigger(db, { name: 'media_live_delete', event: 'DELETE ON live_pages', statements: [remove] })
}

async function createNames(db: Knex, name: string): Promise<void> {
  await db.schema.createTable(name, (table) => {
    table.string('project_id', 16).notNullable()
    table.string('name', 200).notNullable()
    table.string('page_id', 16).notNullable()
    table.primary(['project_id', 'name', 'page_id'])
    table.index(['page_id'])
  })
}

/** Creates the table of originals that releases and live sites need. They therefore stay in the media store. */
async function createPins(db: Knex): Promise<void> {
  await db.schema.createTable('media_pins', (table) => {
    table.string('project_id', 16).notNullable()
    /** Id of the release, or of the project for what its site shows by its settings. */
    table.string('holder', 16).notNullable()
    table.string('original_id', 16).notNullable()
    table.primary(['holder', 'original_id'])
    table.index(['original_id'])
    table.index(['project_id'])
  })
  await pinByReleases(db)
  await pinBySites(db)
  // The last one to need an original gives it up: at once, which is before any time.
  const giveUp = `UPDATE originals SET state = 'removing', due_at = '1970-01-01T00:00:00.000Z'
      WHERE id = OLD.original_id AND state = 'stored'
      AND NOT EXISTS (SELECT 1 FROM assets WHERE original_id = OLD.original_id)
      AND NOT EXISTS (SELECT 1 FROM media_pins WHERE original_id = OLD.original_id)`
  await createTrigger(db, { name: 'pins_deleted', event: 'DELETE ON media_pins', statements: [giveUp] })
}

/** A release has its pins from its acceptance until it fails or is pruned. */
async function pinByReleases(db: Knex): Promise<void> {
  const unpin = 'DELETE FROM media_pins WHERE holder = OLD.id'
  await createTrigger(db, { name: 'pins_release_deleted', event: 'DELETE ON releases', statements: [unpin] })
  await createTrigger(db, {
    name: 'pins_release_failed',
    event: 'UPDATE OF state ON releases',
    when: "NEW.state IN ('failed', 'reverted')",
    statements: [unpin],
  })
}

async function pinBySites(db: Knex): Promise<void> {
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
