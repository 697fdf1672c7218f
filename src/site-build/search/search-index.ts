import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Artifact } from '../../domain/artifact.ts'
import type { PageId } from '../../domain/ids.ts'
import type { Upload } from '../../publish/ledger/upload.ts'
import { plan, sha256 } from '../../publish/pipeline/plan.ts'
import { type EditedEntry, patchIndex } from '../../render/search/patch-index.ts'
import { SEARCH_MANIFEST, type ShardLayout, searchFiles, shardKey } from '../../render/search/search-index.ts'
import { idOf } from '../stable-ids.ts'
import type { BuildState } from '../state/build-state.ts'
import type { BuiltPage } from '../state/built-page.ts'
import { extractOf } from '../state/page-extract.ts'
import { objectsOfKind } from '../state/state-ledger.ts'

interface IndexPorts {
  readonly out: string
  readonly now: string
}

/** The index of all pages of a state. */
export interface SearchIndex {
  /** The files to write. Unchanged shards are not among them. */
  readonly artifacts: readonly Artifact[]
  /** Keys of the unchanged shards. */
  readonly unchanged: ReadonlySet<string>
  readonly layout: ShardLayout
}

/** If more than one in 20 pages was edited, the index is built from scratch. */
const FEW = 20

/**
 * Adds the search index of all pages to the state, and returns the index files to write.
 *
 * @param before the previous state of the folder `out`.
 */
export function withSearchIndex(
  before: BuildState,
  state: BuildState,
  { out, now }: IndexPorts,
): { readonly after: BuildState; readonly uploads: readonly Upload[] } {
  const edited = editedEntries(before, state)
  const { artifacts, unchanged, layout } =
    (edited === null ? null : editedOf(edited, before, out)) ?? wholeIndex(state)
  const lying = objectsOfKind(state, 'search').filter(({ key }) => !unchanged.has(key))
  const { uploads, deletes } = plan(artifacts, lying, {
    keyId: null,
    stampOf: () => ({ releaseId: idOf('rel', now), publishedAt: now }),
  })
  const files = state.files.with([
    ...deletes.map(({ key }) => [key, null] as const),
    ...uploads.map(({ artifact: { key, owner }, digest }) => [key, { owner, digest }] as const),
  ])
  return { after: { ...state, files, search: layout }, uploads }
}

function wholeIndex(state: BuildState): SearchIndex {
  const pages = [...state.pages.values()]
    .filter(({ isFound }) => isFound)
    .sort((a, b) => (a.facts.path < b.facts.path ? -1 : 1))
  // Yielded one by one, so that they need not be in memory together.
  const entries = {
    length: pages.length,
    *[Symbol.iterator]() {
      for (const page of pages) {
        const { search } = extractOf(page)
        if (search !== null) yield search
      }
    },
  }
  return { ...searchFiles(entries), unchanged: new Set() }
}

/**
 * Returns the entries to patch; null if the set or the order of searchable pages changed, or many pages were edited.
 */
function editedEntries({ pages: before }: BuildState, { pages }: BuildState): readonly EditedEntry[] | null {
  const edited: (readonly [PageId, BuiltPage])[] = []
  for (const [id, page] of pages) if (before.get(id) !== page) edited.push([id, page])
  const isAsBefore = ([id, page]: readonly [PageId, BuiltPage]) => {
    const was = before.get(id)
    return was?.isFound === page.isFound && was.facts.path === page.facts.path
  }
  if (
    before.size !== pages.size ||
    edited.length > Math.max(1, pages.size / FEW) ||
    !edited.every(isAsBefore)
  )
    return null
  return edited.flatMap(([id, page]): EditedEntry[] => {
    const previous = before.get(id)
    const searchBefore = previous === undefined ? null : extractOf(previous).search
    const searchAfter = extractOf(page).search
    return searchBefore === null || searchAfter === null
      ? []
      : [{ number: numberOf(page.facts.path, pages), previous: searchBefore, next: searchAfter }]
  })
}

/** Returns the number of searchable pages before the path. */
function numberOf(path: string, pages: BuildState['pages']): number {
  let number = 0
  for (const { isFound, facts } of pages.values()) if (isFound && facts.path < path) number += 1
  return number
}

/** Patches the index on disk; null if it is incomplete or was modified. */
function editedOf(
  entries: readonly EditedEntry[],
  { files, search }: BuildState,
  out: string,
): SearchIndex | null {
  const manifest = files.get(SEARCH_MANIFEST)
  if (manifest === undefined || search.shards.length === 0) return null
  const read = (key: string) => (files.has(key) ? readFileSync(join(out, key), 'utf8') : '')
  const text = read(SEARCH_MANIFEST)
  if (sha256(text) !== manifest.digest) return null
  const lying = { manifest: text, layout: search, readShard: (name: string) => read(shardKey(name)) }
  const made = patchIndex(lying, entries)
  return made !== null && [...made.unchanged].every((key) => files.has(key)) ? made : null
}
