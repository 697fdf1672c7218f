import type { Database, Repositories } from '../../db/repositories.ts'
import type { OriginalId } from '../../domain/asset.ts'
import type { ProjectId } from '../../domain/ids.ts'
import { PICTURE } from '../../domain/job.ts'
import type { Timers } from '../../domain/timers.ts'

/** Time between two look-ups of images that a publish waits for. */
const POLL_MS = 100

/** Images whose WebP is being derived. */
export interface PendingWebp {
  /** Finds images of a project by the digests of their stored bytes, without images that wait for another attempt. */
  find(
    repositories: Pick<Repositories, 'variants' | 'jobs'>,
    projectId: ProjectId,
    storedDigests: readonly string[],
  ): Promise<readonly OriginalId[]>
  /** Resolves when none of these is being derived any more, or after `waitMs`. */
  wait(originals: readonly OriginalId[], waitMs: number): Promise<void>
}

interface Ports {
  readonly db: Pick<Database, 'read'>
  readonly now: () => string
  /** A monotonic clock in milliseconds. */
  readonly monotonic: () => number
  readonly timers: Timers
}

export function createPendingWebp({ db, now, monotonic, timers }: Ports): PendingWebp {
  return {
    async find(repositories, projectId, storedDigests) {
      const originals = await repositories.variants.processing(projectId, storedDigests)
      return originals.length === 0 ? [] : underWay(repositories, originals)
    },

    async wait(originals, waitMs) {
      const until = monotonic() + waitMs
      for (let left = originals; left.length > 0 && monotonic() < until; ) {
        await timers.sleep(POLL_MS)
        left = await underWay(db.read, left)
      }
    },
  }

  async function underWay(
    { jobs }: Pick<Repositories, 'jobs'>,
    originals: readonly OriginalId[],
  ): Promise<readonly OriginalId[]> {
    const found = await jobs.findUnfinished(PICTURE, originals)
    const at = now()
    return found
      .filter(({ state, dueAt }) => state === 'running' || dueAt <= at)
      .map(({ subject }) => subject as OriginalId)
  }
}
