import type { Knex } from 'knex'
import { expect, onTestFinished, test } from 'vitest'
import { rowsOf } from '../../../src/db/dialect.ts'
import { MIGRATIONS, migrate } from '../../../src/db/migrate.ts'
import { openPostgres } from '../../../src/db/postgres.ts'
import { postgresPrograms, startPostgres } from '../../support/postgres.ts'

const programs = postgresPrograms()

test.skipIf(programs === null)(
  'a migration writes no row of an existing table again, and indexes no column that has values',
  async () => {
    const server = await startPostgres(programs ?? '')
    onTestFinished(() => server.stop())
    const { writer, close } = openPostgres(server.url)
    onTestFinished(close)
    await migrate(writer, MIGRATIONS.slice(0, 1))
    expect((await storedTables(writer)).size).toBeGreaterThan(20)
    for (const [index, { name: migration }] of MIGRATIONS.entries()) {
      const tables = await storedTables(writer)
      await migrate(writer, MIGRATIONS.slice(0, index + 1))
      const next = await storedTables(writer)
      for (const [name, { node, columns, indexes }] of tables) {
        const changed = next.get(name)
        expect(changed?.node, `${name} is as it was after ${migration}`).toBe(node)
        for (const index of changed?.indexes ?? []) {
          const isNew = indexes.every(({ node }) => node !== index.node)
          const isOfNewColumn = index.columns.some((column) => !columns.includes(column))
          expect(isNew && !isOfNewColumn, `${index.name} is built by ${migration}`).toBe(false)
        }
      }
    }
  },
)

interface StoredTable {
  readonly name: string
  /** Of its file, which is another one when its rows were written again. */
  readonly node: number
  readonly columns: readonly string[]
  readonly indexes: readonly {
    readonly name: string
    readonly node: number
    readonly columns: readonly string[]
  }[]
}

async function storedTables(db: Knex): Promise<ReadonlyMap<string, StoredTable>> {
  const columnsOf = (id: string) => `(SELECT coalesce(json_agg(attname), '[]') FROM pg_attribute
    WHERE attrelid = ${id} AND attnum > 0 AND NOT attisdropped)`
  const tables = rowsOf<StoredTable>(
    await db.raw(`SELECT relname AS name, pg_relation_filenode(oid) AS node, ${columnsOf('pg_class.oid')} AS columns,
      (SELECT coalesce(json_agg(json_build_object('name', indexrelid::regclass::text,
          'node', pg_relation_filenode(indexrelid), 'columns', ${columnsOf('indexrelid')})), '[]')
        FROM pg_index WHERE indrelid = pg_class.oid) AS indexes
      FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`),
  )
  return new Map(tables.map((table) => [table.name, table]))
}
