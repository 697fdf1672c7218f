import { ASSET_PREFIX } from '../../domain/artifact.ts'
import type { ProjectId } from '../../domain/ids.ts'
import { type AnyRelease, isPageRelease, putsLive } from '../../domain/release.ts'
import { projectPrefix, storageKey } from '../../domain/storage-key.ts'
import { navKeys } from '../../render/docs/docs-nav.ts'
import { siteKeys } from '../../render/site-files/site-keys.ts'
import { createSealing, type Sealing } from '../data-mode/seal.ts'
import type { Lease } from '../ledger/leases.ts'
import type { LiveObject } from '../ledger/live-state.ts'
import { deploy, remove } from '../pipeline/deploy.ts'
import type { PublishPorts } from '../ports.ts'
import { rewriteSearchIndex } from '../search/write-search.ts'
import { rebuildIndexes } from './rebuild-indexes.ts'

/**
 * Put back what was live before releases whose upload failed half-way, then free what they held.
 * May be repeated until it succeeds.
 *
 * @throws whatever the store throws; the releases are then still `reverting`.
 */
export async function revert(
  lease: Lease,
  releases: readonly AnyRelease[],
  ports: PublishPorts,
): Promise<void> {
  const { releaseQueue, liveState, storage, now } = ports
  const { projectId } = lease
  const sealing = await createSealing(projectId, ports)
  const touched = await liveState.objectsTouchedBy(releases)
  // The site's own are written anew instead.
  const written = touched.filter(({ digest, owner }) => digest !== null && isKept(owner))
  const last = releases.at(-1)
  const indexes =
    last === undefined
      ? []
      : await rebuildIndexes(
          projectId,
          { releaseId: last.id, publishedAt: now() },
          listingKeysIn(touched),
          ports,
        )

  for (const object of written) await putBack(projectId, object, sealing, ports)
  await deploy({ uploads: indexes, deletes: [] }, projectId, storage, sealing.encodeUpload)
  const indexKeys = new Set(indexes.map(({ artifact }) => artifact.key))
  // Each may be the only one of a listing.
  const pages = 2 * ((await liveState.indexLines(projectId)).length + releases.length)
  const ofSite = [...siteKeys(pages), ...releases.flatMap(indexesTouchedBy)].filter(
    (key) => !indexKeys.has(key),
  )
  if (releases.some(touchesSearch) || (await isSearchLost(projectId, ports)))
    await rewriteSearchIndex(lease, ports)
  await remove(
    projectId,
    [
      ...ofSite.map((key) => ({ key, owner: SITE })),
      ...touched.filter(
        ({ key, digest, owner }) => !indexKeys.has(key) && (digest === null || owner.kind === 'listing'),
      ),
      ...(await strayAssets(projectId, indexKeys, ports)).map((key) => ({ key, owner: SITE })),
    ],
    storage,
  )
  await releaseQueue.finishReverting(
    lease,
    releases.map(({ id }) => id),
    indexes,
  )
}

function listingKeysIn(touched: readonly LiveObject[]): ReadonlySet<string> {
  return new Set(touched.filter(({ owner }) => owner.kind === 'listing').map(({ key }) => key))
}

function isKept({ kind }: LiveObject['owner']): boolean {
  return kind === 'page' || kind === 'redirect'
}

const SITE: LiveObject['owner'] = { kind: 'site', id: '' }
/** Whether it takes something out of the search index; publishes are added to it later. */
function touchesSearch(release: AnyRelease): boolean {
  return !isPageRelease(release) || !putsLive(release)
}

/** The first page that is sealed takes the whole index away. */
async function isSearchLost(projectId: ProjectId, { liveState, storage }: PublishPorts): Promise<boolean> {
  const known = await liveState.objectsOfKinds(projectId, ['search'])
  const lying = new Set(await storage.list(`${projectPrefix(projectId)}_search`))
  return known.some(({ key }) => !lying.has(storageKey(projectId, key)))
}

/** Assets on the store that nothing live brought along. */
async function strayAssets(
  projectId: ProjectId,
  written: ReadonlySet<string>,
  { liveState, storage }: PublishPorts,
): Promise<readonly string[]> {
  const prefix = projectPrefix(projectId)
  const known = new Set((await liveState.allObjects(projectId)).map(({ key }) => key))
  const lying = await storage.list(prefix + ASSET_PREFIX)
  return lying.map((full) => full.slice(prefix.length)).filter((key) => !known.has(key) && !written.has(key))
}

async function putBack(
  projectId: ProjectId,
  object: LiveObject,
  sealing: Sealing,
  ports: PublishPorts,
): Promise<void> {
  const { key, digest } = object
  const kept = digest === null ? null : await ports.storedArtifacts.find(projectId, digest)
  if (kept === null) throw new Error(`The bytes of ${key} as it was live are not kept.`)
  const body = sealing.encode(object, sealing.openStored(kept))
  await ports.storage.put({ key: storageKey(projectId, key), body })
}

/** Files of the site that a release may have written for the first time. */
function indexesTouchedBy(release: AnyRelease): readonly string[] {
  if (!isPageRelease(release)) return []
  const { page } = release.snapshot
  return page.type === 'docs' ? navKeys(page.subroute) : []
}
