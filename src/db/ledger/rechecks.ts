import type { Knex } from 'knex'
import type { JobId, ProjectId } from '../../domain/ids.ts'
import { RECHECK } from '../../domain/job.ts'
import { createJobQueue } from '../jobs.ts'
import { selectReleases, toRelease } from '../releases.ts'
import { objectsTouchedBy } from './objects.ts'

/** A write that a former leader had sent off arrives within this, or never. */
const LATE_MS = 60_000

/**
 * Have what a former leader was writing looked at again: a fence keeps it from the rows, not from the
 * store. Written down with the take-over itself.
 */
export async function scheduleRecheck(
  trx: Knex,
  projectId: ProjectId,
  id: JobId,
  now: string,
): Promise<void> {
  const begun = await selectReleases(trx)
    .where('releases.project_id', projectId)
    .whereIn('releases.state', ['claimed', 'reverting'])
  const keys = (await objectsTouchedBy(trx, begun.map(toRelease))).map(({ key }) => key)
  await createJobQueue(trx).enqueue({
    id,
    projectId,
    kind: RECHECK,
    subject: null,
    payload: keys,
    total: 1,
    dueAt: new Date(Date.parse(now) + LATE_MS).toISOString(),
    createdAt: now,
  })
}
