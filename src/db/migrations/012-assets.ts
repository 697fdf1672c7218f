import type { Knex } from 'knex'
import { mediaNames } from '../../domain/media-names.ts'
import { createTrigger, jsonMembers, jsonTexts } from '../dialect.ts'

/**
 * Assets, their originals in the media store, and which pages name them. Triggers keep what follows from other rows, so
 * that no writer can forget it.
 */
export async function up(db: Knex): Promise<void> {
  await createOriginals(db)
  await createAssets(db)
  await createDraftNames(db)
  await createLiveNames(db)
  await readStored(db)
}

async function createOriginals(db: Knex): Promise<void> {
  await db.schema.createTable('originals', (table) => {
    table.string('id', 16).primary()
    table.string('project_id', 16).notNullable().references('projects.id')
    /** SHA-256, hex. */
    table.string('digest', 64).notNullable()
    table.bigInteger('bytes').notNullable()
    /** `storing` until an asset has it, then `stored`; `removing` until it is gone from the store. */
    table.string('state', 8).notNullable()
    /** When it may be removed from the store; null while it is stored. */
    table.string('due_at', 24)
    table.index(['project_id', 'digest'])
    table.index(['due_at'])
  })
  await db.schema.alterTable('project_usage', (table) => {
    table.bigInteger('media_bytes').notNullable().defaultTo(0)
  })
  const add = (row: 'NEW' | 'OLD', bytes: string) =>
    `UPDATE project_usage SET media_bytes = media_bytes + ${bytes} WHERE project_id = ${row}.project_id`
  const counted = (row: 'NEW' | 'OLD') => `(CASE ${row}.state WHEN 'removing' THEN 0 ELSE ${row}.bytes END)`
  await trigger(db, 'usage_originals_insert', 'INSERT ON originals', [add('NEW', counted('NEW'))])
  await trigger(db, 'usage_originals_update', 'UPDATE OF state, bytes ON originals', [
    add('NEW', `${counted('NEW')} - ${counted('OLD')}`),
  ])
  await trigger(db, 'usage_originals_delete', 'DELETE ON originals', [add('OLD', `-${counted('OLD')}`)])
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
    /** What is known of a picture, JSON; null for other files. */
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
  // An upload that is still storing its original finds out by itself that the project is gone.
  await trigger(
    db,
    'assets_project_deleted',
    'UPDATE OF deleted_at ON projects WHEN NEW.deleted_at IS NOT NULL',
    [
      'DELETE FROM assets WHERE project_id = NEW.id',
      "UPDATE originals SET state = 'removing', due_at = NEW.deleted_at WHERE project_id = NEW.id AND state = 'stored'",
    ],
  )
}

/** Names of assets in the pages as they are now. */
async function createDraftNames(db: Knex): Promise<void> {
  await db.schema.alterTable('pages', (table) => {
    /** JSON: an array of names, sorted. */
    table.text('media').notNullable().defaultTo('[]')
  })
  await namesTable(db, 'page_media')
  const add = `INSERT INTO page_media (project_id, name, page_id)
    SELECT NEW.project_id, items.value, NEW.id FROM ${jsonTexts(db, 'NEW.media')}`
  const remove = 'DELETE FROM page_media WHERE page_id = OLD.id'
  await trigger(db, 'media_pages_insert', "INSERT ON pages WHEN NEW.media <> '[]'", [add])
  await trigger(db, 'media_pages_update', 'UPDATE OF media ON pages WHEN NEW.media <> OLD.media', [
    remove,
    add,
  ])
  await trigger(db, 'media_pages_delete', "DELETE ON pages WHEN OLD.media <> '[]'", [remove])
}

/** Names of assets in the pages as they are live. */
async function createLiveNames(db: Knex): Promise<void> {
  await db.schema.alterTable('releases', (table) => {
    /** What the names in the page and in its settings meant when the release was accepted, JSON: name → digest. */
    table.text('media').notNullable().defaultTo('{}')
  })
  await namesTable(db, 'live_media')
  const add = `INSERT INTO live_media (project_id, name, page_id)
    SELECT NEW.project_id, names.key, NEW.page_id FROM releases, ${jsonMembers(db, 'releases.media', 'names')}
    WHERE releases.id = NEW.release_id AND releases.media <> '{}' ON CONFLICT DO NOTHING`
  const remove = 'DELETE FROM live_media WHERE page_id = OLD.page_id'
  await trigger(db, 'media_live_insert', 'INSERT ON live_pages', [add])
  await trigger(
    db,
    'media_live_update',
    'UPDATE OF release_id ON live_pages WHEN NEW.release_id <> OLD.release_id',
    [remove, add],
  )
  await trigger(db, 'media_live_delete', 'DELETE ON live_pages', [remove])
}

async function namesTable(db: Knex, name: string): Promise<void> {
  await db.schema.createTable(name, (table) => {
    table.string('project_id', 16).notNullable()
    table.string('name', 200).notNullable()
    table.string('page_id', 16).notNullable()
    table.primary(['project_id', 'name', 'page_id'])
    table.index(['page_id'])
  })
}

/** Pages that named assets before there were any. */
async function readStored(db: Knex): Promise<void> {
  const naming = await db('pages')
    .where((naming) => {
      for (const column of ['markdown', 'config', 'og_image_url']) naming.orWhere(column, 'like', '%/media/%')
    })
    .select('id', 'markdown', 'config', 'og_image_url')
  for (const { id, markdown, config, og_image_url } of naming) {
    const names = mediaNames([markdown, JSON.parse(config), og_image_url])
    if (names.length > 0)
      await db('pages')
        .where({ id })
        .update({ media: JSON.stringify(names) })
  }
}

async function trigger(db: Knex, name: string, event: string, statements: readonly string[]): Promise<void> {
  const [what = '', when] = event.split(' WHEN ')
  await createTrigger(db, { name, event: what, when, statements })
}
