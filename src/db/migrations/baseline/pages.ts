import type { Knex } from 'knex'
import { createTrigger, jsonItems } from '../../dialect.ts'

/** Pages as they are edited, with their tags, reviews and previews. */
export async function createPages(db: Knex): Promise<void> {
  await createPageRows(db)
  await createTags(db)
  await createReviews(db)
}

async function createPageRows(db: Knex): Promise<void> {
  await db.schema.createTable('pages', (table) => {
    table.string('id', 16).primary()
    table.string('project_id', 16).notNullable().references('projects.id')
    table.string('title', 200).notNullable()
    table.string('slug', 100).notNullable()
    table.string('subroute', 810).notNullable()
    table.string('type', 8).notNullable()
    table.string('status', 16).notNullable()
    table.string('description', 500).notNullable()
    table.text('og_image_url')
    table.text('meta').notNullable()
    table.text('config').notNullable()
    table.text('markdown').notNullable()
    table.text('own_fields').notNullable()
    /** JSON: an array of `[address, name]`. */
    table.text('tags').notNullable().defaultTo('[]')
    /** JSON: an array of the names of its assets, sorted. */
    table.text('media').notNullable().defaultTo('[]')
    /** The id in feeds that its author states. */
    table.string('feed_guid', 500)
    /** The id in feeds of a page that states none, from its first publish on. */
    table.text('feed_id')
    table.integer('sections_count').notNullable()
    table.integer('word_count').notNullable()
    table.string('content_digest', 43).notNullable()
    table.string('published_at', 24)
    table.string('first_published_at', 24)
    /** No foreign key: the page outlives the account. */
    table.string('created_by', 16)
    table.string('created_at', 24).notNullable()
    table.string('updated_at', 24).notNullable()
    table.integer('version').notNullable()
    table.unique(['project_id', 'subroute', 'slug'])
    for (const order of ['updated_at', 'created_at', 'title', 'slug'])
      table.index(['project_id', order, 'id'])
    for (const filter of ['type', 'status', 'subroute'])
      table.index(['project_id', filter, 'updated_at', 'id'])
    table.index(['project_id', 'type', 'status', 'updated_at', 'id'])
    // Covers all columns of a project's page statistics.
    table.index(['project_id', 'status', 'type', 'word_count', 'published_at'])
  })
  await db.raw(
    'CREATE UNIQUE INDEX pages_feed_guid ON pages (project_id, feed_guid) WHERE feed_guid IS NOT NULL',
  )
}

/** Pages by the addresses of their tags. */
async function createTags(db: Knex): Promise<void> {
  await db.schema.createTable('page_tags', (table) => {
    table.string('project_id', 16).notNullable()
    table.string('address', 255).notNullable()
    table.string('page_id', 16).notNullable()
    table.primary(['project_id', 'address', 'page_id'])
    table.index(['page_id'])
  })
  const add = `INSERT INTO page_tags (project_id, address, page_id)
    SELECT NEW.project_id, items.value ->> 0, NEW.id FROM ${jsonItems(db, 'NEW.tags')}`
  const remove = 'DELETE FROM page_tags WHERE page_id = OLD.id'
  await createTrigger(db, {
    name: 'tags_pages_insert',
    event: 'INSERT ON pages',
    when: "NEW.tags <> '[]'",
    statements: [add],
  })
  await createTrigger(db, {
    name: 'tags_pages_update',
    event: 'UPDATE OF tags ON pages',
    when: 'NEW.tags <> OLD.tags',
    statements: [remove, add],
  })
  await createTrigger(db, {
    name: 'tags_pages_delete',
    event: 'DELETE ON pages',
    when: "OLD.tags <> '[]'",
    statements: [remove],
  })
}

async function createReviews(db: Knex): Promise<void> {
  /** Pages proposed for publishing by authors, and notes with which editors return them. A published page has none. */
  await db.schema.createTable('page_reviews', (table) => {
    table.string('page_id', 16).primary().references('pages.id').onDelete('CASCADE')
    table.string('project_id', 16).notNullable()
    /** `proposed` or `returned`. */
    table.string('state', 16).notNullable()
    table.string('proposed_by', 16).notNullable()
    table.string('proposed_at', 24).notNullable()
    /** The version of the page that was proposed. */
    table.integer('version').notNullable()
    table.text('note').notNullable()
    table.string('returned_by', 16)
    table.string('returned_at', 24)
    table.index(['project_id', 'state', 'proposed_at'])
  })

  /** Preview links that were opened after their end. */
  await db.schema.createTable('expired_previews', (table) => {
    /** Digest of the token. */
    table.string('digest', 64).primary()
    table.string('expires_at', 24).notNullable()
    table.index(['expires_at'])
  })
}
