import { createHash } from 'node:crypto'
import { usualAnchor } from '../../../themes/_shared/scripts/search/words.js'
import type { Artifact } from '../../domain/artifact.ts'
import type { SearchEntry } from '../../domain/search-entry.ts'
import { textBytes } from '../page/text-bytes.ts'
import { truncateText } from '../page/truncate-text.ts'
import { createPostingsBuilder, type Postings, runToEnd } from './postings.ts'

/*
 * The search index of a site, as browsers load it:
 *
 * - `_search.json`: a small manifest that names the shards.
 * - `_search/{hash}.json`: shards. The sorted words of the index are cut into word shards, so that a search
 *   for one word loads one of them. Page shards hold what results show of each page. The name of a shard is
 *   the hash of its bytes, so it never changes.
 *
 * Most pages are in the base, which is built from all pages at once. Pages published since then are in one
 * more shard, and the manifest hides their entries in the base. A publish therefore writes few files,
 * however many pages the site has.
 */

export const SEARCH_MANIFEST = '_search.json'
export const SEARCH_SHARDS = '_search/'

/** The word shards and page shards of an index. The database stores it as JSON. */
export interface SearchBase {
  /** The first word of each word shard, sorted. The first one is empty. */
  readonly firsts: readonly string[]
  /** Names of the word shards. */
  readonly words: readonly string[]
  /** Names of the page shards. All but the last have `pagesAShard` pages. */
  readonly pages: readonly string[]
  readonly pagesAShard: number
  /** Number of pages. */
  readonly total: number
  /** Runs of pages in one language, e.g. `en 12 de 3`. Absent in a base of an earlier version. */
  readonly languages?: string
  /** Titles of pages that have pages below them, by path. Absent in a base of an earlier version. */
  readonly places?: Readonly<Record<string, string>>
}

export const NO_BASE: SearchBase = { firsts: [], words: [], pages: [], pagesAShard: 8, total: 0 }

/** Bytes of a word shard, unless it holds one word only: a word is never split. */
const SHARD_BYTES = 16 * 1024
/** More shards would make the manifest large. A very large site has larger shards instead. */
const MAX_WORD_SHARDS = 600
const MAX_PAGE_SHARDS = 1_250
const MIN_PAGES_PER_SHARD = 8
/** Every search loads them with the manifest. */
const MAX_PLACES = 300
const MAX_PLACE_TITLE = 80

export interface SearchFile {
  /** The name of the shard, which is a part of its key. */
  readonly name: string
  readonly artifact: Artifact
}

/** Builds a base from entries, added one by one so that they need not be in memory together. */
export interface SearchBaseBuilder {
  add(entry: SearchEntry): void
  /**
   * The shards, one after the other. Iterate once, after the last `add`. Yields null after a step without a finished
   * shard, so that the caller can do other work.
   */
  files(): Generator<SearchFile | null>
  /** The manifest's description of the shards. Call it after `files`. */
  base(): SearchBase
  layout(): ShardLayout
}

/** Division of an index's words into shards. A patched index is cut the same way. */
export interface ShardLayout {
  /** Approximate size of all word shards, in bytes. */
  readonly size: number
  /** For each word shard its size and that of its first word, in bytes. */
  readonly shards: readonly (readonly [all: number, first: number])[]
}

/** @param total how many entries will be added. */
export function createSearchBaseBuilder(total: number): SearchBaseBuilder {
  const pagesAShard = Math.max(MIN_PAGES_PER_SHARD, Math.ceil(total / MAX_PAGE_SHARDS))
  const postings = createPostingsBuilder()
  const pageFiles: SearchFile[] = []
  const firsts: string[] = []
  const words: string[] = []
  const shards: ShardLayout['shards'][number][] = []
  const languages: string[] = []
  const titles = new Map<string, string>()
  let size = 0
  let added = 0
  let nextShard: SearchEntry[] = []

  return {
    add(entry) {
      added += 1
      languages.push(entry.language)
      titles.set(entry.path, entry.title)
      postings.add(entry)
      nextShard.push(withoutWords(entry))
      if (nextShard.length === pagesAShard) endPageShard()
    },

    *files() {
      if (nextShard.length > 0) endPageShard()
      yield* pageFiles
      const sorted = yield* postings.build()
      size = sizeOf(sorted)
      const hits = function* (): Generator<WordHits> {
        for (const word of sorted.words) yield [word, sorted.encoded(word)]
      }
      for (const { first, file, bytes } of wordShards(hits(), maxShardBytes(size))) {
        firsts.push(words.length === 0 ? '' : first)
        words.push(file.name)
        shards.push(bytes)
        yield file
      }
    },

    base: () => ({
      firsts,
      words,
      pages: pageFiles.map(({ name }) => name),
      pagesAShard,
      total: added,
      languages: languageRuns(languages),
      places: placesOf(titles),
    }),
    layout: () => ({ size, shards }),
  }

  function endPageShard(): void {
    pageFiles.push(pagesShard(nextShard))
    nextShard = []
  }
}

/** The highest pages that have pages below them. Those of the front page need no place. */
function placesOf(titles: ReadonlyMap<string, string>): Readonly<Record<string, string>> {
  const folders = new Set<string>()
  for (const path of titles.keys())
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1))
      folders.add(path.slice(0, end))
  const depth = (path: string) => path.split('/').length
  const places = [...titles].filter(([path]) => folders.has(path))
  places.sort(([one], [other]) => depth(one) - depth(other) || (one < other ? -1 : 1))
  return Object.fromEntries(places.slice(0, MAX_PLACES).map(([path, title]) => [path, placeTitle(title)]))
}

export function placeTitle(title: string): string {
  return truncateText(title, MAX_PLACE_TITLE)
}

/** The pages that were published since the base was built, in one shard. */
export function freshShard(entries: readonly SearchEntry[]): SearchFile {
  const builder = createPostingsBuilder()
  for (const entry of entries) builder.add(entry)
  const { words, encoded } = runToEnd(builder.build())
  return shard({
    words: words.join(' '),
    hits: words.map(encoded).join(' '),
    pages: entries.map(pageLine),
    languages: languageRuns(entries.map(({ language }) => language)),
  })
}

/** @param entries null for a page that is no longer found. */
export function pagesShard(entries: readonly (SearchEntry | null)[]): SearchFile {
  return shard(entries.map((entry) => (entry === null ? null : pageLine(entry))))
}

/**
 * @param hidden numbers of pages in the base that were removed or are in the fresh shard.
 * @param fresh the shard of the pages published since the base was built; null if there are none.
 */
export function searchManifest(
  base: SearchBase,
  hidden: readonly number[],
  fresh: { readonly name: string; readonly total: number } | null,
): Artifact {
  const { firsts, words, pages, pagesAShard, total, languages, places } = base
  const body = JSON.stringify({
    total: total - hidden.length + (fresh?.total ?? 0),
    base: { total, firsts: firsts.join(' '), words, pages, pages_a_shard: pagesAShard, languages, places },
    hidden,
    fresh: fresh?.name ?? null,
  })
  return { key: SEARCH_MANIFEST, stage: 'index', body: Buffer.from(body), owner: OWNER }
}

export function shardKey(name: string): string {
  return `${SEARCH_SHARDS}${name}.json`
}

/** The whole index of a site that is built at once, not published page by page. */
export function searchFiles(entries: Iterable<SearchEntry> & { readonly length: number }): {
  readonly artifacts: readonly Artifact[]
  readonly layout: ShardLayout
} {
  if (entries.length === 0) return { artifacts: [], layout: NO_LAYOUT }
  const builder = createSearchBaseBuilder(entries.length)
  for (const entry of entries) builder.add(entry)
  const shards = [...builder.files()].flatMap((file) => (file === null ? [] : [file.artifact]))
  return { artifacts: [...shards, searchManifest(builder.base(), [], null)], layout: builder.layout() }
}

export const NO_LAYOUT: ShardLayout = { size: 0, shards: [] }

const OWNER = { kind: 'search', id: '' } as const

export function shard(value: unknown): SearchFile {
  const body = textBytes(JSON.stringify(value))
  const name = createHash('sha256').update(body).digest('hex').slice(0, 16)
  // Pages are uploaded before indexes, so the shard is there before the manifest that names it.
  return { name, artifact: { key: shardKey(name), stage: 'page', body, owner: OWNER } }
}

/** A word and its encoded hits. */
export type WordHits = readonly [word: string, hits: string]

export interface WordShard {
  readonly first: string
  readonly file: SearchFile
  readonly bytes: ShardLayout['shards'][number]
}

/** @param words sorted. @param maxBytes of a shard. */
export function* wordShards(words: Iterable<WordHits>, maxBytes: number): Generator<WordShard> {
  let shardWords: WordHits[] = []
  let size = 0
  for (const entry of words) {
    const bytes = entryBytes(entry)
    if (size > 0 && size + bytes > maxBytes) {
      yield wordShard(shardWords, size)
      shardWords = []
      size = 0
    }
    shardWords.push(entry)
    size += bytes
  }
  if (size > 0) yield wordShard(shardWords, size)
}

function wordShard(entries: readonly WordHits[], size: number): WordShard {
  const words = entries.map(([word]) => word)
  const hits = entries.map(([, hits]) => hits)
  const file = shard({ words: words.join(' '), hits: hits.join(' ') })
  const [first = ['', '']] = entries
  return { first: first[0], file, bytes: [size, entryBytes(first)] }
}

/** Bytes of a word in its shard. */
export function entryBytes([word, hits]: WordHits): number {
  return Buffer.byteLength(word) + hits.length + 2
}

/** @param size of all word shards, in bytes. */
export function maxShardBytes(size: number): number {
  return Math.max(SHARD_BYTES, size / MAX_WORD_SHARDS)
}

/** Approximate size of the word shards, in bytes. */
function sizeOf({ words, count }: Postings): number {
  return words.reduce((size, word) => size + estimatedBytes(word, count(word)), 0)
}

export function estimatedBytes(word: string, hits: number): number {
  return word.length + 3 * hits + 2
}

/** Frees the memory of words that are in the postings. */
function withoutWords({ title, path, language, about, sections }: SearchEntry): SearchEntry {
  return { title, path, language, about, sections, words: '', places: '' }
}

/** `?` stands for a page without a language. */
export function languageRuns(languages: readonly string[]): string {
  const runs: [language: string, pages: number][] = []
  for (const language of languages) {
    const last = runs.at(-1)
    if (last?.[0] === language) last[1] += 1
    else runs.push([language, 1])
  }
  return runs.map(([language, pages]) => `${language === '' ? '?' : language} ${pages}`).join(' ')
}

export function languagesOfRuns(runs: string): string[] {
  return [...runs.matchAll(/(?<!\S)(\S+) (\d+)/g)].flatMap(([, language = '', pages]) =>
    new Array<string>(Number(pages)).fill(language === '?' ? '' : language),
  )
}

export function pageLine({ title, path, about, sections }: SearchEntry): readonly unknown[] {
  // Two items per section: the heading, and its anchor unless that follows from the heading.
  return [
    title,
    path,
    about,
    sections.flatMap(({ heading, anchor }) => [heading, anchor === usualAnchor(heading) ? 0 : anchor]),
  ]
}
