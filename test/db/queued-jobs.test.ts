import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { requestCachePurge } from '../../src/db/cache-purges.ts'
import type { Connections } from '../../src/db/connections.ts'
import { createDatabase } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate.ts'
import { openPostgres } from '../../src/db/postgres.ts'
import type { Database } from '../../src/db/repositories.ts'
import type { ProjectId } from '../../src/domain/ids.ts'
import { CACHE_PURGE } from '../../src/domain/job.ts'
import { randomId as newId } from '../../src/services/new-id.ts'
import { insertProject } from '../support/insert-project.ts'
import { createSchema, type PostgresServer, postgresPrograms, startPostgres } from '../support/postgres.ts'

const programs = postgresPrograms()
const NOW = '2026-01-02T03:04:05.678Z'
const ports = { newId, now: NOW }
const LANE = { name: CACHE_PURGE }

describe.skipIf(programs === null)('on PostgreSQL', () => {
  let server: PostgresServer
  let connections: Connections
  let db: Database
  let project: ProjectId
  beforeAll(async () => {
    server = await startPostgres(programs ?? '')
    connections = openPostgres(await createSchema(server.url, 'queued_jobs'))
    await migrate(connections.writer)
    db = createDatabase(connections)
    project = await insertProject(db)
  })
  afterAll(async () => {
    await connections.close()
    await server.stop()
  })

  test('a change that counts on a waiting job is seen by it, or gets another job', async () => {
    await db.write(({ cachePurges }) => cachePurges.requestSite(project, ports))
    let wrote = () => {}
    let end = () => {}
    const hasWritten = new Promise<void>((resolve) => (wrote = resolve))
    const mayEnd = new Promise<void>((resolve) => (end = resolve))
    const change = connections.transact(async (trx) => {
      await requestCachePurge(trx, project, ['a-page/index.html'], ports)
      wrote()
      await mayEnd
    })
    await hasWritten
    // What the job runner and the job do while the change has not ended.
    const [claimed] = await db.write(({ jobs }) => jobs.claim(LANE, 'me', 1, NOW), { alone: 'claim' })
    const seen = await db.read.cachePurges.due(NOW, 10)
    if (claimed !== undefined)
      await db.write(async ({ jobs, cachePurges }) => {
        await cachePurges.settle(seen, null)
        await jobs.delete(claimed.lease)
        if ((await cachePurges.nextOf(project)) !== null) await cachePurges.enqueueJob(project, NOW, ports)
      })
    end()
    await change

    const pending = (await db.read.cachePurges.due(NOW, 10)).map(({ key }) => key)
    expect(pending).toContain('a-page/index.html')
    expect((await db.read.jobs.countByKind(NOW)).map(({ kind }) => kind)).toContain(CACHE_PURGE)
  })
})
