import type { Knex } from 'knex'
import type { JobId, ProjectId } from '../../domain/ids.ts'
import { RECHECK } from '../../domain/job.ts'
import { createJobQueue } from '../jobs.ts'
import { selectReleases, toRelease } from '../releases.ts'
import { objectsTouchedBy } from './objects.ts'

/** Time after which no pending write of a previous holder can still arrive. */
const LATE_WRITES_MS = 60_000

/**
 * Schedules a check of the objects that a previous holder of the lease was writing. The fence protects the rows, but
 * not the store. Call it inside the transaction that takes over the lease.
 */
export async function scheduleRecheck(
  trx: Knex,
  projectId: ProjectId,
  id: JobId,
  now: string,
): Promise<void> {
  const started = await selectReleases(trx)
    .where('releases.project_id', projectId)
    .whereIn('releases.state', ['claimed', 'reverting'])
  const keys = (await objectsTouchedBy(trx, started.map(toRelease))).map(({ key }) => key)
  await createJobQueue(trx).enqueue({
    id,
    projectId,
    kind: RECHECK,
    subject: null,
    payload: keys,
    total: 1,
    dueAt: new Date(Date.parse(now) + LATE_WRITES_MS).toISOString(),
    createdAt: now,
  })
}
