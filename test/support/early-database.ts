import type { Knex } from 'knex'
import { EARLY_MIGRATIONS } from '../../src/db/early-record.ts'
import { MIGRATIONS, migrate } from '../../src/db/migrate.ts'

const NOW = '2026-01-01T00:00:00.000Z'

/** Makes a new database what snapshots before the baseline left, with a project `project` and its pages `a` and `b`. */
export async function createEarlyDatabase(db: Knex): Promise<void> {
  await migrate(db, MIGRATIONS.slice(0, 2))
  await db.schema.createTable('backfills', (table) => {
    table.string('name', 64).primary()
    table.text('reached')
    table.bigInteger('examined').notNullable()
    table.string('started_at', 24).notNullable()
    table.string('finished_at', 24)
  })
  await db('knex_migrations').delete()
  await db('knex_migrations').insert(
    EARLY_MIGRATIONS.map((name, index) => ({ name, batch: 1 + (index % 3), migration_time: new Date() })),
  )
  await db('users').insert({ id: 'owner', email: 'a@b.c', can_create_projects: true, created_at: NOW })
  await db('projects').insert(PROJECT)
  await db('pages').insert([
    { ...PAGE, id: 'a', slug: 'a', created_by: null },
    { ...PAGE, id: 'b', slug: 'b', created_by: 'editor' },
  ])
}

const PROJECT = {
  id: 'project',
  user_id: 'owner',
  name: 'Site',
  slug: 'site',
  status: 'active',
  context: '',
  legacy_settings: '{}',
  hosting_mode: 'full_host',
  ssl_enabled: false,
  cdn_enabled: true,
  base_path: '/',
  manifest: 'full',
  created_at: NOW,
  updated_at: NOW,
  version: 1,
}

const PAGE = {
  project_id: 'project',
  title: 'Title',
  subroute: '',
  type: 'page',
  status: 'draft',
  description: '',
  meta: '{}',
  config: '{}',
  markdown: 'Text.',
  own_fields: '{}',
  sections_count: 0,
  word_count: 1,
  content_digest: '',
  created_at: NOW,
  updated_at: NOW,
  version: 1,
}
