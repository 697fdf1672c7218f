import { describe } from 'vitest'
import { createDatabase } from '../../src/db/database.ts'
import type { Database } from '../../src/db/repositories.ts'
import { testDatabaseContract } from '../contract/database-contract.ts'
import { testJobQueueContract } from '../contract/job-queue-contract.ts'
import { newDatabase } from '../support/new-database.ts'

describe('SQLite', () => {
  testDatabaseContract(create)
  describe('jobs', () => testJobQueueContract(create))
})

async function create(): Promise<Database> {
  const connections = await newDatabase()
  return createDatabase(connections)
}
