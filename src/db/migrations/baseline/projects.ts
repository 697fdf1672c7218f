import type { Knex } from 'knex'

/** Projects with their settings, members and visits. */
export async function createProjects(db: Knex): Promise<void> {
  await createProjectRows(db)
  await createSettings(db)
  await createMembers(db)
  await createVisits(db)
}

async function createProjectRows(db: Knex): Promise<void> {
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
    /** Several projects may name one domain, of which one serves it. */
    table.string('custom_domain', 253)
    /** The custom domain without `www.`; null without a domain. */
    table.string('domain_key', 253)
    /** `pending`, `active` or `failed`; null without a domain. */
    table.string('domain_status', 8)
    /** The rest of the proof, JSON. */
    table.text('domain_proof')
    table.boolean('ssl_enabled').notNullable()
    table.boolean('cdn_enabled').notNullable()
    table.string('base_path').notNullable()
    table.string('manifest', 8).notNullable()
    /** The characters of the addresses of its pages: `standard` or `wide`. */
    table.string('slugs', 10).notNullable().defaultTo('standard')
    /** The id of the feed of the site, from the first publish on. */
    table.text('feed_id')
    table.string('data_mode_enabled_at', 24)
    table.string('created_at', 24).notNullable()
    table.string('updated_at', 24).notNullable()
    table.integer('version').notNullable()
    /** When the project was deleted. The row remains as a tombstone until its objects are removed. */
    table.string('deleted_at', 24)
    /** Completed purges of its objects: 1 after the deletion, 2 after another look a day later. */
    table.integer('purges').notNullable().defaultTo(0)
    table.unique(['user_id', 'slug'])
    table.unique(['user_id', 'domain_key'])
    table.index(['user_id', 'created_at', 'id'])
  })
  // Counts the projects of an account without reading tombstones.
  await db.raw('CREATE INDEX projects_existing_index ON projects (user_id) WHERE deleted_at IS NULL')
  await db.raw(
    "CREATE UNIQUE INDEX projects_served_domain ON projects (domain_key) WHERE domain_status = 'active'",
  )
}

/** `fields/settings-fields.ts` describes each of them. */
async function createSettings(db: Knex): Promise<void> {
  await db.schema.createTable('settings', (table) => {
    table.string('project_id', 16).primary().references('projects.id')
    table.text('theme').notNullable()
    table.text('site_name')
    table.text('favicon_url')
    table.text('logo_url')
    table.text('logo_dark_url')
    table.text('og_image_url')
    table.string('social_cards', 8).notNullable().defaultTo('none')
    table.text('meta_title')
    table.text('meta_description')
    table.text('google_analytics_id')
    table.text('custom_css')
    table.text('custom_head_html')
    table.text('footer_text')
    table.string('mcp', 8).notNullable().defaultTo('none')
    table.string('visits', 10).notNullable().defaultTo('none')
    table.string('media_refresh', 8).notNullable().defaultTo('auto')
    table.string('feed_guid', 500)
    // JSON.
    table.text('announcement').notNullable().defaultTo('{"text":""}')
    table.text('nav_links').notNullable()
    table.text('docs_nav').notNullable()
    table.text('shared_footer').notNullable()
    table.text('branding').notNullable()
    table.text('site_routes').notNullable()
    table.text('data').notNullable().defaultTo('{}')
    table.text('variables').notNullable().defaultTo('{}')
    table.text('locales').notNullable().defaultTo('[]')
    table.text('versions').notNullable().defaultTo('[]')
    table.text('by_locale').notNullable().defaultTo('{}')
    table.string('updated_at', 24).notNullable()
    table.integer('version').notNullable()
  })
}

async function createMembers(db: Knex): Promise<void> {
  await db.schema.createTable('members', (table) => {
    table.string('id', 16).primary()
    table.string('project_id', 16).notNullable().references('projects.id')
    /** The address as `addressKey` has it. */
    table.text('email').notNullable()
    /** The user with the address; null while there is none. */
    table.string('user_id', 16).references('users.id')
    table.string('role', 16).notNullable()
    /** `invited`, `active` or `declined`. An invitation that has expired is one with `expires_at` in the past. */
    table.string('state', 8).notNullable().defaultTo('active')
    /** When the member was invited; null for one who never was, such as the former owner of a project. */
    table.string('invited_at', 24)
    table.string('invited_by', 16).index()
    /** End of the invitation; null once it was accepted. */
    table.string('expires_at', 24)
    table.string('source', 8).notNullable().defaultTo('hand')
    /** Hash of the token in the link that is shown to the person who invites. */
    table.string('shown_link_hash', 64)
    /** Hash of the token in the mailed link, which proves the address as well. */
    table.string('mailed_link_hash', 64)
    /** The last mail, whose row is deleted sooner. */
    table.string('mail_id', 16)
    table.string('mail_status', 8).notNullable().defaultTo('none')
    table.string('mail_at', 24)
    table.string('mail_problem', 24)
    table.string('created_at', 24).notNullable()
    table.string('updated_at', 24).notNullable()
    table.integer('version').notNullable()
    table.unique(['project_id', 'email'])
    table.unique(['project_id', 'user_id'])
    table.index(['user_id', 'project_id'])
    table.index(['email'])
  })
  await db.raw('CREATE UNIQUE INDEX members_shown_link ON members (shown_link_hash)')
  await db.raw('CREATE UNIQUE INDEX members_mailed_link ON members (mailed_link_hash)')

  /** Offers of projects to people, who accept or decline them. */
  await db.schema.createTable('transfer_offers', (table) => {
    table.string('id', 16).primary()
    /** A project is offered to one person at a time. */
    table.string('project_id', 16).notNullable().unique().references('projects.id')
    /** The address as `addressKey` has it; it may be no user's. */
    table.string('email', 254).notNullable()
    table.string('created_at', 24).notNullable()
    table.string('expires_at', 24).notNullable()
    table.index(['email', 'expires_at'])
    table.index(['expires_at'])
  })
}

async function createVisits(db: Knex): Promise<void> {
  await db.schema.createTable('visits', (table) => {
    table.string('project_id', 16).notNullable()
    /** UTC, `2026-11-28`. */
    table.string('day', 10).notNullable()
    /** `page`, `missing` or `search`. */
    table.string('kind', 10).notNullable()
    /** A path or a term; empty for those beyond the limit of the day. */
    table.text('name').notNullable()
    table.integer('people').notNullable()
    table.integer('agents').notNullable()
    table.primary(['project_id', 'day', 'kind', 'name'])
    table.index(['day'])
  })
}
