import type { Knex } from 'knex'
import type { ProjectId } from '../../domain/ids.ts'
import { RECHECK } from '../../domain/job.ts'
import { createJobQueue } from '../jobs.ts'
import { selectReleases, toRelease } from '../release-rows.ts'
import type { EventPorts } from '../repositories/webhooks.ts'
import { objectsTouchedBy } from './objects.ts'

/** Time after which no pending write of a previous holder can still arrive. */
const LATE_WRITES_MS = 60_000

/**
 * Schedules a check of the objects that a previous holder of the lease was writing. The fence protects the rows, but
 * not the store. Call it inside the transaction that takes over the lease.
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
  await enqueue(trx, projectId, keys, LATE_WRITES_MS, ports)
}

/**
 * Schedules checks of the objects that a holder may have written after it had lost the lease: one now, and one for
 * when no call that it aborted can still arrive.
 */
export async function scheduleLateWritesCheck(
  trx: Knex,
  projectId: ProjectId,
  keys: readonly string[],
  ports: EventPorts,
): Promise<void> {
  for (const delayMs of [0, LATE_WRITES_MS]) await enqueue(trx, projectId, keys, delayMs, ports)
}

async function enqueue(
  trx: Knex,
  projectId: ProjectId,
  keys: readonly string[],
  delayMs: number,
  { newId, now }: EventPorts,
): Promise<void> {
  await createJobQueue(trx).enqueue({
    id: newId(),
    projectId,
    kind: RECHECK,
    subject: null,
    payload: keys,
    total: 1,
    dueAt: new Date(Date.parse(now) + delayMs).toISOString(),
    createdAt: now,
  })
}
