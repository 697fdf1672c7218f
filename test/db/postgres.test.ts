import { afterAll, beforeAll, describe } from 'vitest'
import { createDatabase } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate.ts'
import { openPostgres } from '../../src/db/postgres.ts'
import type { Database } from '../../src/db/repositories.ts'
import { testDatabaseContract } from '../contract/database-contract.ts'
import { testJobQueueContract } from '../contract/job-queue-contract.ts'
import { createSchema, type PostgresServer, postgresPrograms, startPostgres } from '../support/postgres.ts'

const programs = postgresPrograms()

describe.skipIf(programs === null)('PostgreSQL', () => {
  let server: PostgresServer
  let created = 0
  beforeAll(async () => {
    server = await startPostgres(programs ?? '')
  })
  afterAll(() => server.stop())

  testDatabaseContract(create)
  describe('jobs', () => testJobQueueContract(create))

  async function create(): Promise<Database> {
    const connections = openPostgres(await createSchema(server.url, `test_${++created}`))
    await migrate(connections.writer)
    return createDatabase(connections)
  }
})
