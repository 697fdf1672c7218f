import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Artifact, spillFile } from '../domain/artifact.ts'
import type { Upload } from '../publish/ledger/upload.ts'
import { plan, sha256 } from '../publish/pipeline/plan.ts'
import { fullText, fullTextKeys, LLMS, LLMS_FULL } from '../render/site-files/llms.ts'
import { withSearchIndex } from './search/search-index.ts'
import { idOf } from './stable-ids.ts'
import type { BuildState } from './state/build-state.ts'

interface FullTextPorts {
  /** The output folder. Unchanged files are read from it. */
  readonly out: string
  readonly now: string
}

/**
 * Adds the files that are built from all finished pages: the search index and `llms-full.txt`.
 *
 * @param ofPages uploads of this build, which are not in the folder yet.
 */
export function withIndexes(
  before: BuildState,
  published: BuildState,
  ofPages: readonly Upload[],
  ports: FullTextPorts,
): { readonly after: BuildState; readonly uploads: readonly Upload[] } {
  const found = withSearchIndex(before, published, ports)
  const text = withFullText(before, found.after, ofPages, ports)
  return { after: text.after, uploads: [...found.uploads, ...text.uploads] }
}

/**
 * Adds `llms-full.txt`, the Markdown of all pages in the order of `llms.txt`. Reads them only when one of them changed.
 */
function withFullText(
  before: BuildState,
  state: BuildState,
  uploads: readonly Upload[],
  { out, now }: FullTextPorts,
): { readonly after: BuildState; readonly uploads: readonly Upload[] } {
  const former = before.files.get(LLMS_FULL)
  const inStatic = state.files.get(LLMS_FULL)
  if (inStatic !== undefined && inStatic.owner?.kind !== 'search') return { after: state, uploads: [] }
  const isSame = former !== undefined && !uploads.some(({ artifact: { key } }) => key === LLMS || isTwin(key))
  if (isSame) return { after: withFile(state, former), uploads: [] }
  const changed = new Map(uploads.map(({ artifact }) => [artifact.key, artifact]))
  const artifact = fullTextOf(state, (key) => {
    const upload = changed.get(key)
    if (upload === undefined) return readFileSync(join(out, key))
    return upload.spilled === undefined ? upload.body : readFileSync(spillFile({ key }, upload.spilled))
  })
  if (artifact === null) return { after: state, uploads: [] }
  const file = { owner: artifact.owner, digest: sha256(artifact.body) }
  if (former?.digest === file.digest) return { after: withFile(state, file), uploads: [] }
  const stamp = { releaseId: idOf('rel', now), publishedAt: now }
  const added = plan([artifact], [], { keyId: null, stampOf: () => stamp })
  return { after: withFile(state, file), uploads: added.uploads }
}

/** Returns `llms-full.txt`; null for a site without pages, or with too much text. */
function fullTextOf({ site, files }: BuildState, read: (key: string) => Uint8Array): Artifact | null {
  if (site === null || files.get(LLMS) === undefined) return null
  const index = Buffer.from(read(LLMS)).toString()
  const keys = fullTextKeys(index, site.site.origin).filter((key) => files.get(key) !== undefined)
  return fullText(index, readEach(keys, read))
}

function* readEach(keys: readonly string[], read: (key: string) => Uint8Array): Iterable<Uint8Array> {
  for (const key of keys) yield read(key)
}

function isTwin(key: string): boolean {
  return key === 'index.md' || key.endsWith('/index.md')
}

function withFile(state: BuildState, file: NonNullable<ReturnType<BuildState['files']['get']>>): BuildState {
  return { ...state, files: state.files.with([[LLMS_FULL, file]]) }
}
