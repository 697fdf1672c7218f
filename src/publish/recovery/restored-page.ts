import type { Artifact } from '../../domain/artifact.ts'
import type { ProjectId } from '../../domain/ids.ts'
import { anchorsIn } from '../../render/links/anchors.ts'
import { searchEntryOf } from '../../render/search/search-entry.ts'
import { createSealing, type Sealing, type SealingPorts } from '../data-mode/seal.ts'
import type { ReleaseObject, StoredArtifacts } from '../ledger/stored-artifacts.ts'
import type { RenderedRelease } from '../pipeline/live-page-row.ts'
import { pageKeys } from '../pipeline/page-keys.ts'
import type { PageToRender } from '../pipeline/projected-site.ts'

export interface RestorePorts {
  readonly storedArtifacts: Pick<StoredArtifacts, 'contentsOf' | 'find'>
}

/**
 * A page as an earlier release of it went live, byte for byte, whatever has become of its theme.
 *
 * @returns null when there is nothing to restore, when its bytes are no longer kept, or when the page
 *   would lie elsewhere now: it is then rendered anew from its snapshot.
 */
export async function restorePage(
  page: PageToRender,
  ports: SealingPorts & RestorePorts,
): Promise<Pick<RenderedRelease, 'rendered' | 'digests'> | null> {
  const { storedArtifacts } = ports
  const { restores, projectId } = page.claimed.release
  const made = restores === null ? null : await storedArtifacts.contentsOf(restores)
  if (made === null) return null
  const [, ...others] = pageKeys(page.placed)
  const own = new Set([page.placed.file, ...others.flat()])
  if (made.objects.some(({ key, stage }) => stage === 'page' && !own.has(key))) return null

  const sealing = await createSealing(projectId, ports)
  const restored = await Promise.all(
    made.objects.map((object) => keptArtifact(projectId, object, page, sealing, storedArtifacts)),
  )
  const artifacts = restored.filter((artifact) => artifact !== null)
  if (artifacts.length < restored.length) return null
  const file = artifacts.find(({ key }) => key === page.placed.file)
  const isReadable = file !== undefined && page.placed.site.keyId === null
  const html = isReadable ? Buffer.from(file.body).toString() : null
  const search = html === null ? null : searchEntryOf(page.placed, html)
  const anchors = html === null ? [] : anchorsIn(html)
  return { rendered: { artifacts, warnings: [], links: [], search, anchors }, digests: made.digests }
}

async function keptArtifact(
  projectId: ProjectId,
  { key, stage, digest }: ReleaseObject,
  { facts }: PageToRender,
  sealing: Sealing,
  storedArtifacts: RestorePorts['storedArtifacts'],
): Promise<Artifact | null> {
  const kept = await storedArtifacts.find(projectId, digest)
  if (kept === null) return null
  const owner: Artifact['owner'] =
    stage === 'page' ? { kind: 'page', id: facts.id } : { kind: 'site', id: '' }
  return { key, stage, body: sealing.openStored(kept), owner }
}
