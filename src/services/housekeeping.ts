import type { Database, PrunedUpTo, PruningRepository } from '../db/repositories.ts'
import { type SealStoredPorts, sealStoredBytes } from '../publish/data-mode/seal-stored-bytes.ts'
import type { LiveState } from '../publish/ledger/live-state.ts'
import type { Publisher } from '../publish/queue/publisher.ts'
import type { MasterKey } from '../secrets/master-key.ts'

/** How long the record of a job is kept after its end. */
const JOB_RETENTION_MS = 30 * 24 * 60 * 60 * 1000
/** Transactions of one round; what is left over is for the next one. */
const MAX_STEPS = 200

export interface Housekeeping {
  /** One round of forgetting what nobody needs any more, in steps that let other writes pass between them. */
  prune(): Promise<void>
}

export interface HousekeepingPorts {
  readonly db: Database
  readonly liveState: Pick<LiveState, 'orphanedAssets'>
  readonly storedArtifacts: SealStoredPorts['storedArtifacts']
  readonly masterKey: MasterKey
  readonly publisher: Pick<Publisher, 'removeOrphanedAssets'>
  /** Current time, ISO 8601 UTC. */
  readonly now: () => string
}

export function createHousekeeping({
  db,
  liveState,
  storedArtifacts,
  masterKey,
  publisher,
  now,
}: HousekeepingPorts): Housekeeping {
  /** How far each kind has been gone through; a round begins where the last one had to stop. */
  const reached: Record<keyof PruningRepository, PrunedUpTo | null> = {
    releases: null,
    artifacts: null,
    settings: null,
  }

  return {
    async prune() {
      await db.write(({ idempotency }) => idempotency.prune(now()))
      const jobsBefore = new Date(Date.parse(now()) - JOB_RETENTION_MS).toISOString()
      await db.write(({ jobs }) => jobs.prune(jobsBefore))
      await forgetDeliveries()
      // What only a release needed is without a user once the release is gone.
      await goThrough('releases', ({ releases }, after) => releases(now(), after))
      await goThrough('artifacts', ({ artifacts }, after) => artifacts(after))
      await goThrough('settings', ({ settings }, after) => settings(after))
      await sealStoredBytes({ storedArtifacts, masterKey })
      for (const projectId of await db.read.projects.ids())
        if ((await liveState.orphanedAssets(projectId)).length > 0)
          await publisher.removeOrphanedAssets(projectId)
    },
  }

  async function forgetDeliveries(): Promise<void> {
    for (let steps = 0; steps < MAX_STEPS; steps++)
      if (!(await db.write(({ webhooks }) => webhooks.prune(now())))) return
  }

  async function goThrough(
    kind: keyof PruningRepository,
    step: (pruning: PruningRepository, after: PrunedUpTo | null) => Promise<PrunedUpTo | null>,
  ): Promise<void> {
    for (let steps = 0; steps < MAX_STEPS; steps++) {
      reached[kind] = await db.write(({ pruning }) => step(pruning, reached[kind]))
      if (reached[kind] === null) return
    }
  }
}
