import type { ProjectId } from '../../domain/ids.ts'
import { storageKey } from '../../domain/storage-key.ts'
import { eachAtOnce } from '../../platform/concurrency.ts'
import { lineFile, withKeyId } from '../../render/site-files/manifest.ts'
import type { InProject, Lease } from '../ledger/leases.ts'
import type { IndexLine, LiveObject, LivePageRow } from '../ledger/live-state.ts'
import type { ClaimedChange, ClaimedRelease, DataModeCommit } from '../ledger/release-queue.ts'
import type { Upload, Uploaded } from '../ledger/upload.ts'
import { deploy } from '../pipeline/deploy.ts'
import { liveDigests, livePageRow, type RenderedRelease } from '../pipeline/live-page-row.ts'
import { plan, type Removal } from '../pipeline/plan.ts'
import { projectedSite } from '../pipeline/projected-site.ts'
import type { PublishPorts } from '../ports.ts'
import type { Sealing } from './seal.ts'

/** Pages rendered and sealed together: no more of them are in memory, however many there are. */
const AT_ONCE = 32

/** The pages of a project under a new key; all of them lie there. */
export interface ReEncrypted extends Pick<DataModeCommit, 'uploads' | 'pages' | 'resealed'> {
  /** Of every live page, in the order of `_index.json`. */
  readonly lines: readonly IndexLine[]
  readonly deletes: readonly Removal[]
}

/**
 * Seal every live page with a key: those that are sealed from what is kept of them, byte for byte; the
 * others from the snapshot they are live with.
 */
export async function reEncrypt(
  lease: Lease,
  change: ClaimedChange,
  keyId: string,
  sealing: Sealing,
  ports: PublishPorts,
): Promise<ReEncrypted> {
  const { projectId } = lease
  const { uploads, pages } = await sealFirst(lease, change, keyId, sealing, ports)
  const first = new Map(pages.map((page) => [page.pageId, page.lines.line]))
  const lines = (await ports.liveState.indexLines(projectId)).map((entry) => ({
    ...entry,
    line: first.get(entry.pageId) ?? withKeyId(entry.line, keyId),
  }))

  const files = new Set(lines.map(({ line }) => lineFile(line)))
  const written = new Set(uploads.map(({ artifact }) => artifact.key))
  const lying = (await ports.liveState.objectsOfKinds(projectId, ['page'])).filter(
    ({ digest }) => digest !== null,
  )
  const again = lying.filter(({ key }) => files.has(key) && !written.has(key))
  await eachAtOnce(again, (object) => sealAgain(projectId, object, keyId, sealing, ports))
  return {
    uploads,
    deletes: lying.filter(({ key }) => !files.has(key)),
    pages,
    resealed: again.map(({ key }) => key),
    lines,
  }
}

type SealedFirst = Pick<ReEncrypted, 'uploads' | 'pages'>

/** What was published before Data Mode was on, as it would have been in it. */
async function sealFirst(
  lease: Lease,
  { release, unsealed }: ClaimedChange,
  keyId: string,
  sealing: Sealing,
  ports: PublishPorts,
): Promise<SealedFirst> {
  const { releaseQueue, storedArtifacts, storage } = ports
  const uploads: Uploaded[] = []
  const pages: LivePageRow[] = []
  for (let start = 0; start < unsealed.length; start += AT_ONCE) {
    const claimed = await releaseQueue.liveReleases(release, unsealed.slice(start, start + AT_ONCE))
    const made = await payloadsOf(lease, claimed, keyId, ports)
    await deploy({ uploads: made.uploads, deletes: [] }, lease.projectId, storage, sealing.encodeUpload)
    await storedArtifacts.store(lease, await sealing.toStored(made.uploads))
    uploads.push(...made.uploads.map(withoutBody))
    pages.push(...made.pages)
  }
  return { uploads, pages }
}

function withoutBody({ artifact: { key, stage, owner }, ...upload }: Upload): Uploaded {
  return { ...upload, artifact: { key, stage, owner } }
}

async function payloadsOf(
  place: InProject,
  claimed: readonly ClaimedRelease[],
  keyId: string,
  { liveState, renderer, now }: PublishPorts,
): Promise<{ readonly uploads: readonly Upload[]; readonly pages: readonly LivePageRow[] }> {
  const { pages, inContext } = await projectedSite(place, claimed, now(), liveState)
  const rendered: readonly RenderedRelease[] = await Promise.all(
    pages.map(async (page) => {
      const live = inContext(page)
      const rendered = await renderer.renderPage(live)
      return { ...page, rendered, digests: liveDigests(live, renderer), feed: null }
    }),
  )
  const stamps = new Map<string, Upload['writtenBy']>(rendered.map((page) => [page.facts.id, stampOf(page)]))
  const artifacts = rendered.flatMap((page) => page.rendered.artifacts)
  const { uploads } = plan(artifacts, [], {
    keyId,
    stampOf: ({ key, owner }) => stamps.get(owner.id) ?? unstamped(key),
  })
  return {
    uploads,
    pages: rendered.map((page) => livePageRow(page, [], stampOf(page).publishedAt)),
  }
}

/** It stays the release that it is. */
function stampOf({ claimed: { live, release } }: RenderedRelease): Upload['writtenBy'] {
  if (live === null) throw new Error(`Release ${release.id} is to be sealed and is not live.`)
  return { releaseId: live.releaseId, publishedAt: live.publishedAt }
}

function unstamped(key: string): never {
  throw new Error(`Rendering a sealed page wrote ${key}, which is no page's own.`)
}

async function sealAgain(
  projectId: ProjectId,
  object: LiveObject,
  keyId: string,
  sealing: Sealing,
  { storedArtifacts, storage }: PublishPorts,
): Promise<void> {
  const { key, digest } = object
  const kept = digest === null ? null : await storedArtifacts.find(projectId, digest)
  if (kept === null) throw new Error(`The bytes of ${key} as it is live are not kept.`)
  const body = sealing.encode({ ...object, keyId }, sealing.openStored(kept))
  await storage.put({ key: storageKey(projectId, key), body })
}
