import { createHash } from 'node:crypto'
import { usualAnchor } from '../../../themes/_shared/scripts/search/words.js'
import type { Artifact } from '../../domain/artifact.ts'
import type { SearchEntry } from '../../domain/search-entry.ts'
import { textBytes } from '../page/text-bytes.ts'
import { createPostingsMaker, ended, type Postings } from './postings.ts'

/*
 * The search index of a site, as visitors load it:
 *
 * - `_search.json`, small: which shards there are. The words of the index, sorted, are cut into shards,
 *   so that one word needs one shard; what is shown of pages lies in shards by their numbers.
 * - `_search/{hash}.json`: shards. Each has the hash of its bytes in its name and never changes.
 *
 * Most pages are in the base, which is made of all of them at once. What was published since stands in
 * one more shard, whole, and its former state is hidden; so one publish writes few files however many
 * pages there are.
 */

export const SEARCH_MANIFEST = '_search.json'
export const SEARCH_SHARDS = '_search/'

/** Files that hold some of the words, or of what is shown of pages. */
export interface SearchBase {
  /** The first word of each shard, sorted; the first one is empty. */
  readonly firsts: readonly string[]
  /** Names of the shards with words. */
  readonly words: readonly string[]
  /** Names of the shards with pages, so many in each but the last. */
  readonly pages: readonly string[]
  readonly pagesAShard: number
  /** Pages in all. */
  readonly total: number
}

export const NO_BASE: SearchBase = { firsts: [], words: [], pages: [], pagesAShard: 8, total: 0 }

/** Bytes a shard of words is filled up to; one word is never cut. */
const SHARD_BYTES = 16 * 1024
/** More shards would make the manifest heavy: in a very large site they are larger instead. */
const MOST_WORD_SHARDS = 600
const MOST_PAGE_SHARDS = 1_250
const LEAST_PAGES_A_SHARD = 8

export interface SearchFile {
  /** The part of its key that is its own. */
  readonly name: string
  readonly artifact: Artifact
}

/** Makes a base of entries given one by one, so that neither is in memory at once. */
export interface BaseMaker {
  add(entry: SearchEntry): void
  /**
   * Its files, one after the other; to be gone through once, when all entries are there. Null stands for
   * a step of work that made none, after which others can have their turn.
   */
  files(): Generator<SearchFile | null>
  /** What the manifest says of the files that were made. */
  base(): SearchBase
  /** How the words were cut into shards. */
  cut(): SearchCut
}

/** How the words of an index are cut into shards, so that a few other words are cut the same way. */
export interface SearchCut {
  /** About as many bytes as all shards will have. */
  readonly size: number
  /** Bytes of each shard, and of its first word, in their order. */
  readonly shards: readonly (readonly [all: number, first: number])[]
}

/** @param total the number of entries that will be added. */
export function createBaseMaker(total: number): BaseMaker {
  const postings = createPostingsMaker()
  const pagesAShard = Math.max(LEAST_PAGES_A_SHARD, Math.ceil(total / MOST_PAGE_SHARDS))
  const pageFiles: SearchFile[] = []
  const [firsts, words]: [string[], string[]] = [[], []]
  const cut: SearchCut['shards'][number][] = []
  let size = 0
  let added = 0
  let waiting: SearchEntry[] = []

  return {
    add(entry) {
      postings.add(entry)
      added += 1
      waiting.push(shownOf(entry))
      if (waiting.length === pagesAShard) endPages()
    },

    *files() {
      if (waiting.length > 0) endPages()
      yield* pageFiles
      const ordered = yield* postings.sort()
      size = sizeOf(ordered)
      const hits = function* (): Generator<WordHits> {
        for (const word of ordered.words) yield [word, ordered.encoded(word)]
      }
      for (const { first, file, bytes } of wordShards(hits(), mostBytes(size))) {
        firsts.push(words.length === 0 ? '' : first)
        words.push(file.name)
        cut.push(bytes)
        yield file
      }
    },

    base: () => ({
      firsts,
      words,
      pages: pageFiles.map(({ name }) => name),
      pagesAShard,
      total: added,
    }),
    cut: () => ({ size, shards: cut }),
  }

  function endPages(): void {
    pageFiles.push(pagesShard(waiting))
    waiting = []
  }
}

/** What was published since the base was made, in one shard. */
export function freshShard(entries: readonly SearchEntry[]): SearchFile {
  const maker = createPostingsMaker()
  for (const entry of entries) maker.add(entry)
  const { words, encoded } = ended(maker.sort())
  return shard({
    words: words.join(' '),
    hits: words.map(encoded).join(' '),
    pages: entries.map(pageLine),
  })
}

/** What is shown of some pages; null stands for one that is not to be found any more. */
export function pagesShard(entries: readonly (SearchEntry | null)[]): SearchFile {
  return shard(entries.map((entry) => (entry === null ? null : pageLine(entry))))
}

/**
 * @param base its page shards as they are now.
 * @param hidden numbers of pages in the base that are gone or fresh.
 * @param fresh the shard of what was published since; null for none.
 */
export function searchManifest(
  base: SearchBase,
  hidden: readonly number[],
  fresh: { readonly name: string; readonly total: number } | null,
): Artifact {
  const { firsts, words, pages, pagesAShard, total } = base
  const body = JSON.stringify({
    total: total - hidden.length + (fresh?.total ?? 0),
    base: { total, firsts: firsts.join(' '), words, pages, pages_a_shard: pagesAShard },
    hidden,
    fresh: fresh?.name ?? null,
  })
  return { key: SEARCH_MANIFEST, stage: 'index', body: Buffer.from(body), owner: OWNER }
}

export function shardKey(name: string): string {
  return `${SEARCH_SHARDS}${name}.json`
}

/** The whole index of a site that is built, not published page by page. */
export function searchFiles(entries: Iterable<SearchEntry> & { readonly length: number }): {
  readonly artifacts: readonly Artifact[]
  readonly cut: SearchCut
} {
  if (entries.length === 0) return { artifacts: [], cut: NO_CUT }
  const maker = createBaseMaker(entries.length)
  for (const entry of entries) maker.add(entry)
  const shards = [...maker.files()].flatMap((file) => (file === null ? [] : [file.artifact]))
  return { artifacts: [...shards, searchManifest(maker.base(), [], null)], cut: maker.cut() }
}

export const NO_CUT: SearchCut = { size: 0, shards: [] }

const OWNER = { kind: 'search', id: '' } as const

export function shard(value: unknown): SearchFile {
  const body = textBytes(JSON.stringify(value))
  const name = createHash('sha256').update(body).digest('hex').slice(0, 16)
  // Before the manifest that names it.
  return { name, artifact: { key: shardKey(name), stage: 'page', body, owner: OWNER } }
}

/** A word and its hits, as they are written. */
export type WordHits = readonly [word: string, hits: string]

export interface WordShard {
  readonly first: string
  readonly file: SearchFile
  readonly bytes: SearchCut['shards'][number]
}

/** @param words in their order. @param most bytes of a shard. */
export function* wordShards(words: Iterable<WordHits>, most: number): Generator<WordShard> {
  let here: WordHits[] = []
  let size = 0
  for (const entry of words) {
    const bytes = bytesOf(entry)
    if (size > 0 && size + bytes > most) {
      yield wordShard(here, size)
      here = []
      size = 0
    }
    here.push(entry)
    size += bytes
  }
  if (size > 0) yield wordShard(here, size)
}

function wordShard(entries: readonly WordHits[], size: number): WordShard {
  const words = entries.map(([word]) => word)
  const hits = entries.map(([, hits]) => hits)
  const file = shard({ words: words.join(' '), hits: hits.join(' ') })
  const [first = ['', '']] = entries
  return { first: first[0], file, bytes: [size, bytesOf(first)] }
}

/** In its shard. */
export function bytesOf([word, hits]: WordHits): number {
  return Buffer.byteLength(word) + hits.length + 2
}

/** Bytes of a shard. */
export function mostBytes(size: number): number {
  return Math.max(SHARD_BYTES, size / MOST_WORD_SHARDS)
}

/** About as many bytes as its shards will have. */
function sizeOf({ words, count }: Postings): number {
  return words.reduce((size, word) => size + sizeOfWord(word, count(word)), 0)
}

export function sizeOfWord(word: string, hits: number): number {
  return word.length + 3 * hits + 2
}

/** Its words are in shards of their own. */
function shownOf({ title, path, about, sections }: SearchEntry): SearchEntry {
  return { title, path, about, sections, words: '', places: '' }
}

export function pageLine({ title, path, about, sections }: SearchEntry): readonly unknown[] {
  // Two a section: its anchor is left out where the heading tells it.
  return [
    title,
    path,
    about,
    sections.flatMap(({ heading, anchor }) => [heading, anchor === usualAnchor(heading) ? 0 : anchor]),
  ]
}
