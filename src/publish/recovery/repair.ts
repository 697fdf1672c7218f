import { isAssetKey } from '../../domain/artifact.ts'
import { messageOf } from '../../domain/errors.ts'
import { storageKey } from '../../domain/storage-key.ts'
import { createSealing, type Sealing } from '../data-mode/seal.ts'
import { type Lease, LeaseLost } from '../ledger/leases.ts'
import type { ObjectRecord } from '../ledger/live-state.ts'
import { deleteAll, deploy } from '../pipeline/deploy.ts'
import { sha256 } from '../pipeline/plan.ts'
import type { PublishPorts } from '../ports.ts'
import { rewriteSearchIndex } from '../search/write-search.ts'
import type { Difference } from './compare.ts'
import { rebuildIndexes } from './rebuild-indexes.ts'

/**
 * Mend differences under the project's lease, in an order that leaves no index naming what is not
 * there: kept bytes are put back, indexes written anew, then what nobody published is removed.
 * What cannot be mended stays; comparing again tells.
 *
 * @returns why single objects could not be put back, by key.
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

  const damaged = keysOf('missing', 'altered', 'unreadable')
  const failures = new Map<string, string>()
  for (const record of records.filter(({ key }) => damaged.has(key))) {
    const failure = isRebuilt(record) ? null : await putBack(lease, record, sealing, ports)
    if (failure !== null) failures.set(record.key, failure)
  }

  const writer = records.find(({ writtenBy }) => writtenBy !== null)?.writtenBy
  const lost = records.filter((record) => damaged.has(record.key) && isRebuilt(record))
  const isIndexDamaged = lost.some(({ owner }) => owner.kind !== 'search')
  const isDue = isIndexDamaged || keysOf('index').size > 0
  const refusal = isDue ? await whyNotAnew(lease, ports) : null
  if (refusal !== null) {
    const waiting = lost.filter(({ owner }) => owner.kind !== 'search').map(({ key }) => key)
    for (const key of [...waiting, ...keysOf('index')]) failures.set(key, refusal)
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
  if (lost.some(({ owner }) => owner.kind === 'search')) await rewriteSearchIndex(lease, ports)
  return failures
}

/** In another theme than the site's they would be no mending. Null where it can be done. */
async function whyNotAnew(
  { projectId }: Lease,
  { liveState, renderer }: Pick<PublishPorts, 'liveState' | 'renderer'>,
): Promise<string | null> {
  const theme = (await liveState.site(projectId))?.settings.theme
  if (theme === undefined || renderer.themes.includes(theme)) return null
  return `It cannot be written anew: the theme ${theme} is not installed here. Name its folder (QUOIN_THEMES).`
}

/** What is not kept, since it can be made of the live rows. */
function isRebuilt({ key, owner }: ObjectRecord): boolean {
  return owner.kind !== 'page' && owner.kind !== 'redirect' && !isAssetKey(key)
}

/** Null, or why it could not be done. */
async function putBack(
  { projectId }: Lease,
  object: ObjectRecord,
  sealing: Sealing,
  { storedArtifacts, storage }: PublishPorts,
): Promise<string | null> {
  const { key, digest } = object
  try {
    const kept = digest === null ? null : await storedArtifacts.find(projectId, digest)
    const body = kept === null ? null : sealing.openStored(kept)
    if (body === null || sha256(body) !== digest)
      return 'The bytes that were published are not kept; publish again.'
    await storage.put({ key: storageKey(projectId, key), body: sealing.encode(object, body) })
    return null
  } catch (error) {
    if (error instanceof LeaseLost) throw error
    return `It cannot be put back: ${messageOf(error)}`
  }
}
