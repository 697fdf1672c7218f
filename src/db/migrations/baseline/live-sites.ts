import type { Knex } from 'knex'

/**
 * Creates the tables of live sites: objects in the store, pages with their facts for other pages, search and redirects.
 */
export async function createLiveSites(db: Knex): Promise<void> {
  await createLiveObjects(db)
  await createLivePages(db)
  await createSearch(db)
  await createRedirects(db)
}

async function createLiveObjects(db: Knex): Promise<void> {
  await db.schema.createTable('live_objects', (table) => {
    table.string('project_id', 16).notNullable().references('projects.id')
    table.string('key', 1024).notNullable()
    table.string('owner_kind', 16).notNullable()
    /** For a list of a tag, the address of its blog and the name of the tag. */
    table.string('owner_id', 1024).notNullable()
    /** The release that is about to write the object. */
    table.string('claimed_by', 16)
    /** Digest of the plaintext. Null for a claim, and for an object that is marked for deletion. */
    table.string('artifact_digest', 64)
    table.string('header_digest', 64)
    /** Id of the content key that seals the object. */
    table.string('key_id', 16)
    table.bigInteger('size')
    table.string('release_id', 16)
    /** Publish time of the release that wrote the object. */
    table.string('published_at', 24)
    /** When an asset was first found to be orphaned. */
    table.string('unnamed_since', 24)
    table.primary(['project_id', 'key'])
    table.index(['project_id', 'owner_kind', 'owner_id'])
    table.index(['claimed_by'])
    table.index(['project_id', 'artifact_digest'])
  })
  // Finds the releases that wrote sealed objects: they are retained as long as the objects.
  await db.raw('CREATE INDEX live_objects_sealed_by ON live_objects (release_id) WHERE key_id IS NOT NULL')

  /** Objects that a write may still reach after it was given up without an answer of the store. */
  await db.schema.createTable('late_writes', (table) => {
    table.string('project_id', 16).notNullable().references('projects.id')
    /** Key of an object, relative to the project's prefix; empty for all files of the site itself. */
    table.string('key', 1024).notNullable()
    /** When the last of these writes was given up, or later. */
    table.string('given_up_at', 24).notNullable()
    table.primary(['project_id', 'key'])
  })

  /** The pending purges of the CDN. */
  await db.schema.createTable('cache_purges', (table) => {
    table.string('project_id', 16).notNullable().references('projects.id')
    /** Key of an object, relative to the project's prefix; empty for the whole site. */
    table.string('key', 1024).notNullable()
    /** Changes with each request. */
    table.string('request_id', 16).notNullable()
    table.string('due_at', 24).notNullable()
    /** True if it was purged once, and is purged again for answers that were on their way. */
    table.boolean('is_repeat').notNullable()
    table.primary(['project_id', 'key'])
    table.index(['due_at'])
  })
}

async function createLivePages(db: Knex): Promise<void> {
  await db.schema.createTable('live_sites', (table) => {
    table.string('project_id', 16).primary().references('projects.id')
    /** Counts the changes to the live site. */
    table.integer('revision').notNullable()
    /** Site and settings that the indexes were last written with. */
    table.text('site').notNullable()
    table.string('settings_digest', 64).notNullable()
    /** The assets that the settings name, JSON: see `MediaSource`. */
    table.text('media').notNullable().defaultTo('{}')
    /** When feeds without their former newest entry changed last, by their keys, JSON. */
    table.text('feed_times').notNullable().defaultTo('{}')
  })

  await db.schema.createTable('live_pages', (table) => {
    table.string('page_id', 16).primary()
    table.string('project_id', 16).notNullable().references('projects.id')
    table.string('release_id', 16).notNullable()
    table.string('subroute', 810).notNullable()
    table.string('slug', 100).notNullable()
    table.string('path', 911).notNullable()
    table.string('type', 8).notNullable()
    /** The code of the language; null on a site without locales. */
    table.string('locale', 40)
    /** Key that its translations share; null on a site without locales. */
    table.string('translation_key', 911)
    /** Facts of the page for navigation and indexes, JSON. */
    table.text('facts').notNullable()
    /** Card of the page for listings and collections, JSON. */
    table.text('card').notNullable()
    /** Digests that decide whether the page is stale, JSON. */
    table.text('digests').notNullable()
    /** Previous paths that redirect to the page, newest first, JSON. */
    table.text('redirects').notNullable()
    /** Ids in the page's document, JSON. */
    table.text('anchors').notNullable()
    /** Prepared lines of `_index.json`, `sitemap.xml` and `llms.txt`. */
    table.text('index_line').notNullable()
    table.text('sitemap_line')
    table.text('llms_line')
    /** Feed entry of an article, JSON, and its date. */
    table.text('feed_entry')
    table.string('feed_date', 24)
    table.index(['project_id', 'subroute', 'slug'])
    table.index(['project_id', 'path'])
    table.index(['project_id', 'feed_date', 'page_id'])
    table.index(['release_id'])
    table.index(['project_id', 'type'])
  })
  // Without the pages of sites in one language.
  await db.raw(
    'CREATE INDEX live_pages_translations ON live_pages (project_id, translation_key) WHERE translation_key IS NOT NULL',
  )
  await db.raw(
    'CREATE INDEX live_pages_feeds ON live_pages (project_id, locale, feed_date, page_id) WHERE locale IS NOT NULL',
  )

  /** Slots of articles in the listings of folders. A slot outlives its page. */
  await db.schema.createTable('listing_slots', (table) => {
    table.string('project_id', 16).notNullable().references('projects.id')
    /** For a list of a tag, the address of its blog and the name of the tag. */
    table.string('folder', 1024).notNullable()
    table.integer('slot').notNullable()
    table.string('page_id', 16).notNullable()
    table.primary(['project_id', 'page_id', 'folder'])
    table.unique(['project_id', 'folder', 'slot'])
  })
}

async function createSearch(db: Knex): Promise<void> {
  await db.schema.createTable('search_entries', (table) => {
    table.string('page_id', 16).primary()
    table.string('project_id', 16).notNullable().references('projects.id')
    table.string('release_id', 16).notNullable()
    /** Search entry of the live page: JSON, deflated. */
    table.binary('entry').notNullable()
    table.index(['project_id'])
  })

  await db.schema.createTable('search_bases', (table) => {
    table.string('project_id', 16).primary().references('projects.id')
    /** Base of the search index: shards and pages with their releases, JSON. */
    table.text('base').notNullable()
    /** True while files of the index are being written: the files on the CDN are unknown then. */
    table.boolean('is_writing').notNullable().defaultTo(false)
  })
}

/** Redirects of projects that belong to no page. */
async function createRedirects(db: Knex): Promise<void> {
  await db.schema.createTable('redirects', (table) => {
    table.string('id', 16).primary()
    table.string('project_id', 16).notNullable()
    table.text('path').notNullable()
    /** The path in the one form of addresses. */
    table.text('address').notNullable()
    /** The page that it leads to; null for any other target. */
    table.string('page_id', 16)
    /** A path of the site or a URL; null for a page. */
    table.text('target')
    table.text('fragment')
    /** The kind of the target, or of the last one that existed. */
    table.string('target_kind', 4).notNullable()
    /** Key of the object that answers for it; null while it is not live. */
    table.text('object_key')
    /** JSON, as `RedirectEnd`; null while nothing is at the target. */
    table.text('leads_to')
    table.string('created_at', 24).notNullable()
    table.unique(['project_id', 'address'])
    table.index(['project_id', 'path'])
    table.index(['project_id', 'object_key'])
  })
}
