import type { Knex } from 'knex'
import { createTrigger, isPostgres } from '../dialect.ts'

/** What a page adds to the bytes of drafts: its texts, without the fixed columns and the indexes. */
const DRAFT_COLUMNS = ['title', 'description', 'og_image_url', 'meta', 'config', 'markdown', 'own_fields']
/** Jobs that requests ask for. Others, such as deliveries, have limits of their own. */
const REQUESTED = "kind IN ('publish-pages', 'scheduled-publish')"
const UNFINISHED = "state IN ('queued', 'running')"

/**
 * Counts what each project stores, in the transaction of each write. Triggers do it, so that no writer can forget it.
 * SQLite drops a table's triggers with the table: a migration that rebuilds one of these tables has to create them again.
 */
export async function up(db: Knex): Promise<void> {
  await db.schema.alterTable('users', (table) => {
    /** Limits of the account that replace those of its plan, JSON; null for none. */
    table.text('limits')
  })
  await db.schema.alterTable('api_keys', (table) => {
    table.index(['user_id'])
  })
  // Deleted projects remain as tombstones: counting the others must not read them.
  await db.raw('CREATE INDEX projects_existing_index ON projects (user_id) WHERE deleted_at IS NULL')

  // Finds ended releases with long snapshots that are not compressed yet.
  if (!isPostgres(db))
    await db.raw(`CREATE INDEX releases_uncompressed_index ON releases (seq)
    WHERE finished_at IS NOT NULL AND typeof(snapshot) = 'text' AND octet_length(snapshot) >= 16384`)

  await db.schema.createTable('project_usage', (table) => {
    table.string('project_id', 16).primary().references('projects.id')
    /** As in `projects`, to add up the projects of an account. */
    table.string('user_id', 16).notNullable()
    table.integer('pages').notNullable().defaultTo(0)
    table.bigInteger('draft_bytes').notNullable().defaultTo(0)
    /** Snapshots, settings and files that releases store, compressed. */
    table.bigInteger('release_bytes').notNullable().defaultTo(0)
    table.integer('webhooks').notNullable().defaultTo(0)
    table.integer('unfinished_jobs').notNullable().defaultTo(0)
    table.index(['user_id'])
  })
  await countExisting(db)
  await createTriggers(db)
}

async function countExisting(db: Knex): Promise<void> {
  const sum = (table: string, amount: string, condition = 'true') =>
    `(SELECT coalesce(sum(${amount}), 0) FROM ${table} WHERE project_id = projects.id AND ${condition})`
  await db.raw(`INSERT INTO project_usage
    SELECT id, user_id,
      ${sum('pages', '1')},
      ${sum('pages', bytesOf(DRAFT_COLUMNS))},
      ${sum('releases', bytesOf(['snapshot']))} + ${sum('artifacts', bytesOf(['bytes']))}
        + ${sum('settings_snapshots', bytesOf(['settings']))},
      ${sum('webhooks', '1')},
      ${sum('jobs', '1', `${REQUESTED} AND ${UNFINISHED}`)}
    FROM projects WHERE deleted_at IS NULL OR purges = 0`)
}

async function createTriggers(db: Knex): Promise<void> {
  const draft = (row: Row) => bytesOf(DRAFT_COLUMNS, row)
  await trigger(db, 'projects_insert', 'INSERT ON projects', [
    'INSERT INTO project_usage (project_id, user_id) VALUES (NEW.id, NEW.user_id)',
  ])
  await trigger(db, 'projects_owner', 'UPDATE OF user_id ON projects', [
    'UPDATE project_usage SET user_id = NEW.user_id WHERE project_id = NEW.id',
  ])

  await trigger(db, 'pages_insert', 'INSERT ON pages', [
    add('NEW', { pages: '1', draft_bytes: draft('NEW') }),
  ])
  await trigger(db, 'pages_update', `UPDATE OF ${DRAFT_COLUMNS.join(', ')} ON pages`, [
    add('NEW', { draft_bytes: `${draft('NEW')} - (${draft('OLD')})` }),
  ])
  await trigger(db, 'pages_delete', 'DELETE ON pages', [
    add('OLD', { pages: '-1', draft_bytes: `-(${draft('OLD')})` }),
  ])

  for (const [table, column] of [
    ['releases', 'snapshot'],
    ['artifacts', 'bytes'],
    ['settings_snapshots', 'settings'],
  ] as const) {
    const bytes = (row: Row) => bytesOf([column], row)
    await trigger(db, `${table}_insert`, `INSERT ON ${table}`, [add('NEW', { release_bytes: bytes('NEW') })])
    await trigger(db, `${table}_update`, `UPDATE OF ${column} ON ${table}`, [
      add('NEW', { release_bytes: `${bytes('NEW')} - ${bytes('OLD')}` }),
    ])
    await trigger(db, `${table}_delete`, `DELETE ON ${table}`, [
      add('OLD', { release_bytes: `-${bytes('OLD')}` }),
    ])
  }

  await trigger(db, 'webhooks_insert', 'INSERT ON webhooks', [add('NEW', { webhooks: '1' })])
  await trigger(db, 'webhooks_delete', 'DELETE ON webhooks', [add('OLD', { webhooks: '-1' })])

  await trigger(db, 'jobs_insert', `INSERT ON jobs WHEN NEW.${REQUESTED} AND NEW.${UNFINISHED}`, [
    add('NEW', { unfinished_jobs: '1' }),
  ])
  await trigger(db, 'jobs_update', `UPDATE OF state ON jobs WHEN NEW.${REQUESTED}`, [
    add('NEW', { unfinished_jobs: `${one(`NEW.${UNFINISHED}`)} - ${one(`OLD.${UNFINISHED}`)}` }),
  ])
  await trigger(db, 'jobs_delete', `DELETE ON jobs WHEN OLD.${REQUESTED} AND OLD.${UNFINISHED}`, [
    add('OLD', { unfinished_jobs: '-1' }),
  ])
}

/** 1 where the condition holds, else 0. */
function one(condition: string): string {
  return `(CASE WHEN ${condition} THEN 1 ELSE 0 END)`
}

type Row = 'NEW' | 'OLD'

/** Length of text columns in UTF-8, and of binary ones. */
function bytesOf(columns: readonly string[], row?: Row): string {
  const prefix = row === undefined ? '' : `${row}.`
  return columns.map((column) => `coalesce(octet_length(${prefix}${column}), 0)`).join(' + ')
}

function add(row: Row, amounts: Readonly<Record<string, string>>): string {
  const sums = Object.entries(amounts).map(([column, amount]) => `${column} = ${column} + ${amount}`)
  return `UPDATE project_usage SET ${sums.join(', ')} WHERE project_id = ${row}.project_id`
}

async function trigger(db: Knex, name: string, event: string, statements: readonly string[]): Promise<void> {
  const [what = '', when] = event.split(' WHEN ')
  await createTrigger(db, { name: `usage_${name}`, event: what, when, statements })
}
