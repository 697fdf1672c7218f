import { createHash } from 'node:crypto'
import type { Knex } from 'knex'
import { rowsOf } from './dialect.ts'
import { isServed } from './server-presence.ts'
import { decompressSnapshot } from './snapshot-text.ts'

/* Copies the rows of a migrated SQLite database into a migrated PostgreSQL database that has none. */

/** Rows that are read and written at a time, and the bytes of their long columns. One row alone may have more. */
const BATCH_ROWS = 500
const BATCH_BYTES = 4 * 1024 * 1024

/** Tables whose rows belong to the database itself, or to its running processes. */
const NOT_COPIED: readonly string[] = ['knex_migrations', 'knex_migrations_lock', 'servers']

export interface CopiedTable {
  readonly name: string
  readonly rows: number
  /** SHA-256 over all rows in the order of their primary key, hex. Both databases have it. */
  readonly sha256: string
}

/**
 * Copies all rows in one transaction of the target, which reads them back before it commits. Until then nothing of them
 * can be seen, and no server can start on the target.
 *
 * @param source a transaction that keeps others from writing.
 * @param onProgress called with the rows that are done, and with all.
 * @throws {RangeError} with the reason, without a full stop, when the target is in use. Nothing was written then.
 */
export async function copyRows(
  source: Knex,
  target: Knex,
  onProgress: (done: number, total: number) => void,
): Promise<readonly CopiedTable[]> {
  const tables = await tablesOf(source)
  const total = await countRows(source, tables)
  let done = 0
  const copied = await target.transaction(async (trx) => {
    await lockEmpty(trx, tables)
    const copies: CopiedTable[] = []
    const added = new Map<unknown, number>()
    // In the order of their creation, so that a row exists before others refer to it.
    for (const name of tables) {
      const table = await describeTable(trx, name)
      await assertColumns(source, table)
      const copy = await copyTable(source, trx, table, {
        onRows(rows) {
          done += rows
          onProgress(done, total)
        },
        onDecompressed: (project, bytes) => added.set(project, (added.get(project) ?? 0) + bytes),
      })
      await continueSequence(source, trx, table)
      copies.push(copy)
    }
    // PostgreSQL counts the length of a snapshot's text, SQLite that of its compressed bytes.
    for (const [project, bytes] of added)
      await trx('project_usage')
        .where({ project_id: project as string })
        .increment('release_bytes', bytes)
    for (const name of tables) await trx.raw('ALTER TABLE ?? ENABLE TRIGGER USER', [name])
    return copies
  })
  for (const name of tables) await target.raw('ANALYZE ??', [name])
  return copied
}

/** In the order of their creation. */
async function tablesOf(source: Knex): Promise<readonly string[]> {
  const names: readonly string[] = await source('sqlite_master')
    .where({ type: 'table' })
    .whereNot('name', 'like', 'sqlite_%')
    .orderBy('rowid')
    .pluck('name')
  return names.filter((name) => !NOT_COPIED.includes(name))
}

async function countRows(source: Knex, tables: readonly string[]): Promise<number> {
  let total = 0
  for (const name of tables) total += Number((await source(name).count({ rows: '*' }).first())?.['rows'])
  return total
}

/** Keeps other processes out until the end of the transaction, and triggers from counting rows that are counted already. */
async function lockEmpty(trx: Knex, tables: readonly string[]): Promise<void> {
  for (const setting of ['idle_in_transaction_session_timeout', 'statement_timeout'])
    await trx.raw(`SET LOCAL ${setting} = 0`)
  await trx.raw(`SET LOCAL lock_timeout = '10s'`)
  const names = [...tables, 'servers']
  await trx.raw(`LOCK TABLE ${names.map(() => '??').join(', ')} IN EXCLUSIVE MODE`, names)
  if (await isServed(trx)) throw new RangeError('is in use by a server. Name an empty database')
  for (const name of tables)
    if ((await trx(name).first(trx.raw('1'))) !== undefined)
      throw new RangeError(`holds rows already (in ${name}). Name an empty database`)
  for (const name of tables) await trx.raw('ALTER TABLE ?? DISABLE TRIGGER USER', [name])
}

interface Table {
  readonly name: string
  readonly columns: readonly Column[]
  readonly key: readonly string[]
  /** Expression of the bytes of a row's long columns; null for a table without one. */
  readonly bytes: string | null
}

interface Column {
  readonly name: string
  /** In PostgreSQL. */
  readonly type: string
}

async function describeTable(trx: Knex, name: string): Promise<Table> {
  const columns = rowsOf<Column>(
    await trx.raw(
      `SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
        WHERE attrelid = ?::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attname`,
      [name],
    ),
  )
  const key = rowsOf<{ readonly name: string }>(
    await trx.raw(
      `SELECT attname AS name FROM pg_index CROSS JOIN LATERAL unnest(indkey) WITH ORDINALITY AS parts(attnum, place)
        JOIN pg_attribute USING (attnum) WHERE indrelid = ?::regclass AND attrelid = indrelid AND indisprimary ORDER BY place`,
      [name],
    ),
  )
  if (key.length === 0) throw new Error(`The table ${name} has no primary key.`)
  const long = columns.filter(({ type }) => type === 'text' || type === 'bytea')
  const bytes = long.map((column) => `coalesce(octet_length("${column.name}"), 0)`).join(' + ')
  return { name, columns, key: key.map((part) => part.name), bytes: bytes || null }
}

async function assertColumns(source: Knex, { name, columns }: Table): Promise<void> {
  const known = Object.keys(await source(name).columnInfo()).sort()
  const wanted = columns.map((column) => column.name).sort()
  if (known.join() !== wanted.join())
    throw new Error(`The table ${name} has other columns in SQLite (${known.join(', ')}) than in PostgreSQL.`)
}

async function copyTable(
  source: Knex,
  trx: Knex,
  table: Table,
  {
    onRows,
    onDecompressed,
  }: {
    readonly onRows: (rows: number) => void
    readonly onDecompressed: (project: unknown, bytes: number) => void
  },
): Promise<CopiedTable> {
  const [read, written] = [createRowDigest(table), createRowDigest(table)]
  for await (const batch of batchesOf(source, table)) {
    let rows: Row[] = []
    let decompressedBytes = 0
    const write = async () => {
      if (rows.length > 0) await trx(table.name).insert(rows)
      onRows(rows.length)
      rows = []
      decompressedBytes = 0
    }
    for (const compressed of batch) {
      const { row, added } = await withText(table, compressed)
      const converted = convertedRow(table, row)
      read.add(converted)
      rows.push(converted)
      if (added > 0) onDecompressed(row['project_id'], added)
      decompressedBytes += added
      if (decompressedBytes > BATCH_BYTES) await write()
    }
    await write()
  }
  for await (const batch of batchesOf(trx, table)) for (const row of batch) written.add(row)
  const sha256 = read.digest()
  if (written.rows() !== read.rows() || written.digest() !== sha256)
    throw new Error(`The rows of ${table.name} are not the same in both databases. Nothing was written.`)
  return { name: table.name, rows: read.rows(), sha256 }
}

type Row = Readonly<Record<string, unknown>>

/** All rows by primary key, which both databases order byte by byte. */
async function* batchesOf(db: Knex, table: Table): AsyncGenerator<readonly Row[]> {
  let last: Row | null = null
  for (;;) {
    const limit = await fittingRows(db, table, last)
    if (limit === 0) return
    const rows: readonly Row[] = await after(db, table, last)
      .select(table.columns.map(({ name }) => name))
      .limit(limit)
    yield rows
    last = rows.at(-1) ?? null
  }
}

/** Returns how many of the next rows are a batch. */
async function fittingRows(db: Knex, table: Table, last: Row | null): Promise<number> {
  const sizes: readonly { readonly bytes: number }[] = await after(db, table, last)
    .select(db.raw(`${table.bytes ?? '0'} AS bytes`))
    .limit(BATCH_ROWS)
  let bytes = 0
  for (const [index, row] of sizes.entries()) {
    bytes += row.bytes
    if (bytes > BATCH_BYTES) return Math.max(index, 1)
  }
  return sizes.length
}

function after(db: Knex, { name, key }: Table, last: Row | null): Knex.QueryBuilder {
  const rows = db(name).orderBy(key.map((column) => ({ column })))
  if (last === null) return rows
  const places = (text: string) => key.map(() => text).join(', ')
  return rows.whereRaw(`(${places('??')}) > (${places('?')})`, [
    ...key,
    ...key.map((column) => last[column] as Knex.Value),
  ])
}

/** Decompresses a snapshot: PostgreSQL compresses long texts itself. @returns the row, and by how much it is longer. */
async function withText(
  { columns }: Table,
  row: Row,
): Promise<{ readonly row: Row; readonly added: number }> {
  const column = columns.find(({ name, type }) => type === 'text' && Buffer.isBuffer(row[name]))?.name
  const compressed = column === undefined ? null : row[column]
  if (column === undefined || !Buffer.isBuffer(compressed)) return { row, added: 0 }
  const text = await decompressSnapshot(compressed)
  return { row: { ...row, [column]: text }, added: Buffer.byteLength(text) - compressed.length }
}

/** SQLite has numbers for what PostgreSQL has truth values, and more digits than a `real`. */
function convertedRow({ columns }: Table, row: Row): Row {
  return Object.fromEntries(
    columns.map(({ name, type }) => {
      const value = row[name] ?? null
      if (type === 'boolean' && value !== null) return [name, value === 1 || value === true]
      return [name, type === 'real' && value !== null ? Math.fround(Number(value)) : value]
    }),
  )
}

function createRowDigest({ columns }: Table) {
  const hash = createHash('sha256')
  let rows = 0
  return {
    add(row: Row) {
      rows++
      hash.update(JSON.stringify(columns.map(({ name, type }) => comparable(row[name], type))))
    },
    rows: () => rows,
    digest: () => hash.copy().digest('hex'),
  }
}

function comparable(value: unknown, type: string): unknown {
  if (Buffer.isBuffer(value)) return createHash('sha256').update(value).digest('hex')
  return type === 'real' && value !== null ? Math.fround(Number(value)) : value
}

/** The next row gets a number that no row had before, also when the last ones were deleted. */
async function continueSequence(source: Knex, trx: Knex, { name, key: [column = ''] }: Table): Promise<void> {
  const last = await source('sqlite_sequence').where({ name }).first('seq')
  if (last === undefined) return
  await trx.raw('SELECT setval(pg_get_serial_sequence(?, ?), ?)', [
    name,
    column,
    Math.max(1, Number(last.seq)),
  ])
}
