import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate.ts'
import { openPostgres } from '../../src/db/postgres.ts'
import type { Database, Repositories } from '../../src/db/repositories.ts'
import { numberChanges } from '../../src/services/changes/number-changes.ts'
import { randomId as newId } from '../../src/services/new-id.ts'
import { testDatabaseContract } from '../contract/database-contract.ts'
import { testJobQueueContract } from '../contract/job-queue-contract.ts'
import { insertProject } from '../support/insert-project.ts'
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

  test('a change that was written first and committed last gets the later number', async () => {
    const db = await create()
    onTestFinished(() => db.close())
    const projectId = await insertProject(db)
    const insert = ({ audit }: Repositories, target: string) =>
      audit.insert({
        id: newId<'aud'>(),
        createdAt: '2026-01-02T03:04:05.678Z',
        of: { projectId },
        act: 'page.update',
        target,
        actor: { via: { kind: 'service' } },
      })
    const [slow, quick] = [newId<'page'>(), newId<'page'>()]
    let commit = () => {}
    const isCommitting = new Promise<void>((resolve) => (commit = resolve))
    let written = () => {}
    const isWritten = new Promise<void>((resolve) => (written = resolve))
    const first = db.write(async (repositories) => {
      await insert(repositories, slow)
      written()
      await isCommitting
    })
    await isWritten
    await db.write((repositories) => insert(repositories, quick))
    await numberChanges(db, projectId)
    const ids = async () =>
      (await db.read.changes.list(projectId, { after: 0, records: null, limit: 9 })).map(({ id }) => id)
    expect(await ids()).toEqual([quick])
    commit()
    await first
    await numberChanges(db, projectId)
    expect(await ids()).toEqual([quick, slow])
  })

  async function create(): Promise<Database> {
    const connections = openPostgres(await createSchema(server.url, `test_${++created}`))
    await migrate(connections.writer)
    return createDatabase(connections)
  }
})
