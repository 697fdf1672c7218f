import type { Upload } from '../publish/ledger.ts'
import { plan } from '../publish/plan.ts'
import { searchFiles } from '../render/outputs/search/search-index.ts'
import { idOf } from './build-ids.ts'
import type { BuildState, BuiltFile } from './build-state.ts'
import { toObject } from './state-ledger.ts'

/** The state with the search index of all its pages, and what of that is to be written. */
export function withSearch(
  state: BuildState,
  now: string,
): { readonly after: BuildState; readonly uploads: readonly Upload[] } {
  const pages = Object.values(state.pages).sort((a, b) => (a.facts.path < b.facts.path ? -1 : 1))
  const artifacts = searchFiles(pages.flatMap(({ search }) => search ?? []))
  const isSearch = ([, { owner }]: readonly [string, BuiltFile]) => owner?.kind === 'search'
  const lying = Object.entries(state.files).filter(isSearch)
  const { uploads, deletes } = plan(
    artifacts,
    lying.map(([key, file]) => toObject(key, file, state)),
    { keyId: null, stampOf: () => ({ releaseId: idOf('rel', now), publishedAt: now }) },
  )
  const files = new Map(Object.entries(state.files))
  for (const { key } of deletes) files.delete(key)
  for (const { artifact, digest } of uploads) files.set(artifact.key, { owner: artifact.owner, digest })
  return { after: { ...state, files: Object.fromEntries(files) }, uploads }
}
