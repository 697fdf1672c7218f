import { placeAt, type SearchEntry, wordsOf } from '../../domain/search-entry.ts'

/** Places in a page: 128 sections with eight ranks each. */
const PLACES = 1024

/**
 * Digits that need no escape in JSON. Each holds five bits of a number; in the upper half of the alphabet it
 * also says that more digits follow.
 */
const DIGITS = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 'latin1')
/** Digits of one hit: five for the distance to the previous page, two for the place. */
const MAX_DIGITS = 7
/** Hits per step of work; about ten milliseconds. */
const HITS_PER_STEP = 250_000

/** Collects the pages of each word. */
export interface PostingsBuilder {
  /** Adds the next page. Pages are numbered in this order, from 0. */
  add(entry: SearchEntry): void
  /** Sorts the hits by word, in steps. Call it once, after the last `add`. */
  build(): Generator<null, Postings>
}

/** The pages of each word. */
export interface Postings {
  /** Sorted by code unit. */
  readonly words: readonly string[]
  /** Number of hits of a word. */
  count(word: string): number
  /** The hits of a word: for each the distance to the previous page, then section and rank. */
  encoded(word: string): string
}

/** The words of a page, by their ids, and the places where they occur. */
interface PageRow {
  readonly ids: Uint32Array
  readonly places: Uint16Array
}

/**
 * A large site has millions of hits. A counting sort needs two passes over them; an array per word would take
 * four times as long, because each hit is then written to another part of memory.
 */
export function createPostingsBuilder(): PostingsBuilder {
  /** Ids of words, in the order in which they occur first. */
  const vocabulary = new Map<string, number>()
  const rows: PageRow[] = []

  return {
    add(entry) {
      const words = wordsOf(entry)
      const row = { ids: new Uint32Array(words.length), places: new Uint16Array(words.length) }
      for (let index = 0; index < words.length; index += 1) {
        row.ids[index] = idOf(words[index] ?? '')
        row.places[index] = placeAt(entry, index)
      }
      rows.push(row)
    },
    build: () => sortHits([...vocabulary.keys()], rows),
  }

  function idOf(word: string): number {
    const known = vocabulary.get(word)
    if (known !== undefined) return known
    // A copy: V8 keeps the whole text in memory from which a word was cut.
    vocabulary.set(Buffer.from(word).toString(), vocabulary.size)
    return vocabulary.size - 1
  }
}

/** @param vocabulary words by their ids. */
function* sortHits(vocabulary: readonly string[], rows: readonly PageRow[]): Generator<null, Postings> {
  const words = vocabulary.toSorted()
  const ranks = new Map(words.map((word, rank) => [word, rank]))
  const rankOfId = new Uint32Array(vocabulary.map((word) => ranks.get(word) ?? 0))
  const counts = new Uint32Array(words.length)
  yield* inSteps(rows, ({ ids }) => {
    for (const id of ids) increment(counts, rankOfId[id] ?? 0)
  })
  /** Offset of the first hit of each word; after the sort, the offset after its last hit. */
  const ends = new Uint32Array(words.length)
  for (let rank = 1; rank < words.length; rank += 1)
    ends[rank] = (ends[rank - 1] ?? 0) + (counts[rank - 1] ?? 0)
  const hits = new Uint32Array(counts.reduce((sum, count) => sum + count, 0))
  yield* inSteps(rows, ({ ids, places }, page) => {
    ids.forEach((id, index) => {
      hits[increment(ends, rankOfId[id] ?? 0)] = hitAt(page, places[index] ?? 0)
    })
  })

  return {
    words,
    count: (word) => counts[ranks.get(word) ?? -1] ?? 0,
    encoded(word) {
      const rank = ranks.get(word)
      if (rank === undefined) return ''
      const end = ends[rank] ?? 0
      return encodeHits(hits.subarray(end - (counts[rank] ?? 0), end))
    },
  }
}

/** @returns the number before it grew by one. */
function increment(numbers: Uint32Array, index: number): number {
  const number = numbers[index] ?? 0
  numbers[index] = number + 1
  return number
}

function* inSteps(
  rows: readonly PageRow[],
  process: (row: PageRow, page: number) => void,
): Generator<null, void> {
  let hits = 0
  for (const [page, row] of rows.entries()) {
    process(row, page)
    hits += row.ids.length
    if (hits < HITS_PER_STEP) continue
    hits = 0
    yield null
  }
}

/** Runs a generator to its end without pauses. */
export function runToEnd<Result>(steps: Generator<unknown, Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** The hits that `encodeHits` encoded. */
export function decodeHits(encoded: string): readonly number[] {
  const hits: number[] = []
  let page = 0
  for (let at = 0; at < encoded.length; ) {
    const [distance, end] = readNumber(encoded, at)
    const [place, next] = readNumber(encoded, end)
    page += distance
    hits.push(hitAt(page, place))
    at = next
  }
  return hits
}

/** @param hits of one word, in the order of pages. */
export function encodeHits(hits: ArrayLike<number>): string {
  const bytes = Buffer.allocUnsafe(MAX_DIGITS * hits.length)
  let length = 0
  let previous = 0
  for (let index = 0; index < hits.length; index += 1) {
    const hit = hits[index] ?? 0
    const place = hit % PLACES
    const page = (hit - place) / PLACES
    length = writeNumber(bytes, length, page - previous)
    length = writeNumber(bytes, length, place)
    previous = page
  }
  return bytes.toString('latin1', 0, length)
}

/** A page and a place in it as one number. */
export function hitAt(page: number, place: number): number {
  return page * PLACES + place
}

export function isHitIn(page: number, hit: number): boolean {
  return hit >= page * PLACES && hit < (page + 1) * PLACES
}

function readNumber(text: string, start: number): readonly [value: number, end: number] {
  let value = 0
  for (let at = start, shift = 0; ; at += 1, shift += 5) {
    const digit = DIGITS.indexOf(text.charCodeAt(at))
    value += (digit & 31) << shift
    if (digit < 32) return [value, at + 1]
  }
}

/** @returns where the number ends. */
function writeNumber(bytes: Buffer, start: number, value: number): number {
  let at = start
  let rest = value
  for (; rest >= 32; rest >>>= 5) bytes[at++] = DIGITS[32 + (rest & 31)] ?? 0
  bytes[at++] = DIGITS[rest] ?? 0
  return at
}
