import { setImmediate as yieldToOthers } from 'node:timers/promises'
import type { ProjectId } from '../../domain/ids.ts'
import type { Stamp } from '../../domain/release.ts'
import { storageKey } from '../../domain/storage-key.ts'
import { createSearchBaseBuilder, type SearchFile } from '../../render/search/search-index.ts'
import type { Lease } from '../ledger/leases.ts'
import type { SearchPage, StoredSearchBase } from '../ledger/search-rows.ts'
import { deleteAll, deploy } from '../pipeline/deploy.ts'
import { plan } from '../pipeline/plan.ts'
import type { PublishPorts } from '../ports.ts'
import type { LeaseHolder } from '../queue/lease-holder.ts'
import { withLease } from '../queue/with-lease.ts'
import { EMPTY_BASE, type SearchFiles, searchFiles } from './next-search.ts'
import { storedSearchFiles } from './search-keys.ts'
import { currentFullText, readFullText, type StoredFullText } from './stored-full-text.ts'

export type SearchPorts = Pick<PublishPorts, 'releaseQueue' | 'liveState' | 'searchRows' | 'storage' | 'now'>

/** Entries per step: a few milliseconds of work between two turns of the event loop. */
const PAGES_PER_STEP = 50

/**
 * Updates the search index to the live pages, unless the project is in Data Mode. Writes few files when few pages
 * changed since the base was built, otherwise a new base. Publishes wait only while files are written.
 *
 * @param stopping ends the wait for the lease when it is aborted.
 * @param isMerging whether to build a new base also when the current one holds words of previous page versions.
 * @returns false when the lease was not available, or when a release was left part-way.
 */
export async function updateSearchIndex(
  projectId: ProjectId,
  isMerging: boolean,
  leaseHolder: LeaseHolder,
  ports: SearchPorts,
  stopping?: AbortSignal,
): Promise<boolean> {
  const betweenReleases = <T>(work: (lease: Lease, ports: SearchPorts) => Promise<T>) =>
    underLeaseBetweenReleases(projectId, leaseHolder, ports, work, stopping)
  // Hundreds of pages may have to be read: before the lease is taken.
  const text = await readFullText(projectId, ports)
  const refreshed = await betweenReleases(async (lease, ports) => {
    if (await hasNoIndex(lease, ports)) {
      // Of a run that was interrupted before the project was put into Data Mode.
      await deleteUnknownFiles(lease, ports)
      return true
    }
    const stored = await ports.searchRows.base(projectId)
    const base = stored ?? EMPTY_BASE
    const files = await searchFiles(projectId, base, new Set(), ports)
    const isDone = files.isComplete && !(isMerging && files.hasObsoleteWords)
    // Building a base takes time: install what can be found without it first.
    if (isDone || base.pages.length > 0)
      await install(lease, base, await withText(files, text, projectId, ports), stored === null, ports)
    return isDone
  })
  if (refreshed !== false) return refreshed ?? false
  const built = await buildBase(projectId, ports)
  const installed = await betweenReleases(async (lease, ports) => {
    if (await hasNoIndex(lease, ports)) return true
    const isUnknown = (await ports.searchRows.base(projectId)) === null
    await installBase(lease, built, text, isUnknown, ports)
    return true
  })
  return installed ?? false
}

/**
 * Runs work under the lease, with a storage that it guards, unless a release was left part-way: then the next publish has to end that release first.
 * Holding the lease meanwhile would delay releases that can no longer be refused. Null when the work did not run.
 */
async function underLeaseBetweenReleases<T>(
  projectId: ProjectId,
  leaseHolder: LeaseHolder,
  ports: SearchPorts,
  work: (lease: Lease, ports: SearchPorts) => Promise<T>,
  stopping: AbortSignal | undefined,
): Promise<T | null> {
  const ran = await withLease(
    projectId,
    leaseHolder,
    async ({ lease, guard }) =>
      (await ports.releaseQueue.listStarted(projectId)).length > 0
        ? null
        : work(lease, { ...ports, storage: guard(ports.storage) }),
    stopping,
  )
  return ran?.done ?? null
}

/** Rewrites the whole index, regardless of the files on the store. Only removes unknown files when there is no index. */
export async function rewriteSearchIndex(lease: Lease, ports: SearchPorts): Promise<void> {
  const existing = await ports.liveState.objectsOfKinds(lease.projectId, ['search'])
  if (existing.length === 0) return deleteUnknownFiles(lease, ports)
  const text = await readFullText(lease.projectId, ports)
  await installBase(lease, await buildBase(lease.projectId, ports), text, true, ports)
}

interface BuiltBase {
  readonly base: StoredSearchBase
  readonly shards: readonly SearchFile[]
}

/** Builds a base of all live pages. They may change during the build; later updates account for that. */
async function buildBase(
  projectId: ProjectId,
  { searchRows }: Pick<SearchPorts, 'searchRows'>,
): Promise<BuiltBase> {
  const wanted = await searchRows.pages(projectId)
  const builder = createSearchBaseBuilder(wanted.length)
  const pages: SearchPage[] = []
  for (let start = 0; start < wanted.length; start += PAGES_PER_STEP) {
    const step = wanted.slice(start, start + PAGES_PER_STEP).map(({ pageId }) => pageId)
    const found = new Map((await searchRows.entries(projectId, step)).map((page) => [page.pageId, page]))
    for (const id of step) {
      const page = found.get(id)
      if (page === undefined) continue
      builder.add(page.entry)
      pages.push({ pageId: id, releaseId: page.releaseId })
    }
    await yieldToOthers()
  }
  const shards: SearchFile[] = []
  for (const file of builder.files()) {
    if (file !== null) shards.push(file)
    await yieldToOthers()
  }
  return { base: { shards: builder.base(), pages }, shards }
}

async function installBase(
  lease: Lease,
  { base, shards }: BuiltBase,
  text: StoredFullText,
  isOverwriting: boolean,
  ports: SearchPorts,
): Promise<void> {
  const files = await searchFiles(lease.projectId, base, new Set(), ports)
  const baseArtifacts = shards.map(({ artifact }) => artifact).filter(({ key }) => files.unchanged.has(key))
  const artifacts = [...baseArtifacts, ...files.artifacts]
  const withBase = await withText({ ...files, artifacts }, text, lease.projectId, ports)
  await install(lease, base, withBase, isOverwriting, ports)
}

/** Adds the text of all pages, unless search finds none. */
async function withText(
  files: SearchFiles,
  text: StoredFullText,
  projectId: ProjectId,
  ports: Pick<SearchPorts, 'liveState' | 'storage'>,
): Promise<SearchFiles> {
  if (files.artifacts.length === 0) return files
  const { artifact } = await currentFullText(projectId, text, ports)
  return artifact === null ? files : { ...files, artifacts: [...files.artifacts, artifact] }
}

/**
 * Writes the shards, then the manifest that names them. Once the new state is recorded, it removes the files that are not in
 * it, also those of an interrupted run: a kill before leaves files too many, never one too few.
 *
 * @param isOverwriting whether to write unchanged files too.
 */
async function install(
  lease: Lease,
  base: StoredSearchBase,
  { artifacts, unchanged, hasObsoleteWords }: SearchFiles,
  isOverwriting: boolean,
  { liveState, searchRows, storage, now }: Omit<SearchPorts, 'releaseQueue'>,
): Promise<void> {
  const { projectId } = lease
  const written = new Set(artifacts.map(({ key }) => key))
  const existing = await liveState.objectsOfKinds(projectId, ['search'])
  const replaced = existing.filter(({ key }) => written.has(key) || !unchanged.has(key))
  const stamp = await newestStamp(lease, { liveState, now })
  const context = { keyId: null, stampOf: () => stamp }
  const changes = plan(artifacts, replaced, context)
  const uploads = isOverwriting ? plan(artifacts, [], context).uploads : changes.uploads
  if (uploads.length + changes.deletes.length > 0) await searchRows.startWriting(lease)
  await deploy({ uploads, deletes: [] }, projectId, storage, ({ artifact }) => artifact.body)
  await searchRows.commit(lease, {
    uploads,
    deletes: changes.deletes.map(({ key }) => key),
    base: artifacts.length === 0 ? null : base,
    hasObsoleteWords,
  })
  await deleteUnknownFiles(lease, { liveState, storage })
}

/** Attributes the index to the newest publish. */
async function newestStamp(
  { projectId }: Lease,
  { liveState, now }: Pick<SearchPorts, 'liveState' | 'now'>,
): Promise<Stamp> {
  const site = await liveState.objectsOfKinds(projectId, ['site'])
  const releaseId = site.find(({ writtenBy }) => writtenBy !== null)?.writtenBy?.releaseId
  if (releaseId === undefined) throw new Error(`Project ${projectId} has no published files.`)
  return { releaseId, publishedAt: now() }
}

/** Reports whether the project is unpublished or in Data Mode. */
async function hasNoIndex({ projectId }: Lease, { liveState }: SearchPorts): Promise<boolean> {
  const live = await liveState.site(projectId)
  return live === null || live.site.hostingMode === 'data_mode'
}

async function deleteUnknownFiles(
  { projectId }: Lease,
  { liveState, storage }: Pick<SearchPorts, 'liveState' | 'storage'>,
): Promise<void> {
  const known = new Set(
    (await liveState.objectsOfKinds(projectId, ['search'])).map(({ key }) => storageKey(projectId, key)),
  )
  const stored = await storedSearchFiles(projectId, storage)
  await deleteAll(
    stored.filter((key) => !known.has(key)),
    storage,
  )
}
