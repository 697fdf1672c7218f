import { shownMedia } from '../../domain/collection.ts'
import type { ProjectId } from '../../domain/ids.ts'
import { storageKey } from '../../domain/storage-key.ts'
import { forEachConcurrently } from '../../platform/concurrency.ts'
import { lineFile, withKeyId } from '../../render/site-files/manifest.ts'
import type { ClaimedRelease } from '../decide/claimed-release.ts'
import type { InProject, Lease } from '../ledger/leases.ts'
import type { IndexLine, LiveObject, LivePageRow } from '../ledger/live-state.ts'
import type { ClaimedChange, DataModeCommit } from '../ledger/release-queue.ts'
import type { Upload, Uploaded } from '../ledger/upload.ts'
import { withMedia } from '../pipeline/batch.ts'
import { deploy } from '../pipeline/deploy.ts'
import { liveDigests, livePageRow, type RenderedRelease } from '../pipeline/live-page-row.ts'
import { plan, type Removal } from '../pipeline/plan.ts'
import { projectedSite } from '../pipeline/projected-site.ts'
import type { PublishPorts } from '../ports.ts'
import { mediaBodies } from './media-bodies.ts'
import type { Sealing } from './seal.ts'
import { sealMediaAgain } from './seal-media-again.ts'

/** Pages rendered and sealed together; no more of them are in memory. */
const PAGES_PER_STEP = 32

export interface ChangePorts extends PublishPorts {
  /** Aborts the work. */
  readonly signal: AbortSignal
}

/** The pages of a project after sealing them with a new key. They are deployed, but not committed. */
export interface ReEncrypted extends Pick<DataModeCommit, 'uploads' | 'pages' | 'resealed' | 'renamed'> {
  /** The line of every live page, in the order of `_index.json`. */
  readonly lines: readonly IndexLine[]
  readonly deletes: readonly Removal[]
}

/**
 * Seals every live page with a key. Pages that are sealed already are encrypted from their stored bytes, unchanged;
 * plaintext pages are rendered from the snapshot of their live release. Pictures and files come from the media store,
 * before the pages that show them. Their keys are new, so a page refers to those under its own key at every moment.
 */
export async function reEncrypt(
  lease: Lease,
  change: ClaimedChange,
  keyId: string,
  sealing: Sealing,
  ports: ChangePorts,
): Promise<ReEncrypted> {
  const { projectId } = lease
  const media = await sealMediaAgain(change.release, keyId, sealing, ports)
  const plaintext = await sealPlaintextPages(lease, change, { keyId, sealing, media: media.uploads }, ports)
  const { pages } = plaintext
  const uploads = [...media.uploads.map(withoutBody), ...plaintext.uploads]
  const newLines = new Map(pages.map((page) => [page.pageId, page.lines.line]))
  const lines = (await ports.liveState.indexLines(projectId)).map((entry) => ({
    ...entry,
    line: newLines.get(entry.pageId) ?? withKeyId(entry.line, keyId),
  }))

  const files = new Set(lines.map(({ line }) => lineFile(line)))
  const written = new Set(uploads.map(({ artifact }) => artifact.key))
  const existing = (await ports.liveState.objectsOfKinds(projectId, ['page'])).filter(
    ({ digest }) => digest !== null,
  )
  const resealed = existing.filter(({ key }) => files.has(key) && !written.has(key))
  await forEachConcurrently(resealed, (object) => sealObjectAgain(projectId, object, keyId, sealing, ports))
  return {
    uploads,
    deletes: existing.filter(({ key }) => !files.has(key)),
    pages,
    resealed: resealed.map(({ key }) => key),
    renamed: media.renamed,
    lines,
  }
}

type FirstSealed = Pick<ReEncrypted, 'uploads' | 'pages'>

interface Sealer {
  readonly keyId: string
  readonly sealing: Sealing
  /** Pictures and files already sealed with this key. */
  readonly media: readonly Upload[]
}

/** Renders and seals pages published before Data Mode. */
async function sealPlaintextPages(
  lease: Lease,
  { release, unsealed }: ClaimedChange,
  { keyId, sealing, media }: Sealer,
  ports: ChangePorts,
): Promise<FirstSealed> {
  const { releaseQueue, storedArtifacts, storage } = ports
  const uploads: Uploaded[] = []
  const pages: LivePageRow[] = []
  const files = new Set(media.map(({ artifact }) => artifact.key))
  const mediaBody = mediaBodies(lease.projectId, { ...ports, sealing }, ports.signal)
  for (let start = 0; start < unsealed.length; start += PAGES_PER_STEP) {
    const claimed = await releaseQueue.liveReleases(release, unsealed.slice(start, start + PAGES_PER_STEP))
    const step = await renderSealed(lease, claimed, { releaseId: release.id, keyId, sealing }, ports)
    const due = step.uploads.filter(({ artifact }) => !files.has(artifact.key))
    for (const { artifact } of due) if (artifact.original !== undefined) files.add(artifact.key)
    await deploy({ uploads: due, deletes: [] }, lease.projectId, storage, sealing.encodeUpload, mediaBody)
    await storedArtifacts.store(lease, await sealing.toStored(due))
    uploads.push(...due.map(withoutBody))
    pages.push(...step.pages)
  }
  return { uploads, pages }
}

function withoutBody({ artifact: { key, stage, owner }, ...upload }: Upload): Uploaded {
  return { ...upload, artifact: { key, stage, owner } }
}

async function renderSealed(
  place: InProject,
  claimed: readonly ClaimedRelease[],
  { releaseId, keyId, sealing }: Omit<Sealer, 'media'> & Pick<Upload['writtenBy'], 'releaseId'>,
  { liveState, renderer, now }: PublishPorts,
): Promise<{ readonly uploads: readonly Upload[]; readonly pages: readonly LivePageRow[] }> {
  const { pages, inContext } = await projectedSite(place, claimed, now(), liveState)
  const rendered: readonly RenderedRelease[] = await Promise.all(
    pages.map(async (page) => {
      const live = inContext(page)
      const sealedKey = (digest: string) => sealing.mediaKey(keyId, digest)
      const rendered = withMedia(await renderer.renderPage(live), shownMedia(live), sealedKey)
      return { ...page, rendered, digests: liveDigests(live, renderer), feed: null }
    }),
  )
  const stamps = new Map<string, Upload['writtenBy']>(rendered.map((page) => [page.facts.id, stampOf(page)]))
  const ofChange = { releaseId, publishedAt: now() }
  const artifacts = rendered.flatMap((page) => page.rendered.artifacts)
  const { uploads } = plan(artifacts, [], {
    keyId,
    stampOf: ({ key, owner }) =>
      owner.kind === 'media' ? ofChange : (stamps.get(owner.id) ?? withoutStamp(key)),
  })
  return {
    uploads,
    pages: rendered.map((page) => livePageRow(page, [], stampOf(page).publishedAt)),
  }
}

/** The page stays live by the same release. */
function stampOf({ claimed: { live, release } }: RenderedRelease): Upload['writtenBy'] {
  if (live === null) throw new Error(`Release ${release.id} has to be sealed, but is not live.`)
  return { releaseId: live.releaseId, publishedAt: live.publishedAt }
}

function withoutStamp(key: string): never {
  throw new Error(`Rendering a sealed page produced ${key}, which belongs to no page.`)
}

async function sealObjectAgain(
  projectId: ProjectId,
  object: LiveObject,
  keyId: string,
  sealing: Sealing,
  { storedArtifacts, storage }: PublishPorts,
): Promise<void> {
  const { key, digest } = object
  const stored = digest === null ? null : await storedArtifacts.find(projectId, digest)
  if (stored === null) throw new Error(`The bytes of the live object ${key} are not stored.`)
  const body = sealing.encode({ ...object, keyId }, sealing.openStored(stored))
  await storage.put({ key: storageKey(projectId, key), body })
}
