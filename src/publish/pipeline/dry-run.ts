import type { DryRun, PlannedObject } from '../../domain/dry-run.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { Release } from '../../domain/release.ts'
import { keyIdOf } from '../../secrets/content-key.ts'
import type { LiveState } from '../ledger/live-state.ts'
import type { PreparePorts, PublishPorts } from '../ports.ts'
import { prepareBatch } from './batch.ts'
import { pageKeys, redirectPaths } from './page-keys.ts'
import type { PreparedBatch } from './prepare.ts'

/**
 * Prepares a release as if it had been claimed, and returns its plan without deploying it.
 *
 * @param release a publish that was not accepted into the queue.
 * @throws {ServiceError} with the reason of a refusal.
 */
export async function dryRun(release: Release, ports: PublishPorts & PreparePorts): Promise<DryRun> {
  const { releaseQueue, liveState } = ports
  const check = await releaseQueue.checkClaim(release, {
    keysOf: ({ snapshot }) => pageKeys(snapshot),
    redirectFrom: ({ snapshot }) => redirectPaths(snapshot),
    keyIdOf,
  })
  if ('failure' in check) throw new ServiceError(check.failure.name, check.failure.message)

  const { prepared, failed } = await prepareBatch(release, [check.claimable], ports)
  const [refused] = failed
  if (refused !== undefined) throw new ServiceError(refused.failure.name, refused.failure.message)
  const [live] = prepared?.commit.live ?? []
  if (prepared === null || live === undefined) throw new Error(`Nothing was prepared for ${release.id}.`)
  return { outcome: live.outcome, objects: await plannedObjects(release, prepared, liveState) }
}

async function plannedObjects(
  { projectId }: Release,
  { plan: { uploads, keeps }, commit: { deletes } }: PreparedBatch,
  liveState: LiveState,
): Promise<readonly PlannedObject[]> {
  const sizes = await liveState.sizesOf(projectId, [...keeps, ...deletes])
  const existing = (key: string) => ({ key, size: sizes.get(key) ?? 0 })
  const objects: readonly PlannedObject[] = [
    ...uploads.map(({ artifact: { key }, reason, size }) => ({
      key,
      action: 'put' as const,
      reason,
      size,
    })),
    ...keeps.map((key) => ({ ...existing(key), action: 'keep' as const, reason: 'unchanged' as const })),
    ...deletes.map((key) => ({ ...existing(key), action: 'delete' as const, reason: 'obsolete' as const })),
  ]
  return [...objects].sort((a, b) => (a.key < b.key ? -1 : 1))
}
