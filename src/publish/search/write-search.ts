import { setImmediate as pause } from 'node:timers/promises'
import type { ProjectId } from '../../domain/ids.ts'
import type { Stamp } from '../../domain/release.ts'
import { projectPrefix, storageKey } from '../../domain/storage-key.ts'
import {
  createBaseMaker,
  SEARCH_MANIFEST,
  SEARCH_SHARDS,
  type SearchFile,
} from '../../render/search/search-index.ts'
import type { Lease } from '../ledger/leases.ts'
import type { LiveState } from '../ledger/live-state.ts'
import type { SearchPage, StoredSearchBase } from '../ledger/search-rows.ts'
import { deleteAll, deploy } from '../pipeline/deploy.ts'
import { plan } from '../pipeline/plan.ts'
import type { PublishPorts } from '../ports.ts'
import type { LeaseHolder } from '../queue/lease-holder.ts'
import { withLease } from '../queue/with-lease.ts'
import { NO_PAGES, type SearchFiles, searchFiles } from './next-search.ts'

export type SearchPorts = Pick<PublishPorts, 'releaseQueue' | 'liveState' | 'searchRows' | 'storage' | 'now'>

/** Pages read at once: a few milliseconds of work until others have their turn. */
const PAGES_A_STEP = 50

/**
 * Bring the search index up to what is live, unless the project is in Data Mode. Writes few files where
 * few pages changed since the base was made, else makes a new base; publishes wait only while files are written.
 *
 * @param isMerging whether a new base is made as well where words of what pages were before are left in it.
 * @returns false when the project is published to without a pause, or a release of it was left half-way.
 */
export async function updateSearchIndex(
  projectId: ProjectId,
  isMerging: boolean,
  leaseHolder: LeaseHolder,
  ports: SearchPorts,
): Promise<boolean> {
  const refreshed = await betweenPublishes(projectId, leaseHolder, ports, async (lease) => {
    if (await isSealed(lease, ports)) return true
    const base = (await ports.searchRows.base(projectId)) ?? NO_PAGES
    const files = await searchFiles(projectId, base, new Set(), ports)
    const isDone = files.isComplete && !(isMerging && files.hasObsoleteWords)
    // A new base takes its time: what can be found without one is found before.
    if (isDone || base.pages.length > 0) await install(lease, base, files, false, ports)
    return isDone
  })
  if (refreshed !== false) return refreshed ?? false
  const made = await makeBase(projectId, ports)
  const installed = await betweenPublishes(projectId, leaseHolder, ports, async (lease) => {
    if (!(await isSealed(lease, ports))) await installBase(lease, made, false, ports)
    return true
  })
  return installed ?? false
}

/**
 * Null when that is never, and where a release was left half-way: who publishes next ends it first,
 * since nobody may wait for the store on account of an index when their own release can no longer be refused.
 */
async function betweenPublishes<T>(
  projectId: ProjectId,
  leaseHolder: LeaseHolder,
  { releaseQueue }: SearchPorts,
  work: (lease: Lease) => Promise<T>,
): Promise<T | null> {
  const led = await withLease(projectId, leaseHolder, async (lease) =>
    (await releaseQueue.listStarted(projectId)).length > 0 ? null : work(lease),
  )
  return led?.done ?? null
}

/** Write the whole index anew, whatever lies there; nothing where none did. */
export async function rewriteSearchIndex(lease: Lease, ports: SearchPorts): Promise<void> {
  const known = await ports.liveState.objectsOfKinds(lease.projectId, ['search'])
  if (known.length === 0) return deleteStrays(lease, ports)
  await installBase(lease, await makeBase(lease.projectId, ports), true, ports)
}

interface MadeBase {
  readonly base: StoredSearchBase
  readonly shards: readonly SearchFile[]
}

/** Of all pages as they are live, which may change meanwhile. */
async function makeBase(
  projectId: ProjectId,
  { searchRows }: Pick<SearchPorts, 'searchRows'>,
): Promise<MadeBase> {
  const wanted = await searchRows.pages(projectId)
  const maker = createBaseMaker(wanted.length)
  const pages: SearchPage[] = []
  for (let start = 0; start < wanted.length; start += PAGES_A_STEP) {
    const step = wanted.slice(start, start + PAGES_A_STEP).map(({ pageId }) => pageId)
    const found = new Map((await searchRows.entries(projectId, step)).map((page) => [page.pageId, page]))
    for (const id of step) {
      const page = found.get(id)
      if (page === undefined) continue
      maker.add(page.entry)
      pages.push({ pageId: id, releaseId: page.releaseId })
    }
    await pause()
  }
  const shards: SearchFile[] = []
  for (const file of maker.files()) {
    if (file !== null) shards.push(file)
    await pause()
  }
  return { base: { shards: maker.base(), pages }, shards }
}

async function installBase(lease: Lease, { base, shards }: MadeBase, isAnew: boolean, ports: SearchPorts) {
  const files = await searchFiles(lease.projectId, base, new Set(), ports)
  const made = shards.map(({ artifact }) => artifact).filter(({ key }) => files.unchanged.has(key))
  await install(lease, base, { ...files, artifacts: [...made, ...files.artifacts] }, isAnew, ports)
}

/**
 * Shards first, then the manifest that names them, then what it names no more goes, and what nobody knows:
 * whoever wrote that died over it.
 *
 * @param isAnew whether what lies there already is written too.
 */
async function install(
  lease: Lease,
  base: StoredSearchBase,
  { artifacts, unchanged: kept, hasObsoleteWords: hasFormer }: SearchFiles,
  isAnew: boolean,
  { liveState, searchRows, storage, now }: SearchPorts,
): Promise<void> {
  const { projectId } = lease
  const made = new Set(artifacts.map(({ key }) => key))
  const lying = await liveState.objectsOfKinds(projectId, ['search'])
  const replaced = lying.filter(({ key }) => made.has(key) || !kept.has(key))
  const writing = { keyId: null, stampOf: await stampOf(projectId, liveState, now()) }
  const { uploads, deletes } = plan(artifacts, replaced, writing)
  const written = isAnew ? plan(artifacts, [], writing).uploads : uploads
  await deploy({ uploads: written, deletes }, projectId, storage, ({ artifact }) => artifact.body)
  await searchRows.commit(lease, {
    uploads: written,
    deletes: deletes.map(({ key }) => key),
    base: artifacts.length === 0 ? null : base,
    hasObsoleteWords: hasFormer,
  })
  await deleteStrays(lease, { liveState, storage })
}

/** The index is of whatever was published last. */
async function stampOf(projectId: ProjectId, liveState: LiveState, now: string): Promise<() => Stamp> {
  const site = await liveState.objectsOfKinds(projectId, ['site'])
  const releaseId = site.find(({ writtenBy }) => writtenBy !== null)?.writtenBy?.releaseId
  if (releaseId === undefined) throw new Error(`Nothing of project ${projectId} was published.`)
  return () => ({ releaseId, publishedAt: now })
}

async function isSealed({ projectId }: Lease, { liveState }: SearchPorts): Promise<boolean> {
  const live = await liveState.site(projectId)
  return live === null || live.site.hostingMode === 'data_mode'
}

async function deleteStrays(
  { projectId }: Lease,
  { liveState, storage }: Pick<SearchPorts, 'liveState' | 'storage'>,
): Promise<void> {
  const known = new Set(
    (await liveState.objectsOfKinds(projectId, ['search'])).map(({ key }) => storageKey(projectId, key)),
  )
  const prefix = projectPrefix(projectId)
  const lying = await Promise.all(
    [SEARCH_MANIFEST, SEARCH_SHARDS].map((start) => storage.list(prefix + start)),
  )
  await deleteAll(
    lying.flat().filter((key) => !known.has(key)),
    storage,
  )
}
