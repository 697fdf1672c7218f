import type { Artifact } from '../domain/artifact.ts'
import type { ProjectId } from '../domain/ids.ts'
import type { RenderedRelease } from './going-live.ts'
import type { Ledger, MadeObject } from './ledger.ts'
import { pageKeys } from './page-keys.ts'
import type { PageToRender } from './site-after.ts'

/**
 * A page as an earlier release of it went live, byte for byte, whatever has become of its theme.
 *
 * @returns null when there is nothing to restore, when its bytes are no longer kept, or when the page
 *   would lie elsewhere now: it is then rendered anew from its snapshot.
 */
export async function restoredPage(page: PageToRender, ledger: Ledger): Promise<RenderedRelease | null> {
  const { restores, projectId } = page.claimed.release
  const made = restores === null ? null : await ledger.made(restores)
  if (made === null) return null
  const own = new Set(pageKeys(page.live.path))
  if (made.objects.some(({ key, stage }) => stage === 'page' && !own.has(key))) return null

  const restored = await Promise.all(
    made.objects.map((object) => keptArtifact(projectId, object, page, ledger)),
  )
  const artifacts = restored.filter((artifact) => artifact !== null)
  if (artifacts.length < restored.length) return null
  return { ...page, rendered: { artifacts, warnings: [] }, digests: made.digests }
}

async function keptArtifact(
  projectId: ProjectId,
  { key, stage, digest }: MadeObject,
  { facts }: PageToRender,
  ledger: Ledger,
): Promise<Artifact | null> {
  const body = await ledger.keptBytes(projectId, digest)
  if (body === null) return null
  const owner: Artifact['owner'] =
    stage === 'page' ? { kind: 'page', id: facts.id } : { kind: 'site', id: '' }
  return { key, stage, body, owner }
}
