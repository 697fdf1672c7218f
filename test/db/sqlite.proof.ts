import { describe } from 'vitest'
import { createDatabase } from '../../src/db/database.ts'
import type { Database } from '../../src/db/repositories.ts'
import { testDatabaseContract } from '../contract/database-contract.ts'
import { testJobQueueContract } from '../contract/job-queue-contract.ts'
import { newDatabase } from '../support/new-database.ts'
import { sqliteDrivers } from '../support/sqlite-drivers.ts'

describe.each(sqliteDrivers())('SQLite through $name', (driver) => {
  const create = async (): Promise<Database> => createDatabase(await newDatabase(driver))
  testDatabaseContract(create)
  describe('jobs', () => testJobQueueContract(create))
})
