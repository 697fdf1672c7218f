import { join } from 'node:path'
import { describe } from 'vitest'
import { createDatabase } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate.ts'
import type { Database } from '../../src/db/repositories.ts'
import { openSqlite } from '../../src/db/sqlite.ts'
import { testDatabaseContract } from '../contract/database-contract.ts'
import { testJobQueueContract } from '../contract/job-queue-contract.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

describe('SQLite', () => {
  testDatabaseContract(create)
  describe('jobs', () => testJobQueueContract(create))
})

async function create(): Promise<Database> {
  const connections = openSqlite(join(await temporaryFolder(), 'quoin.db'))
  await migrate(connections.writer)
  return createDatabase(connections)
}
