import type { Knex } from 'knex'
import type { ProjectId } from '../domain/ids.ts'
import { CACHE_PURGE, WHOLE_SITE } from '../domain/job.ts'
import { createJobQueue, hasQueuedJob } from './jobs.ts'
import { inChunks } from './ledger/objects.ts'
import type { CachePurgeRepository, PendingPurge } from './repositories/cache-purges.ts'
import type { EventPorts } from './repositories/webhooks.ts'

interface PurgeRow {
  readonly project_id: ProjectId
  readonly key: string
  readonly request_id: string
  readonly due_at: string
  readonly is_repeat: boolean | number
}

/** Keys of a request. With more, the whole site is purged, which is one tag. */
const MAX_KEYS = 500

/** @param db a Knex instance or, inside a transaction, the transaction. */
export function createCachePurgeRepository(db: Knex): CachePurgeRepository {
  const purges = () => db<PurgeRow>('cache_purges')

  return {
    requestSite: (projectId, ports) => requestCachePurge(db, projectId, [WHOLE_SITE], ports),

    async due(now, limit) {
      const rows = await purges()
        .where('due_at', '<=', now)
        .orderBy(['due_at', 'project_id', 'key'])
        .limit(limit)
      return rows.map(toPurge)
    },

    async nextOf(projectId) {
      const row = await purges().where({ project_id: projectId }).orderBy('due_at').first('due_at')
      return row?.due_at ?? null
    },

    async settle(purged, repeatAt) {
      for (const { projectId, key, requestId, isRepeat } of purged) {
        const row = purges().where({ project_id: projectId, key, request_id: requestId })
        if (isRepeat || repeatAt === null) await row.delete()
        else await row.update({ due_at: repeatAt, is_repeat: true })
      }
    },

    enqueueJob: (projectId, dueAt, ports) => enqueueJob(db, projectId, dueAt, ports),
  }
}

/**
 * Records purges of these objects, and enqueues a job for it unless one is queued. Call it
 * inside the transaction of the change. Requests for an object that is pending already become one.
 */
export async function requestCachePurge(
  trx: Knex,
  projectId: ProjectId,
  keys: readonly string[],
  { newId, now }: EventPorts,
): Promise<void> {
  if (keys.length === 0) return
  const wanted = keys.length > MAX_KEYS ? [WHOLE_SITE] : [...new Set(keys)]
  const request = { request_id: newId<'job'>(), due_at: now, is_repeat: false }
  const rows = wanted.map((key) => ({ project_id: projectId, key, ...request }))
  await inChunks(rows, (chunk) => trx('cache_purges').insert(chunk).onConflict(['project_id', 'key']).merge())
  await enqueueJob(trx, projectId, now, { newId, now })
}

async function enqueueJob(
  trx: Knex,
  projectId: ProjectId,
  dueAt: string,
  { newId, now }: EventPorts,
): Promise<void> {
  const job = { project_id: projectId, kind: CACHE_PURGE }
  await trx('jobs')
    .where({ ...job, state: 'queued' })
    .where('due_at', '>', dueAt)
    .update({ due_at: dueAt })
  if (await hasQueuedJob(trx, job)) return
  await createJobQueue(trx).enqueue({
    id: newId(),
    projectId,
    kind: CACHE_PURGE,
    subject: null,
    payload: null,
    total: 1,
    dueAt,
    createdAt: now,
  })
}

function toPurge(row: PurgeRow): PendingPurge {
  return {
    projectId: row.project_id,
    key: row.key,
    requestId: row.request_id,
    isRepeat: Boolean(row.is_repeat),
  }
}
