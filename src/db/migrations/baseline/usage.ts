import type { Knex } from 'knex'
import { createTrigger } from '../../dialect.ts'

/** Columns whose texts are the bytes of drafts, without the fixed columns and the indexes. */
const DRAFT_COLUMNS = ['title', 'description', 'og_image_url', 'meta', 'config', 'markdown', 'own_fields']
/** Jobs that requests ask for. Others, such as deliveries, have limits of their own. */
const REQUESTED = "kind IN ('publish-pages', 'scheduled-publish')"
const UNFINISHED = "state IN ('queued', 'running')"

/** The size of each project, counted by triggers in the transaction of each write. */
export async function createUsage(db: Knex): Promise<void> {
  await db.schema.createTable('project_usage', (table) => {
    table.string('project_id', 16).primary().references('projects.id')
    /** The user of the project, to add up the projects of an account. */
    table.string('user_id', 16).notNullable()
    table.integer('pages').notNullable().defaultTo(0)
    table.bigInteger('draft_bytes').notNullable().defaultTo(0)
    /** Snapshots, settings and files that releases store, compressed. */
    table.bigInteger('release_bytes').notNullable().defaultTo(0)
    table.bigInteger('media_bytes').notNullable().defaultTo(0)
    table.integer('members').notNullable().defaultTo(0)
    table.integer('webhooks').notNullable().defaultTo(0)
    table.integer('unfinished_jobs').notNullable().defaultTo(0)
    table.index(['user_id'])
  })
  await followProjects(db)
  await countPages(db)
  await countReleases(db)
  await countMedia(db)
  for (const table of ['members', 'webhooks']) await countRows(db, table)
  await countJobs(db)
}

async function followProjects(db: Knex): Promise<void> {
  await createTrigger(db, {
    name: 'usage_projects_insert',
    event: 'INSERT ON projects',
    statements: ['INSERT INTO project_usage (project_id, user_id) VALUES (NEW.id, NEW.user_id)'],
  })
  await createTrigger(db, {
    name: 'usage_projects_owner',
    event: 'UPDATE OF user_id ON projects',
    statements: ['UPDATE project_usage SET user_id = NEW.user_id WHERE project_id = NEW.id'],
  })
}

async function countPages(db: Knex): Promise<void> {
  const draft = (row: Row) => bytesOf(DRAFT_COLUMNS, row)
  await createTrigger(db, {
    name: 'usage_pages_insert',
    event: 'INSERT ON pages',
    statements: [add({ pages: '1', draft_bytes: draft('NEW') })],
  })
  await createTrigger(db, {
    name: 'usage_pages_update',
    event: `UPDATE OF ${DRAFT_COLUMNS.join(', ')} ON pages`,
    statements: [add({ draft_bytes: `${draft('NEW')} - (${draft('OLD')})` })],
  })
  await createTrigger(db, {
    name: 'usage_pages_delete',
    event: 'DELETE ON pages',
    statements: [subtract({ pages: '1', draft_bytes: `(${draft('OLD')})` })],
  })
}

async function countReleases(db: Knex): Promise<void> {
  for (const [table, column] of [
    ['releases', 'snapshot'],
    ['artifacts', 'bytes'],
    ['settings_snapshots', 'settings'],
  ] as const) {
    const counted: Counted = (row) => bytesOf([column], row)
    await countBytes(db, { table, columns: [column], usage: 'release_bytes', counted })
  }
}

async function countMedia(db: Knex): Promise<void> {
  const counted: Counted = (row) => `(CASE ${row}.state WHEN 'removing' THEN 0 ELSE ${row}.bytes END)`
  await countBytes(db, { table: 'originals', columns: ['state', 'bytes'], usage: 'media_bytes', counted })
}

async function countJobs(db: Knex): Promise<void> {
  const counted = (row: Row) => `${row}.${REQUESTED} AND ${row}.${UNFINISHED}`
  const one = (row: Row) => `(CASE WHEN ${row}.${UNFINISHED} THEN 1 ELSE 0 END)`
  await createTrigger(db, {
    name: 'usage_jobs_insert',
    event: 'INSERT ON jobs',
    when: counted('NEW'),
    statements: [add({ unfinished_jobs: '1' })],
  })
  await createTrigger(db, {
    name: 'usage_jobs_update',
    event: 'UPDATE OF state ON jobs',
    when: `NEW.${REQUESTED}`,
    statements: [add({ unfinished_jobs: `${one('NEW')} - ${one('OLD')}` })],
  })
  await createTrigger(db, {
    name: 'usage_jobs_delete',
    event: 'DELETE ON jobs',
    when: counted('OLD'),
    statements: [subtract({ unfinished_jobs: '1' })],
  })
}

/** Counts the rows of a table in the column of its name. */
async function countRows(db: Knex, table: string): Promise<void> {
  await createTrigger(db, {
    name: `usage_${table}_insert`,
    event: `INSERT ON ${table}`,
    statements: [add({ [table]: '1' })],
  })
  await createTrigger(db, {
    name: `usage_${table}_delete`,
    event: `DELETE ON ${table}`,
    statements: [subtract({ [table]: '1' })],
  })
}

type Row = 'NEW' | 'OLD'
/** An expression of the bytes of a row. */
type Counted = (row: Row) => string

/** Counts the bytes of the rows of a table, which depend on these columns. */
async function countBytes(
  db: Knex,
  {
    table,
    columns,
    usage,
    counted,
  }: {
    readonly table: string
    readonly columns: readonly string[]
    readonly usage: string
    readonly counted: Counted
  },
): Promise<void> {
  await createTrigger(db, {
    name: `usage_${table}_insert`,
    event: `INSERT ON ${table}`,
    statements: [add({ [usage]: counted('NEW') })],
  })
  await createTrigger(db, {
    name: `usage_${table}_update`,
    event: `UPDATE OF ${columns.join(', ')} ON ${table}`,
    statements: [add({ [usage]: `${counted('NEW')} - ${counted('OLD')}` })],
  })
  await createTrigger(db, {
    name: `usage_${table}_delete`,
    event: `DELETE ON ${table}`,
    statements: [subtract({ [usage]: counted('OLD') })],
  })
}

/** Length of text columns in UTF-8, and of binary ones. */
function bytesOf(columns: readonly string[], row: Row): string {
  return columns.map((column) => `coalesce(octet_length(${row}.${column}), 0)`).join(' + ')
}

function add(amounts: Amounts): string {
  return change('NEW', '+', amounts)
}

function subtract(amounts: Amounts): string {
  return change('OLD', '-', amounts)
}

/** Expressions by the column that they change. */
type Amounts = Readonly<Record<string, string>>

function change(row: Row, sign: '+' | '-', amounts: Amounts): string {
  const sums = Object.entries(amounts).map(([column, amount]) => `${column} = ${column} ${sign} ${amount}`)
  return `UPDATE project_usage SET ${sums.join(', ')} WHERE project_id = ${row}.project_id`
}
