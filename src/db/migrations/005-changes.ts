import type { Knex } from 'knex'
import { createTrigger, databaseTime, jsonText } from '../dialect.ts'

/** Projects per statement. */
const STEP = 200

/**
 * Creates the table of changes. Triggers write a row for each act, and for what no act records, in the transaction of the
 * change. A row gets its number when it is read first, so that writers wait for no counter.
 */
export async function up(db: Knex): Promise<void> {
  await createTables(db)
  // Before the records are copied: an act waits for the trigger, so that none falls between the two.
  await createActTriggers(db)
  await createStateTriggers(db)
  await copyRecords(db)
}

async function createTables(db: Knex): Promise<void> {
  await db.schema.createTable('changes', (table) => {
    table.bigIncrements('id')
    /** No foreign keys: a row outlives what it names. */
    table.string('project_id', 16).notNullable()
    /** Number of the change. Null before it has one. */
    table.bigInteger('seq')
    table.string('at', 24).notNullable()
    table.string('record', 8).notNullable()
    table.string('record_id', 16).notNullable()
    table.string('act', 32).notNullable()
    /** JSON; null for none. */
    table.text('fields')
    /** Releases that are live after the act and before it. */
    table.string('release_id', 16)
    table.string('former_release_id', 16)
    /** From here on written with the number, but for a version that the act knows. */
    table.integer('version')
    table.string('status', 16)
    table.text('path')
    table.text('former_path')
    table.boolean('is_deleted').notNullable().defaultTo(false)
  })
  // Partial, so that a writer adds to one index alone.
  await db.raw('CREATE INDEX changes_pending ON changes (project_id, id) WHERE seq IS NULL')
  await db.raw('CREATE UNIQUE INDEX changes_numbered ON changes (project_id, seq) WHERE seq IS NOT NULL')
  await db.raw('CREATE INDEX changes_of_records ON changes (record_id, record, seq) WHERE seq IS NOT NULL')
  await db.schema.createTable('change_history', (table) => {
    /** Always 1: there is one row. */
    table.integer('row').primary()
    table.string('id', 16).notNullable()
  })
}

const RECORD_OF_ACT = `CASE WHEN NEW.act LIKE 'page.%' THEN 'page' WHEN NEW.act LIKE 'asset.%' THEN 'asset'
  WHEN NEW.act LIKE 'redirect.%' THEN 'redirect' WHEN NEW.act = 'settings.update' THEN 'settings' ELSE 'project' END`
const IS_OF_RECORD = `NEW.project_id IS NOT NULL AND (NEW.act LIKE 'page.%' OR NEW.act LIKE 'asset.%'
  OR NEW.act LIKE 'redirect.%' OR NEW.act LIKE 'data_mode.%' OR NEW.act IN ('settings.update', 'project.create',
  'project.update', 'project.transfer', 'domain.activate', 'domain.fail', 'domain.release'))`
const CHANGES_SETTINGS = `NEW.project_id IS NOT NULL AND (NEW.act = 'project.create'
  OR (NEW.act = 'project.update' AND NEW.fields LIKE '%"settings.%'))`

async function createActTriggers(db: Knex): Promise<void> {
  await createTrigger(db, {
    name: 'changes_of_acts',
    event: 'INSERT ON audit_log',
    when: IS_OF_RECORD,
    statements: [
      `INSERT INTO changes (project_id, at, record, record_id, act, fields, version, release_id, former_release_id)
        VALUES (NEW.project_id, NEW.created_at, ${RECORD_OF_ACT}, NEW.target, NEW.act, NEW.fields,
          CAST(${jsonText(db, 'NEW."after"', 'version')} AS integer), ${jsonText(db, 'NEW."after"', 'releaseId')},
          ${jsonText(db, 'NEW."before"', 'releaseId')})`,
    ],
  })
  // One act may change a project and its settings.
  await createTrigger(db, {
    name: 'changes_of_settings',
    event: 'INSERT ON audit_log',
    when: CHANGES_SETTINGS,
    statements: [
      `INSERT INTO changes (project_id, at, record, record_id, act, fields)
        VALUES (NEW.project_id, NEW.created_at, 'settings', NEW.target, NEW.act, NEW.fields)`,
    ],
  })
}

/** Creates triggers for changes without an act: states of assets and redirects, former paths, and ends of schedules. */
async function createStateTriggers(db: Knex): Promise<void> {
  const now = databaseTime(db)
  const columns = 'project_id, at, record, record_id, act, fields'
  await createTrigger(db, {
    name: 'changes_of_asset_states',
    event: 'UPDATE OF status, failure, image ON assets',
    // With another version it is an act.
    when: `NEW.version = OLD.version AND (NEW.status <> OLD.status OR coalesce(NEW.failure, '') <> coalesce(OLD.failure, '')
      OR coalesce(NEW.image, '') <> coalesce(OLD.image, ''))`,
    statements: [
      `INSERT INTO changes (${columns}) VALUES (NEW.project_id, ${now}, 'asset', NEW.id, 'asset.update', '["status"]')`,
    ],
  })
  await createTrigger(db, {
    name: 'changes_of_variants',
    event: 'UPDATE OF recipe ON originals',
    when: 'NEW.recipe <> OLD.recipe',
    statements: [
      `INSERT INTO changes (${columns}) SELECT project_id, ${now}, 'asset', id, 'asset.update', '["variants"]'
        FROM assets WHERE original_id = NEW.id`,
    ],
  })
  await createTrigger(db, {
    name: 'changes_of_redirect_states',
    event: 'UPDATE OF object_key, leads_to, target_kind ON redirects',
    when: `coalesce(NEW.object_key, '') <> coalesce(OLD.object_key, '') OR coalesce(NEW.leads_to, '') <> coalesce(OLD.leads_to, '')
      OR NEW.target_kind <> OLD.target_kind`,
    statements: [
      `INSERT INTO changes (${columns}) VALUES (NEW.project_id, ${now}, 'redirect', NEW.id, 'redirect.update', '["live"]')`,
    ],
  })
  for (const [name, event, row, act] of [
    ['changes_former_insert', 'INSERT ON former_addresses', 'NEW', 'redirect.create'],
    ['changes_former_update', 'UPDATE OF left_at ON former_addresses', 'NEW', 'redirect.update'],
    ['changes_former_delete', 'DELETE ON former_addresses', 'OLD', 'redirect.delete'],
  ] as const)
    await createTrigger(db, {
      name,
      event,
      statements: [
        `INSERT INTO changes (${columns}) VALUES (${row}.project_id, ${now}, 'redirect', ${row}.id, '${act}', NULL)`,
      ],
    })
  const unfinished = "IN ('queued', 'running')"
  for (const [name, event, more] of [
    ['changes_schedule_ended', 'UPDATE OF state ON jobs', ` AND NEW.state NOT ${unfinished}`],
    ['changes_schedule_deleted', 'DELETE ON jobs', ''],
  ] as const)
    await createTrigger(db, {
      name,
      event,
      when: `OLD.kind = 'scheduled-publish' AND OLD.state ${unfinished} AND OLD.subject IS NOT NULL${more}`,
      statements: [
        `INSERT INTO changes (${columns})
          VALUES (OLD.project_id, ${now}, 'page', OLD.subject, 'page.update', '["scheduled_at"]')`,
      ],
    })
}

/** Gives each record of before one change. */
async function copyRecords(db: Knex): Promise<void> {
  const projects: readonly string[] = await db('projects').whereNull('deleted_at').orderBy('id').pluck('id')
  for (let start = 0; start < projects.length; start += STEP) {
    const some = projects.slice(start, start + STEP)
    const places = some.map(() => '?').join(', ')
    await db.raw(
      `INSERT INTO changes (project_id, seq, at, record, record_id, act, version, status, release_id, path)
        SELECT project_id, row_number() OVER (PARTITION BY project_id ORDER BY place, record_id), at, record, record_id,
          act, version, status, release_id, path
        FROM (${RECORDS}) AS records WHERE project_id IN (${places})`,
      some,
    )
  }
}

const RECORDS = `SELECT id AS project_id, 1 AS place, updated_at AS at, 'project' AS record, id AS record_id,
    'project.create' AS act, version, status, NULL AS release_id, NULL AS path FROM projects
  UNION ALL SELECT project_id, 2, updated_at, 'settings', project_id, 'settings.update', version, NULL, NULL, NULL
    FROM settings
  UNION ALL SELECT pages.project_id, 3, pages.updated_at, 'page', pages.id, 'page.create', pages.version, pages.status,
    live_pages.release_id, live_pages.path FROM pages LEFT JOIN live_pages ON live_pages.page_id = pages.id
  UNION ALL SELECT project_id, 4, updated_at, 'asset', id, 'asset.create', version, status, NULL, NULL FROM assets
  UNION ALL SELECT project_id, 5, created_at, 'redirect', id, 'redirect.create', NULL, NULL, NULL, NULL FROM redirects
  UNION ALL SELECT project_id, 6, left_at, 'redirect', id, 'redirect.create', NULL, NULL, NULL, NULL
    FROM former_addresses`
