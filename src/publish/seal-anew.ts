import type { ProjectId } from '../domain/ids.ts'
import { storageKey } from '../domain/storage-key.ts'
import { fileOf, lineUnderKey } from '../render/manifest.ts'
import type { PublishPorts } from './batch.ts'
import { eachAtOnce } from './deploy.ts'
import { liveDigests, livePageRow, type RenderedRelease } from './going-live.ts'
import type { ClaimedRelease, DataModeCommit, IndexLine, Lease, LiveObject, Upload } from './ledger.ts'
import { plan, type Removal } from './plan.ts'
import type { Sealing } from './seal.ts'
import { siteAfter } from './site-after.ts'

/** The pages of a project under a new key: what was sealed lies there already, the uploads are to be made. */
export interface SealedAnew extends Pick<DataModeCommit, 'uploads' | 'kept' | 'pages' | 'resealed'> {
  /** Of every live page, in the order of `_index.json`. */
  readonly lines: readonly IndexLine[]
  readonly deletes: readonly Removal[]
}

/**
 * Seal every live page with a key: those that are sealed from what is kept of them, byte for byte; the
 * others from the snapshot they are live with.
 *
 * @param unsealed the others, with a file claimed for each.
 */
export async function sealAnew(
  lease: Lease,
  unsealed: readonly ClaimedRelease[],
  keyId: string,
  sealing: Sealing,
  ports: PublishPorts,
): Promise<SealedAnew> {
  const { projectId } = lease
  const { uploads, pages } = await sealFirst(lease, unsealed, keyId, ports)
  const first = new Map(pages.map((page) => [page.pageId, page.lines.line]))
  const lines = (await ports.ledger.indexLines(projectId)).map((entry) => ({
    ...entry,
    line: first.get(entry.pageId) ?? lineUnderKey(entry.line, keyId),
  }))

  const files = new Set(lines.map(({ line }) => fileOf(line)))
  const written = new Set(uploads.map(({ artifact }) => artifact.key))
  const lying = (await ports.ledger.objectsOfKind(projectId, 'page')).filter(({ digest }) => digest !== null)
  const again = lying.filter(({ key }) => files.has(key) && !written.has(key))
  await eachAtOnce(again, (object) => sealAgain(projectId, object, keyId, sealing, ports))
  return {
    uploads,
    kept: sealing.keep(uploads),
    deletes: lying.filter(({ key }) => !files.has(key)),
    pages,
    resealed: again.map(({ key }) => key),
    lines,
  }
}

/** What was published before Data Mode was on, as it would have been in it. */
async function sealFirst(
  lease: Lease,
  unsealed: readonly ClaimedRelease[],
  keyId: string,
  { ledger, renderer, now }: PublishPorts,
): Promise<{ readonly uploads: readonly Upload[]; readonly pages: SealedAnew['pages'] }> {
  const { pages } = await siteAfter(lease, unsealed, now(), ledger)
  const rendered: readonly RenderedRelease[] = await Promise.all(
    pages.map(async (page) => ({
      ...page,
      rendered: await renderer.renderPage(page.live),
      digests: liveDigests(page.live, renderer),
      feed: null,
    })),
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
  { ledger, storage }: PublishPorts,
): Promise<void> {
  const { key, digest } = object
  const kept = digest === null ? null : await ledger.kept(projectId, digest)
  if (kept === null) throw new Error(`The bytes of ${key} as it is live are not kept.`)
  const body = sealing.encode({ ...object, keyId }, sealing.openKept(kept))
  await storage.put({ key: storageKey(projectId, key), body })
}
