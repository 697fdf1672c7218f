import type { Knex } from 'knex'
import type { ProjectId } from '../../domain/ids.ts'
import { RECHECK, WHOLE_SITE } from '../../domain/job.ts'
import type { LateWrites } from '../../publish/ledger/late-writes.ts'
import type { Connections } from '../connections.ts'
import { createJobQueue, hasQueuedJob } from '../jobs.ts'
import { selectReleases, toRelease } from '../release-rows.ts'
import type { EventPorts } from '../repositories/webhooks.ts'
import { inChunks, objectsTouchedBy } from './objects.ts'

/** Longest delay of a write after it was given up. */
const LATE_WRITES_MS = 60_000

export function createLateWrites(
  { reader, transact }: Pick<Connections, 'reader' | 'transact'>,
  { now, newId }: { readonly now: () => string; readonly newId: EventPorts['newId'] },
): LateWrites {
  return {
    note: (projectId, keys) =>
      transact((trx) => scheduleLateWritesCheck(trx, projectId, keys, { newId, now: now() })),

    keys: (projectId) => reader('late_writes').where({ project_id: projectId }).pluck('key'),

    settle: (projectId, checkedAt) =>
      transact(async (trx) => {
        const writes = () => trx('late_writes').where({ project_id: projectId })
        await writes().where('given_up_at', '<=', later(checkedAt, -LATE_WRITES_MS)).delete()
        if ((await writes().first('key')) === undefined) return null
        return (await hasQueuedJob(trx, checkOf(projectId))) ? null : later(checkedAt, LATE_WRITES_MS)
      }),
  }
}

/**
 * Schedules a check of objects in writing by a previous holder of the lease: the fence protects the rows, not the store.
 * Call it inside the transaction of the takeover.
 */
export async function scheduleTakeOverCheck(
  trx: Knex,
  projectId: ProjectId,
  ports: EventPorts,
): Promise<void> {
  const started = await selectReleases(trx)
    .where('releases.project_id', projectId)
    .whereIn('releases.state', ['claimed', 'reverting'])
  const keys = (await objectsTouchedBy(trx, started.map(toRelease))).map(({ key }) => key)
  await noteKeys(trx, projectId, [...keys, WHOLE_SITE], ports.now)
  await enqueue(trx, projectId, LATE_WRITES_MS, ports)
}

/**
 * Schedules checks of objects whose writes may arrive late: one now, which schedules the last one. Call it inside the
 * transaction of the decision.
 */
export async function scheduleLateWritesCheck(
  trx: Knex,
  projectId: ProjectId,
  keys: readonly string[],
  ports: EventPorts,
): Promise<void> {
  if (keys.length === 0) return
  await noteKeys(trx, projectId, keys, ports.now)
  if (!(await hasQueuedJob(trx, checkOf(projectId), ports.now))) await enqueue(trx, projectId, 0, ports)
}

/**
 * Replaces the checks of a deleted project by one of all its possible objects. Call it inside the transaction of the
 * deletion.
 */
export async function checkDeletedProject(trx: Knex, projectId: ProjectId, ports: EventPorts): Promise<void> {
  if ((await trx('late_writes').where({ project_id: projectId }).delete()) === 0) return
  await noteKeys(trx, projectId, [WHOLE_SITE], ports.now)
  await enqueue(trx, projectId, LATE_WRITES_MS, ports)
}

async function noteKeys(
  trx: Knex,
  projectId: ProjectId,
  keys: readonly string[],
  now: string,
): Promise<void> {
  const rows = [...new Set(keys)].map((key) => ({ project_id: projectId, key, given_up_at: now }))
  await inChunks(rows, (chunk) => trx('late_writes').insert(chunk).onConflict(['project_id', 'key']).merge())
}

function checkOf(projectId: ProjectId) {
  return { project_id: projectId, kind: RECHECK }
}

async function enqueue(
  trx: Knex,
  projectId: ProjectId,
  delayMs: number,
  { newId, now }: EventPorts,
): Promise<void> {
  await createJobQueue(trx).enqueue({
    id: newId(),
    projectId,
    kind: RECHECK,
    subject: null,
    payload: null,
    total: 1,
    dueAt: later(now, delayMs),
    createdAt: now,
  })
}

function later(time: string, ms: number): string {
  return new Date(Date.parse(time) + ms).toISOString()
}
