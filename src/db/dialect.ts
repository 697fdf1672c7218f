import type { Knex } from 'knex'

/* Differences between SQLite and PostgreSQL. All other statements of `db/` are the same on both. */

export function isPostgres(db: Knex): boolean {
  return db.client.dialect === 'postgresql'
}

/** The column that names a row of a table without an id, until the row is written again. */
export function rowAddress(db: Knex): string {
  return isPostgres(db) ? 'ctid' : 'rowid'
}

/** An expression of the current time by the database's clock, ISO 8601 UTC. */
export function databaseTime(db: Knex): string {
  return isPostgres(db)
    ? `to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
    : "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')"
}

/** The rows of a raw query: SQLite returns them, PostgreSQL returns an object that contains them. */
export function rowsOf<Row>(answer: readonly Row[] | { readonly rows: readonly Row[] }): readonly Row[] {
  return 'rows' in answer ? answer.rows : answer
}

/** A statement that PostgreSQL may plan once for each connection; SQLite prepares all statements. */
export interface NamedStatement {
  readonly name: string
  /** SQL with named columns: the columns of `*` would change with a migration, which fails a prepared statement. */
  readonly sql: string
}

export function prepared(
  db: Knex,
  { name, sql }: NamedStatement,
  values: readonly Knex.RawBinding[],
): Knex.Raw {
  const query = db.raw(sql, values)
  return isPostgres(db) ? query.options({ name }) : query
}

/** A source of rows named `items`, whose column `value` is each text of a JSON array. */
export function jsonTexts(db: Knex, array: string): string {
  return isPostgres(db)
    ? `jsonb_array_elements_text((${array})::jsonb) AS items(value)`
    : `json_each(${array}) AS items`
}

/** A source of rows whose column `value` is each item of a JSON array; `->>` reads what is in it. */
export function jsonItems(db: Knex, array: string, name = 'items'): string {
  return isPostgres(db)
    ? `jsonb_array_elements((${array})::jsonb) AS ${name}(value)`
    : `json_each(${array}) AS ${name}`
}

/** An aggregate of the different texts of an expression, as a JSON array. */
export function distinctTexts(db: Knex, expression: string): string {
  return isPostgres(db)
    ? `json_agg(DISTINCT ${expression})::text`
    : `json_group_array(DISTINCT ${expression})`
}

/** A column of a JSON object without one of its members. */
export function withoutMember(db: Knex, column: string, name: string): Knex.Raw {
  return isPostgres(db)
    ? db.raw('(??::jsonb - ?::text)::text', [column, name])
    : db.raw('json_remove(??, ?)', [column, `$.${name}`])
}

/** A source of rows whose columns `key` and `value` are each member of a JSON object. */
export function jsonMembers(db: Knex, object: string, name = 'members'): string {
  return isPostgres(db)
    ? `jsonb_each((${object})::jsonb) AS ${name}(key, value)`
    : `json_each(${object}) AS ${name}`
}

/** An expression of the text of a member of a JSON object in a column. */
export function jsonText(db: Knex, column: string, member: string): string {
  return isPostgres(db) ? `${column}::jsonb ->> '${member}'` : `${column} ->> '${member}'`
}

/** The JSON object of a column with these members set. */
export function jsonWith(
  db: Knex,
  column: string,
  members: Readonly<Record<string, string | number | null>>,
): Knex.Raw {
  if (isPostgres(db)) return db.raw('(??::jsonb || ?::jsonb)::text', [column, JSON.stringify(members)])
  const paths = Object.entries(members).flatMap(([name, value]) => [`$.${name}`, value])
  return db.raw(`json_set(??${', ?'.repeat(paths.length)})`, [column, ...paths])
}

/** An expression of a column that keeps an index on it from being used. */
export function unindexed(db: Knex, column: string): Knex.Raw {
  return isPostgres(db) ? db.raw("?? || ''", [column]) : db.raw('+??', [column])
}

/**
 * A condition that one of the columns contains a text, in any case as far as the database knows it: SQLite knows that of
 * ASCII only. Its binding is `containedText`, once for each column.
 */
export function containing(db: Knex, columns: readonly string[]): string {
  const operator = isPostgres(db) ? 'ILIKE' : 'LIKE'
  return `(${columns.map((column) => `${column} ${operator} ? ESCAPE '\\'`).join(' OR ')})`
}

export function containedText(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}

export interface Trigger {
  readonly name: string
  /** For example `UPDATE OF tags ON pages`. */
  readonly event: string
  readonly when?: string | undefined
  readonly time?: 'BEFORE' | 'AFTER'
  readonly statements: readonly string[]
}

/** Creates a trigger for each row. On PostgreSQL it is a function of the same name. */
export async function createTrigger(
  db: Knex,
  { name, event, when, time = 'AFTER', statements }: Trigger,
): Promise<void> {
  const body = statements.map((statement) => `${statement};`).join(' ')
  const head = `CREATE TRIGGER ${name} ${time} ${event} FOR EACH ROW${when === undefined ? '' : ` WHEN (${when})`}`
  if (!isPostgres(db)) {
    await db.raw(`${head} BEGIN ${body} END`)
    return
  }
  // The returned row lets a deletion continue after its trigger; after an event nothing reads it.
  await db.raw(
    `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} RETURN OLD; END $$`,
  )
  await db.raw(`${head} EXECUTE FUNCTION ${name}()`)
}
