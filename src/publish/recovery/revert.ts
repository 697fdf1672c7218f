import { SHARED_PREFIXES } from '../../domain/artifact.ts'
import type { ProjectId } from '../../domain/ids.ts'
import { type AnyRelease, isDataModeRelease, isPageRelease, putsLive } from '../../domain/release.ts'
import { projectPrefix, storageKey } from '../../domain/storage-key.ts'
import { navKeys } from '../../render/docs/docs-nav.ts'
import { siteKeys } from '../../render/site-files/site-keys.ts'
import { createSealing, type Sealing } from '../data-mode/seal.ts'
import type { Lease } from '../ledger/leases.ts'
import type { LiveObject } from '../ledger/live-state.ts'
import { deploy, remove } from '../pipeline/deploy.ts'
import type { PublishPorts } from '../ports.ts'
import { storedSearchFiles } from '../search/search-keys.ts'
import { rewriteSearchIndex } from '../search/update-search-index.ts'
import { rebuildIndexes } from './rebuild-indexes.ts'

/**
 * Restores the objects that were live before releases whose upload failed part-way, then frees their claims. Safe to
 * repeat until it succeeds.
 *
 * @throws the store's error; the releases then stay `reverting`.
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
  // Files of the site are rebuilt instead.
  const restored = touched.filter(({ digest, owner }) => digest !== null && isStored(owner))
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

  for (const object of restored) await restore(projectId, object, sealing, ports, releases.some(putsPageLive))
  await deploy({ uploads: indexes, deletes: [] }, projectId, storage, sealing.encodeUpload)
  const indexKeys = new Set(indexes.map(({ artifact }) => artifact.key))
  // Every page may be the only one of its listing and of its tag index.
  const pages = 1 + 3 * ((await liveState.indexLines(projectId)).length + releases.length)
  const locales = releases.filter(isPageRelease).flatMap(({ snapshot }) => snapshot.settings.locales)
  const subroutes = new Set(locales.map(({ subroute }) => subroute))
  const absent = [...siteKeys(pages, [...subroutes]), ...releases.flatMap(indexesTouchedBy)].filter(
    (key) => !indexKeys.has(key),
  )
  // A page may have one of these names, such as `404.html`.
  const ofPages = new Set(
    (await liveState.objectsAt(projectId, absent))
      .filter(({ owner }) => isStored(owner))
      .map(({ key }) => key),
  )
  const siteFiles = absent.filter((key) => !ofPages.has(key))
  if (releases.some(touchesSearch) || (await isSearchIndexMissing(projectId, ports)))
    await rewriteSearchIndex(lease, ports)
  await remove(
    projectId,
    [
      ...siteFiles.map((key) => ({ key, owner: SITE })),
      ...touched.filter(
        ({ key, digest, owner }) =>
          !indexKeys.has(key) &&
          (digest === null || owner.kind === 'listing' || owner.kind === 'site-redirect'),
      ),
      ...(await unknownAssets(projectId, indexKeys, ports)).map((key) => ({ key, owner: SITE })),
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

function isStored({ kind }: LiveObject['owner']): boolean {
  return kind === 'page' || kind === 'redirect'
}

const SITE: LiveObject['owner'] = { kind: 'site', id: '' }

function putsPageLive(release: AnyRelease): boolean {
  return isPageRelease(release) && putsLive(release)
}

/** Reports whether the release removed pages from the search index. A job makes all other changes of it. */
function touchesSearch(release: AnyRelease): boolean {
  return isPageRelease(release) ? !putsLive(release) : isDataModeRelease(release)
}

/** The first publish in Data Mode removes the whole search index. */
async function isSearchIndexMissing(
  projectId: ProjectId,
  { liveState, storage }: PublishPorts,
): Promise<boolean> {
  const known = await liveState.objectsOfKinds(projectId, ['search'])
  const stored = new Set(await storedSearchFiles(projectId, storage))
  return known.some(({ key }) => !stored.has(storageKey(projectId, key)))
}

/** Assets on the store without a row in the database. */
async function unknownAssets(
  projectId: ProjectId,
  written: ReadonlySet<string>,
  { liveState, storage }: PublishPorts,
): Promise<readonly string[]> {
  const prefix = projectPrefix(projectId)
  const known = new Set((await liveState.allObjects(projectId)).map(({ key }) => key))
  const stored: string[] = []
  for (const shared of SHARED_PREFIXES) stored.push(...(await storage.list(prefix + shared)))
  return stored.map((full) => full.slice(prefix.length)).filter((key) => !known.has(key) && !written.has(key))
}

async function restore(
  projectId: ProjectId,
  object: LiveObject,
  sealing: Sealing,
  ports: PublishPorts,
  mustBeStored: boolean,
): Promise<void> {
  const { key, digest } = object
  const stored = digest === null ? null : await ports.storedArtifacts.find(projectId, digest)
  // While bytes are lost with their key, nothing is published, but pages are removed and the key is regenerated.
  if (stored === null && !mustBeStored) return
  if (stored === null) throw new Error(`The bytes of the live object ${key} are not stored.`)
  const body = sealing.encode(object, sealing.openStored(stored))
  await ports.storage.put({ key: storageKey(projectId, key), body })
}

/** Navigation files possibly written for the first time by a release. */
function indexesTouchedBy(release: AnyRelease): readonly string[] {
  if (!isPageRelease(release)) return []
  const { page } = release.snapshot
  return page.type === 'docs' ? navKeys(page.subroute) : []
}
