import type { Knex } from 'knex'
import { isPostgres, rowsOf } from '../../src/db/dialect.ts'

/**
 * All tables, columns, constraints, indexes and triggers of a database, a line each, in an order that does not depend on
 * that of their creation.
 */
export async function schemaText(db: Knex): Promise<string> {
  const parts = isPostgres(db) ? await postgresParts(db) : await sqliteParts(db)
  const tables = [...new Set(parts.map(({ table }) => table))].sort()
  return tables.map((name) => tableText(name, parts)).join('\n')
}

interface Part {
  readonly table: string
  readonly text: string
}

/** Tables of Knex itself, and of the databases. */
const OTHERS = /^(knex|sqlite)_/

function tableText(name: string, parts: readonly Part[]): string {
  const lines = parts
    .filter(({ table, text }) => table === name && text !== '')
    .map(({ text }) => oneLine(text))
  return [name, ...lines.sort()].join('\n  ').concat('\n')
}

function oneLine(text: string): string {
  return text.replaceAll('`', '').replace(/\s+/g, ' ').trim()
}

async function sqliteParts(db: Knex): Promise<readonly Part[]> {
  const stored: readonly { type: string; name: string; table: string; sql: string }[] = await db(
    'sqlite_master',
  )
    .whereNotNull('sql')
    .select('type', 'name', 'tbl_name as table', 'sql')
  const own = stored.filter(({ table }) => !OTHERS.test(table))
  const others = own.filter(({ type }) => type !== 'table').map(({ table, sql: text }) => ({ table, text }))
  const parts = own.filter(({ type }) => type === 'table').map(({ name, sql }) => sqliteTable(db, name, sql))
  return [...(await Promise.all(parts)).flat(), ...others]
}

interface SqliteColumn {
  readonly name: string
  readonly type: string
  readonly notnull: number
  readonly dflt_value: string | null
  /** Its position in the primary key, from 1; 0 outside of it. */
  readonly pk: number
}

async function sqliteTable(db: Knex, table: string, sql: string): Promise<readonly Part[]> {
  const columns: readonly SqliteColumn[] = await db.raw('SELECT * FROM pragma_table_info(?)', [table])
  const references: readonly Record<'from' | 'table' | 'to' | 'on_delete', string>[] = await db.raw(
    'SELECT * FROM pragma_foreign_key_list(?)',
    [table],
  )
  const key = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk)
  return [
    ...columns.map(sqliteColumn),
    `PRIMARY KEY (${key.map(({ name }) => name).join(', ')})${/ autoincrement/i.test(sql) ? ' AUTOINCREMENT' : ''}`,
    ...references.map(
      ({ from, table: to, to: column, on_delete }) =>
        `FOREIGN KEY (${from}) REFERENCES ${to}(${column}) ON DELETE ${on_delete}`,
    ),
  ].map((text) => ({ table, text }))
}

function sqliteColumn({ name, type, notnull, dflt_value }: SqliteColumn): string {
  // SQLite ignores the length of a text.
  const shown = type.replace(/\(.*\)/, '')
  return `${name} ${shown}${notnull ? ' NOT NULL' : ''}${dflt_value === null ? '' : ` DEFAULT ${dflt_value}`}`
}

/** In the schema that the connection uses. */
const SCHEMA = 'current_schema()::regnamespace'

async function postgresParts(db: Knex): Promise<readonly Part[]> {
  const parts = rowsOf<Part>(
    await db.raw(`
      SELECT relname AS table, attname || ' ' || format_type(atttypid, atttypmod)
          || CASE WHEN attcollation IN (0, '"C"'::regcollation) THEN '' ELSE ' COLLATE ' || attcollation::regcollation END
          || CASE WHEN attnotnull THEN ' NOT NULL' ELSE '' END
          || coalesce(' DEFAULT ' || pg_get_expr(adbin, adrelid), '') AS text
        FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
          LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
        WHERE relnamespace = ${SCHEMA} AND relkind = 'r' AND attnum > 0 AND NOT attisdropped
      UNION ALL SELECT relname, CASE relpersistence WHEN 'u' THEN 'UNLOGGED' ELSE '' END
        FROM pg_class WHERE relnamespace = ${SCHEMA} AND relkind = 'r'
      UNION ALL SELECT conrelid::regclass::text, conname || ' ' || pg_get_constraintdef(pg_constraint.oid)
        FROM pg_constraint WHERE connamespace = ${SCHEMA} AND contype <> 'n'
      UNION ALL SELECT indrelid::regclass::text, pg_get_indexdef(indexrelid)
        FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
        WHERE relnamespace = ${SCHEMA} AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND contype <> 'f')
      UNION ALL SELECT tgrelid::regclass::text, pg_get_triggerdef(pg_trigger.oid) || ' ' || prosrc
        FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid JOIN pg_proc ON pg_proc.oid = tgfoid
        WHERE relnamespace = ${SCHEMA} AND NOT tgisinternal`),
  )
  const [row] = rowsOf<{ readonly schema: string }>(await db.raw('SELECT current_schema() AS schema'))
  return parts
    .filter(({ table }) => !OTHERS.test(table))
    .map(({ table, text }) => ({ table, text: text.replaceAll(`${row?.schema}.`, '') }))
}
