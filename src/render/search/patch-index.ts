import { createHash } from 'node:crypto'
import type { Artifact } from '../../domain/artifact.ts'
import { placedWords, type SearchEntry } from '../../domain/search-entry.ts'
import { decodeHits, encodeHits, hitAt, isHitIn } from './postings.ts'
import {
  entryBytes,
  estimatedBytes,
  languageRuns,
  languagesOfRuns,
  maxShardBytes,
  pageLine,
  placeTitle,
  type SearchBase,
  type SearchFile,
  type ShardLayout,
  searchManifest,
  shard,
  shardKey,
  type WordHits,
  wordShards,
} from './search-index.ts'

/** A page with a changed text and the same number in the index. */
export interface EditedEntry {
  readonly number: number
  readonly previous: SearchEntry
  readonly next: SearchEntry
}

/** An index on disk. */
export interface StoredIndex {
  /** The text of its manifest. */
  readonly manifest: string
  readonly layout: ShardLayout
  /** Returns the text of a shard. */
  readonly readShard: (name: string) => string
}

export interface PatchedIndex {
  /** The manifest and the new shards. */
  readonly artifacts: readonly Artifact[]
  /** Keys of the shards that did not change. */
  readonly unchanged: ReadonlySet<string>
  readonly layout: ShardLayout
}

/**
 * Returns the index that `searchFiles` would build of all pages. Reads and builds only the shards that the edited
 * pages change.
 *
 * @returns null if a shard does not have the bytes that were written.
 */
export function patchIndex(stored: StoredIndex, entries: readonly EditedEntry[]): PatchedIndex | null {
  const base = parseBase(stored.manifest)
  try {
    const pages = patchPages(base, entries, stored)
    const words = patchWords(base, editsOf(entries), stored)
    const languages = patchLanguages(base, entries)
    const places = patchPlaces(base, entries)
    const next = { ...base, firsts: words.firsts, words: words.names, pages: pages.names, languages, places }
    const shards = [...pages.files, ...words.files].map(({ artifact }) => artifact)
    const artifacts = [...shards, searchManifest(next, [], null)]
    const keys = new Set(shards.map(({ key }) => key))
    const unchanged = [...next.words, ...next.pages].map(shardKey).filter((key) => !keys.has(key))
    return { artifacts, unchanged: new Set(unchanged), layout: words.layout }
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

function parseBase(manifest: string): SearchBase {
  const {
    firsts,
    words,
    pages,
    pages_a_shard: pagesAShard,
    total,
    languages,
    places,
  } = JSON.parse(manifest).base
  return { firsts: firsts.split(' '), words, pages, pagesAShard, total, languages, places }
}

/** @throws {RangeError} if the stored index does not know the languages of its pages. */
function patchLanguages(
  { languages: runs = '', total }: SearchBase,
  entries: readonly EditedEntry[],
): string {
  if (entries.every(({ previous, next }) => previous.language === next.language)) return runs
  const languages = languagesOfRuns(runs)
  if (languages.length !== total) throw new RangeError('The index has no languages.')
  for (const { number, next } of entries) languages[number] = next.language
  return languageRuns(languages)
}

/** @throws {RangeError} if the stored index has no titles of places. */
function patchPlaces(
  { places }: SearchBase,
  entries: readonly EditedEntry[],
): Readonly<Record<string, string>> {
  if (places === undefined) throw new RangeError('The index has no titles of places.')
  const edited = entries.filter(({ next }) => Object.hasOwn(places, next.path))
  return { ...places, ...Object.fromEntries(edited.map(({ next }) => [next.path, placeTitle(next.title)])) }
}

/** @throws {RangeError} if the shard does not have the bytes that were written. */
function parseShard(name: string, { readShard }: StoredIndex): unknown {
  const text = readShard(name)
  const isIntact = createHash('sha256').update(text).digest('hex').startsWith(name)
  if (!isIntact) throw new RangeError(`The search shard ${name} was changed after it was written.`)
  return JSON.parse(text)
}

function patchPages(
  { pages, pagesAShard }: SearchBase,
  entries: readonly EditedEntry[],
  stored: StoredIndex,
) {
  const shards = new Map<number, unknown[]>()
  for (const { number, next } of entries) {
    const index = Math.floor(number / pagesAShard)
    const lines = shards.get(index) ?? (parseShard(pages[index] ?? '', stored) as unknown[])
    shards.set(index, lines.with(number % pagesAShard, pageLine(next)))
  }
  const names = [...pages]
  const files: SearchFile[] = []
  for (const [index, lines] of shards) {
    const file = shard(lines)
    if (file.name === names[index]) continue
    names[index] = file.name
    files.push(file)
  }
  return { names, files }
}

/** For each word the pages in which it changed, by number, and its new place in the page; null if it was removed. */
type WordEdits = ReadonlyMap<string, ReadonlyMap<number, number | null>>

function editsOf(entries: readonly EditedEntry[]): WordEdits {
  const edits = new Map<string, Map<number, number | null>>()
  for (const { number, previous, next } of entries) {
    const old = new Map(placedWords(previous))
    const current = new Map(placedWords(next))
    for (const word of new Set([...old.keys(), ...current.keys()])) {
      if (old.get(word) === current.get(word)) continue
      const edit = edits.get(word) ?? new Map<number, number | null>()
      edits.set(word, edit.set(number, current.get(word) ?? null))
    }
  }
  return edits
}

/** A word shard of the stored index, with the edits. */
interface OldShard {
  readonly name: string
  readonly first: string
  readonly bytes: ShardLayout['shards'][number]
  /** The shard's words; null if no edit changes it. It is then read only if it has to be cut again. */
  readonly words: readonly WordHits[] | null
}

function patchWords({ firsts, words: names }: SearchBase, edits: WordEdits, stored: StoredIndex) {
  const byShard = new Map<number, string[]>()
  for (const word of [...edits.keys()].sort()) {
    const index = shardOf(word, firsts)
    byShard.set(index, [...(byShard.get(index) ?? []), word])
  }
  let { size } = stored.layout
  const shards = names.map((name, index): OldShard => {
    const old = { name, first: firsts[index] ?? '', bytes: stored.layout.shards[index] ?? [0, 0] }
    const edited = byShard.get(index)
    if (edited === undefined) return { ...old, words: null }
    const words = new Map(wordsIn(name, stored))
    for (const word of edited) {
      const hits = decodeHits(words.get(word) ?? '')
      const next = withEdits(hits, edits.get(word) ?? new Map())
      size +=
        (next.length === 0 ? 0 : estimatedBytes(word, next.length)) -
        (hits.length === 0 ? 0 : estimatedBytes(word, hits.length))
      if (next.length === 0) words.delete(word)
      else words.set(word, encodeHits(next))
    }
    return { ...old, words: [...words].sort(([a], [b]) => (a < b ? -1 : 1)) }
  })
  return cutShards(shards, size, stored)
}

/** The index of the last shard that does not start after the word. */
function shardOf(word: string, firsts: readonly string[]): number {
  let [low, high] = [0, firsts.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((firsts[middle] ?? '') <= word) low = middle
    else high = middle - 1
  }
  return low
}

function wordsIn(name: string, stored: StoredIndex): readonly WordHits[] {
  const { words, hits } = parseShard(name, stored) as { readonly words: string; readonly hits: string }
  const each = hits.split(' ')
  return words.split(' ').map((word, index) => [word, each[index] ?? ''])
}

function withEdits(hits: readonly number[], edits: ReadonlyMap<number, number | null>): readonly number[] {
  const others = hits.filter((hit) => ![...edits.keys()].some((number) => isHitIn(number, hit)))
  const added = [...edits].flatMap(([number, place]) => (place === null ? [] : [hitAt(number, place)]))
  return [...others, ...added].sort((a, b) => a - b)
}

/** Cuts all words into shards as `searchFiles` does. Reuses each shard that starts and ends where an old one did. */
function cutShards(shards: readonly OldShard[], size: number, stored: StoredIndex) {
  const maxBytes = maxShardBytes(size)
  const firsts: string[] = []
  const names: string[] = []
  const files: SearchFile[] = []
  const layout: ShardLayout['shards'][number][] = []
  let position = 0
  while (position < shards.length) {
    const { name, first, bytes, words } = shards[position] as OldShard
    if (words === null && bytes[0] <= maxBytes && isEnd(bytes[0], position + 1)) {
      push({ name, first, bytes })
      position += 1
    } else {
      for (const { file, first, bytes } of wordShards(wordsFromHere(), maxBytes)) {
        push({ name: file.name, first, bytes })
        if (!shards.some(({ name }) => name === file.name)) files.push(file)
      }
    }
  }
  return { firsts, names, files, layout: { size, shards: layout } }

  function push({ name, first, bytes }: Pick<OldShard, 'name' | 'first' | 'bytes'>): void {
    firsts.push(names.length === 0 ? '' : first)
    names.push(name)
    layout.push(bytes)
  }

  /** Reports whether a shard of this size ends here, because the next word does not fit. */
  function isEnd(bytes: number, next: number): boolean {
    const first = firstBytes(next)
    return first === null || bytes + first > maxBytes
  }

  /** Bytes of the first word in the shards from this one on; null if there is none. */
  function firstBytes(from: number): number | null {
    const next = shards[from]
    if (next === undefined) return null
    if (next.words === null) return next.bytes[1]
    const [word] = next.words
    return word === undefined ? firstBytes(from + 1) : entryBytes(word)
  }

  /** Words from the current shard on, until a new shard ends where an old one does. */
  function* wordsFromHere(): Generator<WordHits> {
    let bytes = 0
    do {
      const { name, words } = shards[position] as OldShard
      for (const word of words ?? wordsIn(name, stored)) {
        const own = entryBytes(word)
        bytes = bytes > 0 && bytes + own > maxBytes ? own : bytes + own
        yield word
      }
      position += 1
    } while (position < shards.length && (bytes === 0 || !isEnd(bytes, position)))
  }
}
