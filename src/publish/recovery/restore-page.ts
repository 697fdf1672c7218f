import type { Artifact } from '../../domain/artifact.ts'
import { withoutGeneratedPictures } from '../../domain/generated-picture.ts'
import type { ProjectId } from '../../domain/ids.ts'
import { MEDIA_PREFIX } from '../../domain/media.ts'
import { queriesOf } from '../../render/listing/collections.ts'
import type { DocumentFacts, Renderer, RenderTurn } from '../../renderer/renderer.ts'
import { createSealing, type Sealing, type SealingPorts } from '../data-mode/seal.ts'
import type { ReleaseObject, StoredArtifacts } from '../ledger/stored-artifacts.ts'
import type { RenderedRelease } from '../pipeline/live-page-row.ts'
import { pageKeys } from '../pipeline/page-keys.ts'
import type { PageToRender } from '../pipeline/projected-site.ts'

export interface RestorePorts {
  readonly storedArtifacts: Pick<StoredArtifacts, 'contentsOf' | 'find'>
  readonly renderer: Pick<Renderer, 'readDocument'>
  readonly turn?: RenderTurn
}

/**
 * Restores a page from the stored bytes of a previous release, even if its theme has changed since.
 *
 * @returns null when the release is no rollback, when the bytes were pruned, or when the page's path has changed: it
 *   then has to be rendered from its snapshot.
 */
export async function restorePage(
  page: PageToRender,
  ports: SealingPorts & RestorePorts,
): Promise<Pick<RenderedRelease, 'rendered' | 'digests'> | null> {
  const { storedArtifacts, renderer, turn } = ports
  const { op, restores, projectId } = page.claimed.release
  const contents = op !== 'rollback' || restores === null ? null : await storedArtifacts.contentsOf(restores)
  if (contents === null) return null
  // Sealed pages of earlier versions say nothing of their pictures.
  if (withoutGeneratedPictures(page.placed.media) !== undefined && contents.digests.media === undefined)
    return null
  // The pictures of pages that it listed may be gone since.
  if (page.placed.site.keyId !== null && queriesOf(page.placed).some(({ shows }) => shows.includes('image')))
    return null
  const [, ...others] = pageKeys(page.placed)
  const pageFiles = new Set([page.placed.file, ...others.flat()])
  if (contents.objects.some(({ key, stage }) => stage === 'page' && !pageFiles.has(key))) return null

  const sealing = await createSealing(projectId, ports)
  const restored = await Promise.all(
    // What the page shows of the media store is in its snapshot.
    contents.objects
      .filter(({ key }) => !key.startsWith(MEDIA_PREFIX))
      .map((object) => storedArtifact(projectId, object, page, sealing, storedArtifacts)),
  )
  const artifacts = restored.filter((artifact) => artifact !== null)
  if (artifacts.length < restored.length) return null
  const file = artifacts.find(({ key }) => key === page.placed.file)
  const isReadable = file !== undefined && page.placed.site.keyId === null
  const read = isReadable
    ? await renderer.readDocument(page.placed, Buffer.from(file.body).toString(), turn)
    : UNREADABLE
  return { rendered: { artifacts, warnings: [], links: [], ...read }, digests: contents.digests }
}

/** Nothing is found in a sealed document. */
const UNREADABLE: DocumentFacts = { search: null, anchors: [] }

async function storedArtifact(
  projectId: ProjectId,
  { key, stage, digest }: ReleaseObject,
  { facts }: PageToRender,
  sealing: Sealing,
  storedArtifacts: RestorePorts['storedArtifacts'],
): Promise<Artifact | null> {
  const stored = await storedArtifacts.find(projectId, digest)
  if (stored === null) return null
  const owner: Artifact['owner'] =
    stage === 'page' ? { kind: 'page', id: facts.id } : { kind: 'site', id: '' }
  return { key, stage, body: sealing.openStored(stored), owner }
}
