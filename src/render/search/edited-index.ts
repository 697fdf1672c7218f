import { createHash } from 'node:crypto'
import type { Artifact } from '../../domain/artifact.ts'
import { placedWords, type SearchEntry } from '../../domain/search-entry.ts'
import { encodedHits, hitAt, hitsIn, isHitIn } from './postings.ts'
import {
  bytesOf,
  mostBytes,
  pageLine,
  type SearchBase,
  type SearchCut,
  type SearchFile,
  searchManifest,
  shard,
  shardKey,
  sizeOfWord,
  type WordHits,
  wordShards,
} from './search-index.ts'

/** A page that says something else than before, at the same place among the others. */
export interface EditedEntry {
  readonly number: number
  readonly before: SearchEntry
  readonly after: SearchEntry
}

/** An index as it lies there. */
export interface LyingIndex {
  /** The text of its manifest. */
  readonly manifest: string
  readonly cut: SearchCut
  /** The text of a shard. */
  readonly read: (name: string) => string
}

export interface EditedIndex {
  /** The manifest, and shards that are new. */
  readonly artifacts: readonly Artifact[]
  /** Keys of the other shards. */
  readonly kept: ReadonlySet<string>
  readonly cut: SearchCut
}

/**
 * The index that `searchFiles` would make of the pages as they are now, read and made only where it
 * differs from the one that lies there.
 *
 * @returns null when a shard is not what was written there.
 */
export function editedIndex(lying: LyingIndex, entries: readonly EditedEntry[]): EditedIndex | null {
  const base = baseIn(lying.manifest)
  try {
    const pages = editedPages(base, entries, lying)
    const words = editedWords(base, editsOf(entries), lying)
    const next = { ...base, firsts: words.firsts, words: words.names, pages: pages.names }
    const made = [...pages.files, ...words.files].map(({ artifact }) => artifact)
    const artifacts = [...made, searchManifest(next, [], null)]
    const keys = new Set(made.map(({ key }) => key))
    const kept = [...next.words, ...next.pages].map(shardKey).filter((key) => !keys.has(key))
    return { artifacts, kept: new Set(kept), cut: words.cut }
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

function baseIn(manifest: string): SearchBase {
  const { firsts, words, pages, pages_a_shard: pagesAShard, total } = JSON.parse(manifest).base
  return { firsts: firsts.split(' '), words, pages, pagesAShard, total }
}

/** @throws {RangeError} when the shard is not what was written there. */
function readShard(name: string, { read }: LyingIndex): unknown {
  const text = read(name)
  const isOwn = createHash('sha256').update(text).digest('hex').startsWith(name)
  if (!isOwn) throw new RangeError(`Other bytes lie in the shard ${name} than were written.`)
  return JSON.parse(text)
}

function editedPages({ pages, pagesAShard }: SearchBase, entries: readonly EditedEntry[], lying: LyingIndex) {
  const shards = new Map<number, unknown[]>()
  for (const { number, after } of entries) {
    const place = Math.floor(number / pagesAShard)
    const lines = shards.get(place) ?? (readShard(pages[place] ?? '', lying) as unknown[])
    shards.set(place, lines.with(number % pagesAShard, pageLine(after)))
  }
  const names = [...pages]
  const files: SearchFile[] = []
  for (const [place, lines] of shards) {
    const file = shard(lines)
    if (file.name === names[place]) continue
    names[place] = file.name
    files.push(file)
  }
  return { names, files }
}

/** Of a word: what is to be at a page's number, or null for nothing. */
type WordEdits = ReadonlyMap<string, ReadonlyMap<number, number | null>>

function editsOf(entries: readonly EditedEntry[]): WordEdits {
  const edits = new Map<string, Map<number, number | null>>()
  for (const { number, before, after } of entries) {
    const was = new Map(placedWords(before))
    const is = new Map(placedWords(after))
    for (const word of new Set([...was.keys(), ...is.keys()])) {
      if (was.get(word) === is.get(word)) continue
      const edit = edits.get(word) ?? new Map<number, number | null>()
      edits.set(word, edit.set(number, is.get(word) ?? null))
    }
  }
  return edits
}

/** A shard as it is now; its words are null as long as nobody needs them. */
interface OldShard {
  readonly name: string
  readonly first: string
  readonly bytes: SearchCut['shards'][number]
  readonly words: readonly WordHits[] | null
}

function editedWords({ firsts, words: names }: SearchBase, edits: WordEdits, lying: LyingIndex) {
  const byShard = new Map<number, string[]>()
  for (const word of [...edits.keys()].sort()) {
    const place = shardOf(word, firsts)
    byShard.set(place, [...(byShard.get(place) ?? []), word])
  }
  let { size } = lying.cut
  const shards = names.map((name, place): OldShard => {
    const old = { name, first: firsts[place] ?? '', bytes: lying.cut.shards[place] ?? [0, 0] }
    const edited = byShard.get(place)
    if (edited === undefined) return { ...old, words: null }
    const words = new Map(wordsIn(name, lying))
    for (const word of edited) {
      const hits = hitsIn(words.get(word) ?? '')
      const next = withEdits(hits, edits.get(word) ?? new Map())
      size +=
        (next.length === 0 ? 0 : sizeOfWord(word, next.length)) -
        (hits.length === 0 ? 0 : sizeOfWord(word, hits.length))
      if (next.length === 0) words.delete(word)
      else words.set(word, encodedHits(next))
    }
    return { ...old, words: [...words].sort(([a], [b]) => (a < b ? -1 : 1)) }
  })
  return cutAgain(shards, size, lying)
}

/** The last shard that does not begin behind the word. */
function shardOf(word: string, firsts: readonly string[]): number {
  let [low, high] = [0, firsts.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((firsts[middle] ?? '') <= word) low = middle
    else high = middle - 1
  }
  return low
}

function wordsIn(name: string, lying: LyingIndex): readonly WordHits[] {
  const { words, hits } = readShard(name, lying) as { readonly words: string; readonly hits: string }
  const each = hits.split(' ')
  return words.split(' ').map((word, index) => [word, each[index] ?? ''])
}

function withEdits(hits: readonly number[], edits: ReadonlyMap<number, number | null>): readonly number[] {
  const others = hits.filter((hit) => ![...edits.keys()].some((number) => isHitIn(number, hit)))
  const added = [...edits].flatMap(([number, place]) => (place === null ? [] : [hitAt(number, place)]))
  return [...others, ...added].sort((a, b) => a - b)
}

/** As words are cut from the first to the last: a shard that begins and ends where one did is that one. */
function cutAgain(shards: readonly OldShard[], size: number, lying: LyingIndex) {
  const most = mostBytes(size)
  const [firsts, names, files]: [string[], string[], SearchFile[]] = [[], [], []]
  const cut: SearchCut['shards'][number][] = []
  let place = 0
  while (place < shards.length) {
    const { name, first, bytes, words } = shards[place] as OldShard
    if (words === null && bytes[0] <= most && isEnd(bytes[0], place + 1)) {
      push({ name, first, bytes })
      place += 1
    } else {
      for (const made of wordShards(wordsFrom(), most)) {
        push({ name: made.file.name, first: made.first, bytes: made.bytes })
        if (!shards.some(({ name }) => name === made.file.name)) files.push(made.file)
      }
    }
  }
  return { firsts, names, files, cut: { size, shards: cut } }

  function push({ name, first, bytes }: Pick<OldShard, 'name' | 'first' | 'bytes'>): void {
    firsts.push(names.length === 0 ? '' : first)
    names.push(name)
    cut.push(bytes)
  }

  /** Whether a shard of so many bytes ends before the next one's first word. */
  function isEnd(bytes: number, next: number): boolean {
    const first = firstBytes(next)
    return first === null || bytes + first > most
  }

  /** Of the first word that is left from that shard on; null when there is none. */
  function firstBytes(from: number): number | null {
    const next = shards[from]
    if (next === undefined) return null
    if (next.words === null) return next.bytes[1]
    const [word] = next.words
    return word === undefined ? firstBytes(from + 1) : bytesOf(word)
  }

  /** Words from here on, until a shard has ended where an old one does. */
  function* wordsFrom(): Generator<WordHits> {
    let bytes = 0
    do {
      const { name, words } = shards[place] as OldShard
      for (const word of words ?? wordsIn(name, lying)) {
        const own = bytesOf(word)
        bytes = bytes > 0 && bytes + own > most ? own : bytes + own
        yield word
      }
      place += 1
    } while (place < shards.length && (bytes === 0 || !isEnd(bytes, place)))
  }
}
