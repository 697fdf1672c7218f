import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../../src/db/database.ts'
import { createLedger } from '../../../src/db/ledger.ts'
import { SERVICE } from '../../../src/domain/audit.ts'
import type { Lease } from '../../../src/publish/ledger/leases.ts'
import { randomId } from '../../../src/services/new-id.ts'
import { insertProject } from '../../support/insert-project.ts'
import { snapshotFor } from '../../support/live-site.ts'
import { newDatabase } from '../../support/new-database.ts'

const HOUR_MS = 60 * 60 * 1000

/** The ledger of a database with one project, and the lease of that project. */
async function openProject() {
  const connections = await newDatabase()
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
  return { connections, db, ledger, projectId, clock, now, take }
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

const NO_KEYS = {
  keysOf: () => [],
  redirectFrom: () => [],
  newKey: () => expect.unreachable(),
  keyIdOf: () => expect.unreachable(),
}
const LIMITS = { awaited: 500, background: 500, isRecovery: false }

/** Enqueues the publish of one page per id, with a long text. */
async function enqueue(
  { db, projectId, now }: Awaited<ReturnType<typeof openProject>>,
  ids: readonly string[],
  deadlineAt: string | null = null,
) {
  const releases = ids.map((id) => ({
    id: randomId<'rel'>(),
    pageId: randomId<'page'>(),
    op: 'publish' as const,
    snapshot: snapshotFor(id, { projectId, markdown: '"text" '.repeat(100_000) }),
    statusAfter: 'published' as const,
    lenient: false,
    strict: false,
    restores: null,
    actor: SERVICE,
    undo: null,
    createdAt: now(),
    deadlineAt,
  }))
  const [first] = releases
  if (first === undefined) return []
  await db.write(({ releases: queue }) => queue.acceptAll(projectId, first.snapshot.settings, releases))
  return releases.map(({ id }) => id)
}

test('a process that waits for a release reads its state without its snapshot', async () => {
  const project = await openProject()
  const [id = expect.unreachable()] = await enqueue(project, ['a'])
  const statements: string[] = []
  project.connections.reader.on('query', ({ sql }: { readonly sql: string }) => statements.push(sql))

  expect(await project.ledger.releaseQueue.findStatus(id)).toMatchObject({ id, state: 'queued' })
  expect(statements).toHaveLength(1)
  expect(statements.join()).not.toMatch(/\*|snapshot/)
})

test('other writes go on while the snapshots of many waiting releases are read', async () => {
  const project = await openProject()
  const ids = await enqueue(
    project,
    Array.from({ length: 60 }, (_, i) => `page-${i}`),
  )
  const lease = await project.take()
  let isClaimed = false
  const claiming = project.ledger.releaseQueue.claim(lease, LIMITS, NO_KEYS).finally(() => (isClaimed = true))
  let writes = 0
  while (!isClaimed) {
    await project.connections.transact((trx) => trx.raw('SELECT 1'))
    writes += 1
  }

  // Their pages do not exist, so all of them are refused.
  expect((await claiming).ended.map(({ id }) => id)).toEqual(ids)
  expect(writes).toBeGreaterThan(4)
})

test('releases that are refused while they are read are not claimed, and the others are', async () => {
  const project = await openProject()
  const { releaseQueue } = project.ledger
  const [first = expect.unreachable(), second = expect.unreachable()] = await enqueue(
    project,
    ['a', 'b'],
    '2026-01-01T00:00:12.000Z',
  )
  const lease = await project.take()
  const failure = { name: 'internal_error', message: 'Too late.' } as const
  const claiming = releaseQueue.claim(lease, LIMITS, NO_KEYS)
  await releaseQueue.expire(first, failure)

  const ended = (await claiming).ended.map(({ id }) => id)
  expect(ended).toContain(second)
  const refused = await releaseQueue.findStatus(first)
  expect(refused?.state).toBe('failed')
  expect(refused?.failure?.name).toBe(ended.includes(first) ? 'not_found' : 'internal_error')
})
