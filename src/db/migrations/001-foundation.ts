import type { Knex } from 'knex'

/** The tables of accounts, content, live state, releases and jobs. */
export async function up(db: Knex): Promise<void> {
  await db.schema.createTable('users', (table) => {
    table.string('id', 16).primary()
    table.string('email').notNullable().unique()
    table.boolean('can_create_projects').notNullable()
    table.string('created_at', 24).notNullable()
  })

  await db.schema.createTable('projects', (table) => {
    table.string('id', 16).primary()
    table.string('user_id', 16).notNullable().references('users.id')
    table.string('name', 100).notNullable()
    table.string('slug', 100).notNullable()
    table.string('status', 16).notNullable()
    table.text('context').notNullable()
    table.text('legacy_settings').notNullable()
    table.string('hosting_mode', 16).notNullable()
    /** The mode to return to when `data_mode` is disabled. */
    table.string('previous_mode', 16)
    table.string('subdomain', 50).unique()
    table.string('custom_domain', 253).unique()
    table.boolean('ssl_enabled').notNullable()
    table.boolean('cdn_enabled').notNullable()
    table.string('base_path').notNullable()
    table.string('manifest', 8).notNullable()
    table.string('data_mode_enabled_at', 24)
    table.string('created_at', 24).notNullable()
    table.string('updated_at', 24).notNullable()
    table.integer('version').notNullable()
    /** When the project was deleted. The row remains as a tombstone until its objects are removed. */
    table.string('deleted_at', 24)
    /** Completed purges of its objects: 1 after the deletion, 2 after another look a day later. */
    table.integer('purges').notNullable().defaultTo(0)
    table.unique(['user_id', 'slug'])
    table.index(['user_id', 'created_at', 'id'])
  })

  await db.schema.createTable('api_keys', (table) => {
    table.string('id', 16).primary()
    table.string('user_id', 16).notNullable().references('users.id')
    table.string('project_id', 16).references('projects.id')
    table.string('name').notNullable()
    /** SHA-256 of the key, hex. The key itself is not stored. */
    table.string('hash', 64).notNullable().unique()
    table.string('plan', 16).notNullable()
    /** Limits of an enterprise key, JSON. */
    table.text('limits')
    table.string('permissions').notNullable()
    table.string('expires_at', 24)
    table.string('revoked_at', 24)
    table.string('created_at', 24).notNullable()
  })

  await db.schema.createTable('settings', (table) => {
    table.string('project_id', 16).primary().references('projects.id')
    for (const name of ['theme', 'nav_links', 'docs_nav', 'shared_footer', 'branding', 'site_routes']) {
      table.text(name).notNullable()
    }
    for (const name of [
      'favicon_url',
      'logo_url',
      'og_image_url',
      'meta_title',
      'meta_description',
      'google_analytics_id',
      'custom_css',
      'custom_head_html',
      'footer_text',
    ]) {
      table.text(name)
    }
    table.string('updated_at', 24).notNullable()
    table.integer('version').notNullable()
  })

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
    table.integer('sections_count').notNullable()
    table.integer('word_count').notNullable()
    table.string('content_digest', 43).notNullable()
    table.string('published_at', 24)
    table.string('first_published_at', 24)
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

  await db.schema.createTable('settings_snapshots', (table) => {
    table.string('project_id', 16).notNullable().references('projects.id')
    table.string('digest', 64).notNullable()
    table.text('settings').notNullable()
    table.primary(['project_id', 'digest'])
  })

  await db.schema.createTable('releases', (table) => {
    table.bigIncrements('seq')
    table.string('id', 16).notNullable().unique()
    table.string('project_id', 16).notNullable().references('projects.id')
    /** No foreign key: the record outlives the page. Null for a Data Mode change. */
    table.string('page_id', 16)
    table.string('op', 16).notNullable()
    table.string('state', 16).notNullable()
    /** Page and site as of acceptance, JSON. The settings are in `settings_snapshots`. */
    table.text('snapshot').notNullable()
    table.string('settings_digest', 64).notNullable()
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
    table.integer('attempts').notNullable().defaultTo(0)
    table.integer('fence').notNullable().defaultTo(0)
    table.string('created_at', 24).notNullable()
    table.string('finished_at', 24)
    table.index(['project_id', 'state', 'seq'])
    table.index(['page_id', 'in_history', 'seq'])
    table.index(['state', 'seq'])
    table.index(['project_id', 'settings_digest'])
  })

  await db.schema.createTable('release_objects', (table) => {
    table.string('project_id', 16).notNullable().references('projects.id')
    table.string('release_id', 16).notNullable()
    table.string('key', 1024).notNullable()
    table.string('stage', 8).notNullable()
    /** SHA-256 of the plaintext; references `artifacts`. */
    table.string('digest', 64).notNullable()
    table.primary(['release_id', 'key'])
    table.index(['project_id', 'digest'])
  })

  await db.schema.createTable('project_leases', (table) => {
    table.string('project_id', 16).primary().references('projects.id')
    /** Null when the lease is free. */
    table.string('owner', 32)
    /** Grows when the lease changes hands. Writes with an older fence change no row. */
    table.integer('fence').notNullable()
    /** Grows with each renewal, every second. */
    table.integer('beat').notNullable()
  })

  await db.schema.createTable('live_objects', (table) => {
    table.string('project_id', 16).notNullable().references('projects.id')
    table.string('key', 1024).notNullable()
    table.string('owner_kind', 16).notNullable()
    table.string('owner_id', 810).notNullable()
    /** The release that is about to write the object. */
    table.string('claimed_by', 16)
    /** SHA-256 of the plaintext. Null for a claim, and for an object that is marked for deletion. */
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

  await db.schema.createTable('live_sites', (table) => {
    table.string('project_id', 16).primary().references('projects.id')
    /** Counts the changes to the live site. */
    table.integer('revision').notNullable()
    /** Site and settings that the indexes were last written with. */
    table.text('site').notNullable()
    table.string('settings_digest', 64).notNullable()
  })

  await db.schema.createTable('live_pages', (table) => {
    table.string('page_id', 16).primary()
    table.string('project_id', 16).notNullable().references('projects.id')
    table.string('release_id', 16).notNullable()
    table.string('subroute', 810).notNullable()
    table.string('slug', 100).notNullable()
    table.string('path', 911).notNullable()
    table.string('type', 8).notNullable()
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
  })

  /** Slots of articles in the listings of folders. A slot outlives its page. */
  await db.schema.createTable('listing_slots', (table) => {
    table.string('project_id', 16).notNullable().references('projects.id')
    table.string('folder', 810).notNullable()
    table.integer('slot').notNullable()
    table.string('page_id', 16).notNullable()
    table.primary(['project_id', 'page_id', 'folder'])
    table.unique(['project_id', 'folder', 'slot'])
  })

  await db.schema.createTable('artifacts', (table) => {
    table.string('project_id', 16).notNullable().references('projects.id')
    table.string('digest', 64).notNullable()
    /** Compressed, and sealed if `sealed`. */
    table.binary('bytes').notNullable()
    /** Whether the bytes are sealed with the project's key of version 0. */
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

  await db.schema.createTable('jobs', (table) => {
    table.bigIncrements('seq')
    table.string('id', 16).notNullable().unique()
    table.string('project_id', 16).notNullable().references('projects.id')
    table.string('kind', 32).notNullable()
    /** Subject of the job, such as a page id; jobs are cancelled by it. */
    table.string('subject', 16)
    table.text('payload').notNullable()
    table.string('state', 16).notNullable()
    table.integer('total').notNullable()
    table.integer('done').notNullable().defaultTo(0)
    table.text('failed').notNullable()
    /** Position for resuming; null before the first effect. */
    table.text('checkpoint')
    /** Runs since the last progress. */
    table.integer('attempts').notNullable().defaultTo(0)
    table.string('due_at', 24).notNullable()
    /** Null while no process runs the job. */
    table.string('holder', 32)
    /** Grows when the job is claimed or cancelled. Writes with an older fence change no row. */
    table.integer('fence').notNullable().defaultTo(0)
    /** Grows with each renewal, every second. */
    table.integer('beat').notNullable().defaultTo(0)
    table.string('created_at', 24).notNullable()
    table.string('finished_at', 24)
    table.index(['state', 'kind', 'due_at', 'seq'])
    table.index(['project_id', 'kind', 'state'])
    table.index(['kind', 'subject'])
    // Finds the queued jobs of each subject without reading past the first.
    table.index(['kind', 'state', 'subject', 'due_at', 'seq'])
    table.index(['finished_at'])
  })

  await db.schema.createTable('webhooks', (table) => {
    table.string('id', 16).primary()
    table.string('project_id', 16).notNullable().references('projects.id')
    table.string('url', 2048).notNullable()
    table.string('events').notNullable()
    table.string('description', 500).notNullable()
    table.boolean('active').notNullable()
    table.integer('coalesce_seconds').notNullable()
    /** Sealed with the master key. */
    table.text('secret').notNullable()
    table.string('master_key_id', 16).notNullable()
    /** The previous secret, which signs as well until `former_until`. */
    table.text('former_secret')
    table.string('former_master_key_id', 16)
    table.string('former_until', 24)
    table.string('failing_since', 24)
    /** Why Quoin disabled the webhook. */
    table.string('off_reason', 16)
    table.string('created_at', 24).notNullable()
    table.integer('version').notNullable()
    table.index(['project_id', 'created_at', 'id'])
  })

  await db.schema.createTable('deliveries', (table) => {
    table.string('id', 16).primary()
    table.string('webhook_id', 16).notNullable().references('webhooks.id')
    table.string('project_id', 16).notNullable().references('projects.id')
    /** Id of the event: the same for all webhooks and attempts. */
    table.string('message_id', 16).notNullable()
    table.string('type', 32).notNullable()
    /** The request body, byte for byte. */
    table.text('body').notNullable()
    /** Number of events in the body; a batch with an open window may receive more. */
    table.integer('events').notNullable()
    table.string('state', 16).notNullable()
    table.integer('attempts').notNullable()
    table.string('next_at', 24)
    /** Requests and their answers, oldest first, JSON. */
    table.text('tries').notNullable()
    table.string('created_at', 24).notNullable()
    table.string('finished_at', 24)
    table.index(['webhook_id', 'created_at', 'id'])
    table.index(['webhook_id', 'state', 'created_at', 'id'])
    table.index(['finished_at'])
    table.index(['project_id'])
  })

  await db.schema.createTable('idempotency', (table) => {
    table.string('key_id', 16).notNullable().references('api_keys.id')
    table.string('path').notNullable()
    table.string('idempotency_key').notNullable()
    table.string('body_digest', 64).notNullable()
    /** Id of the created resource; null when the request was refused. */
    table.string('resource_id', 16)
    table.integer('status')
    table.text('answer')
    table.string('etag')
    table.string('location')
    table.string('created_at', 24).notNullable()
    table.primary(['key_id', 'path', 'idempotency_key'])
    table.index(['created_at'])
  })

  await db.schema.createTable('usage_months', (table) => {
    table.string('key_id', 16).notNullable().references('api_keys.id')
    table.string('month', 7).notNullable()
    table.bigInteger('requests').notNullable()
    table.primary(['key_id', 'month'])
  })
}
