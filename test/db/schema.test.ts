import type { Knex } from 'knex'
import { expect, onTestFinished, test } from 'vitest'
import { migrate } from '../../src/db/migrate.ts'
import { openPostgres } from '../../src/db/postgres.ts'
import { newDatabase } from '../support/new-database.ts'
import { createSchema, postgresPrograms, startPostgres } from '../support/postgres.ts'
import { schemaText } from '../support/schema-text.ts'

const FIXTURES = new URL('../../fixtures/schema/', import.meta.url)
const programs = postgresPrograms()

// Written by the migrations that the baseline replaced. A later migration changes it: `vitest -u` rewrites it for review.
test('the migrations create the schema of SQLite that the fixture has', async () => {
  const { reader, close } = await newDatabase()
  onTestFinished(close)
  await expectSchema(reader, 'sqlite.txt')
})

test.skipIf(programs === null)(
  'the migrations create the schema of PostgreSQL that the fixture has',
  async () => {
    const server = await startPostgres(programs ?? '')
    onTestFinished(() => server.stop())
    const { writer, close } = openPostgres(await createSchema(server.url, 'described'))
    onTestFinished(close)
    await migrate(writer)
    await expectSchema(writer, 'postgres.txt')
  },
)

async function expectSchema(db: Knex, fixture: string): Promise<void> {
  await expect(await schemaText(db)).toMatchFileSnapshot(new URL(fixture, FIXTURES).pathname)
}
