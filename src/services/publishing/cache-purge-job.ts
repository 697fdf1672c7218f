import { objectTag, siteTag } from '../../cdn/cache-tags.ts'
import { objectUrls, siteUrls } from '../../cdn/object-urls.ts'
import type { Purge } from '../../cdn/purge-requests.ts'
import { PurgeFailed, type Purger } from '../../cdn/purger.ts'
import type { PendingPurge } from '../../db/repositories/cache-purges.ts'
import type { Database } from '../../db/repositories.ts'
import type { ProjectId } from '../../domain/ids.ts'
import { CACHE_PURGE, WHOLE_SITE } from '../../domain/job.ts'
import type { PublicAddresses } from '../../domain/project.ts'
import { storageKey } from '../../domain/storage-key.ts'
import type { JobKind } from '../../jobs/job-kind.ts'
import type { NewId } from '../new-id.ts'
import { UPKEEP_RETRIES } from './job-retries.ts'

/** Objects of one call to the cache. */
const BATCH = 100
/** A cache may store an answer that was on its way during a purge, so everything is purged once more. */
const REPEAT_MS = 30_000
/** Longest wait that a cache may ask for. */
const MAX_WAIT_S = 60 * 60

export interface CachePurgePorts {
  readonly db: Database
  readonly purge: Purger
  readonly addresses: PublicAddresses
  /** False for a CDN that charges for each purged object. */
  readonly repeats: boolean
  readonly newId: NewId
  /** Current time, ISO 8601 UTC. */
  readonly now: () => string
  /** Called with the result of each call to the cache. */
  readonly onTry: (outcome: 'purged' | 'failed') => void
}

/**
 * Sends the pending purges to the CDN. Each changed project has a job; the first one to run sends the pending purges of
 * all projects, so that many publishes become few requests.
 */
export function createCachePurgeJob({
  db,
  purge,
  addresses,
  repeats,
  newId,
  now,
  onTry,
}: CachePurgePorts): JobKind {
  const after = (ms: number) => new Date(Date.parse(now()) + ms).toISOString()

  return {
    name: CACHE_PURGE,
    // Requests to one account of one CDN, which limits their rate.
    concurrency: 1,
    deleteWhenDone: true,
    ...UPKEEP_RETRIES,

    async run({ projectId }, lease, stopping) {
      try {
        while (await purgeBatch(stopping)) if (stopping.aborted) return null
      } catch (error) {
        if (stopping.aborted) return null
        onTry('failed')
        if (!(error instanceof PurgeFailed) || error.retryAfter === null) throw error
        return { dueAt: after(1000 * Math.min(error.retryAfter, MAX_WAIT_S)) }
      }
      // A new job, whose attempts count from the start.
      await db.write(async ({ jobs, cachePurges }) => {
        await jobs.delete(lease)
        const next = await cachePurges.nextOf(projectId)
        if (next !== null) await cachePurges.enqueueJob(projectId, next, { newId, now: now() })
      })
      return 'ended'
    },

    // The next publish tries again, with the purges that are pending now.
    faultsOf: () => [],
  }

  /** @returns false when nothing was pending. */
  async function purgeBatch(stopping: AbortSignal): Promise<boolean> {
    const pending = await db.read.cachePurges.due(now(), BATCH)
    if (pending.length === 0) return false
    await purge(await toPurge(pending), stopping)
    onTry('purged')
    await db.write(({ cachePurges }) => cachePurges.settle(pending, repeats ? after(REPEAT_MS) : null))
    return true
  }

  async function toPurge(pending: readonly PendingPurge[]): Promise<Purge> {
    const sites = new Map<ProjectId, readonly string[]>()
    for (const { projectId } of pending)
      if (!sites.has(projectId)) {
        const record = await db.read.projects.find(projectId)
        sites.set(projectId, siteUrls(projectId, record?.project.hosting ?? null, addresses))
      }
    const sitesOf = (projectId: ProjectId) => sites.get(projectId) ?? []
    const whole = pending.filter(({ key }) => key === WHOLE_SITE)
    const objects = pending.filter(({ key }) => key !== WHOLE_SITE)
    return {
      tags: [
        ...whole.map(({ projectId }) => siteTag(projectId)),
        ...objects.map(({ projectId, key }) => objectTag(storageKey(projectId, key))),
      ],
      urls: objects.flatMap(({ projectId, key }) => objectUrls(key, sitesOf(projectId))),
      prefixes: whole.flatMap(({ projectId }) => sitesOf(projectId)),
    }
  }
}
