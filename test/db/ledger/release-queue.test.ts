import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../../src/db/database.ts'
import { createLedger } from '../../../src/db/ledger.ts'
import { migrate } from '../../../src/db/migrate.ts'
import { openSqlite } from '../../../src/db/sqlite.ts'
import type { Lease } from '../../../src/publish/ledger/leases.ts'
import { randomId } from '../../../src/services/new-id.ts'
import { insertProject } from '../../support/insert-project.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const HOUR_MS = 60 * 60 * 1000

/** The ledger of a database with one project, and the lease of that project. */
async function openProject() {
  const connections = openSqlite(join(await temporaryFolder(), 'quoin.db'))
  await migrate(connections.writer)
  const db = createDatabase(connections)
  onTestFinished(() => db.close())
  const projectId = await insertProject(db)
  const clock = { time: Date.parse('2026-01-02T03:04:05.678Z') }
  const now = () => new Date(clock.time).toISOString()
  const ledger = createLedger(connections, { now, newId: randomId })
  const take = async (): Promise<Lease> => {
    const lease = await ledger.leases.take(projectId, randomId(), await ledger.leases.find(projectId))
    return lease ?? expect.unreachable()
  }
  return { db, ledger, projectId, clock, now, take }
}

test('a project that two processes purge on the day of its deletion is purged again a day later', async () => {
  const { db, ledger, projectId, clock, now, take } = await openProject()
  const { listTombstones, deleteProject } = ledger.releaseQueue
  await db.write(({ projects }) => projects.markDeleted(projectId, now()))
  expect(await listTombstones()).toEqual([projectId])
  for (const lease of [await take(), await take()]) await deleteProject(lease).catch(() => {})
  await deleteProject(await take())
  expect(await listTombstones()).toEqual([])
  clock.time += 25 * HOUR_MS
  expect(await listTombstones()).toEqual([projectId])
  await deleteProject(await take())
  expect(await listTombstones()).toEqual([])
})
