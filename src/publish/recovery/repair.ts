import { isSharedKey } from '../../domain/artifact.ts'
import { messageOf } from '../../domain/errors.ts'
import { storageKey } from '../../domain/storage-key.ts'
import { createSealing, type Sealing } from '../data-mode/seal.ts'
import { type Lease, LeaseLost } from '../ledger/leases.ts'
import type { ObjectRecord } from '../ledger/live-state.ts'
import { deleteAll, deploy } from '../pipeline/deploy.ts'
import { sha256 } from '../pipeline/plan.ts'
import type { PublishPorts } from '../ports.ts'
import { rewriteSearchIndex } from '../search/update-search-index.ts'
import type { Difference } from './compare.ts'
import { rebuildIndexes } from './rebuild-indexes.ts'

/**
 * Repairs differences under the project's lease, in an order in which no index references a missing object: restores
 * objects from stored bytes, rewrites the indexes, then removes orphans. Differences that cannot be repaired remain;
 * compare again to find them.
 *
 * @returns the reasons why objects could not be restored, by key.
 */
export async function repair(
  lease: Lease,
  differences: readonly Difference[],
  ports: PublishPorts,
): Promise<ReadonlyMap<string, string>> {
  const { liveState, storage } = ports
  const sealing = await createSealing(lease.projectId, ports)
  const { projectId } = lease
  const records = await liveState.allObjects(projectId)
  const keysOf = (...kinds: readonly Difference['kind'][]) =>
    new Set(differences.filter(({ kind }) => kinds.includes(kind)).map(({ key }) => key))

  const damaged = keysOf('missing', 'altered', 'headers', 'unreadable')
  const failures = new Map<string, string>()
  for (const record of records.filter(({ key }) => damaged.has(key))) {
    const failure = isRebuilt(record) ? null : await restore(lease, record, sealing, ports)
    if (failure !== null) failures.set(record.key, failure)
  }

  const writer = records.find(({ writtenBy }) => writtenBy !== null)?.writtenBy
  const damagedIndexes = records.filter((record) => damaged.has(record.key) && isRebuilt(record))
  const isIndexDamaged = damagedIndexes.some(({ owner }) => owner.kind !== 'search')
  const isDue = isIndexDamaged || keysOf('index').size > 0
  const refusal = isDue ? await whyNotRebuildable(lease, ports) : null
  if (refusal !== null) {
    const unrepaired = damagedIndexes.filter(({ owner }) => owner.kind !== 'search').map(({ key }) => key)
    for (const key of [...unrepaired, ...keysOf('index')]) failures.set(key, refusal)
  }
  const rewritten =
    writer && isDue && refusal === null ? await rebuildIndexes(projectId, writer, damaged, ports) : []
  await deploy({ uploads: rewritten, deletes: [] }, projectId, storage, sealing.encodeUpload)

  await deleteAll(
    [...keysOf('orphan')].map((key) => storageKey(projectId, key)),
    storage,
  )
  const ended = records.flatMap(({ claimedByEnded }) => (claimedByEnded === null ? [] : [claimedByEnded]))
  await liveState.recordRepair(lease, rewritten, [...new Set(ended)])
  if (damagedIndexes.some(({ owner }) => owner.kind === 'search')) await rewriteSearchIndex(lease, ports)
  return failures
}

/** Reason against rebuilding the indexes, such as a missing theme; null without one. */
async function whyNotRebuildable(
  { projectId }: Lease,
  { liveState, renderer }: Pick<PublishPorts, 'liveState' | 'renderer'>,
): Promise<string | null> {
  const theme = (await liveState.site(projectId))?.settings.theme
  if (theme === undefined || renderer.themes.includes(theme)) return null
  return `It cannot be rebuilt: the theme ${theme} is not installed. Name its folder in QUOIN_THEMES.`
}

/** Reports whether the object is rebuilt from live rows instead of restored from stored bytes. */
function isRebuilt({ key, owner }: ObjectRecord): boolean {
  return owner.kind !== 'page' && owner.kind !== 'redirect' && !isSharedKey(key)
}

/** Restores an object from stored bytes. Returns null, or the reason why that failed. */
async function restore(
  { projectId }: Lease,
  object: ObjectRecord,
  sealing: Sealing,
  { storedArtifacts, storage, publishedMedia }: PublishPorts,
): Promise<string | null> {
  const { key, digest, keyId, owner } = object
  try {
    if (owner.kind === 'media' && digest !== null) {
      const original = await storedArtifacts.findOriginal(projectId, digest)
      if (original === null) return 'Its bytes are not in the media store; publish the page again.'
      const plaintext = publishedMedia.body(projectId, { digest, size: original.bytes })
      const body = keyId === null ? plaintext : await sealing.sealMedia(keyId, plaintext)
      await storage.put({ key: storageKey(projectId, key), body })
      return null
    }
    const stored = digest === null ? null : await storedArtifacts.find(projectId, digest)
    const body = stored === null ? null : sealing.openStored(stored)
    if (body === null || sha256(body) !== digest)
      return 'Its published bytes are not stored; publish the page again.'
    await storage.put({ key: storageKey(projectId, key), body: sealing.encode(object, body) })
    return null
  } catch (error) {
    if (error instanceof LeaseLost) throw error
    return `It cannot be restored: ${messageOf(error)}`
  }
}
