import { placeAt, type SearchEntry } from '../../../domain/search-entry.ts'
import { createVocabulary } from './vocabulary.ts'

/** Places a page has: 128 sections, eight ranks in each. */
const PLACES = 1024

/** Sixty-four digits that JSON, spaces and quotes leave alone; five bits each, and whether more follow. */
const DIGITS = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 'latin1')
/** No hit takes more: five for how far it is from the one before, two for its place. */
const MOST_DIGITS = 7
/** Some ten milliseconds of work. */
const HITS_A_STEP = 250_000

/** Collects which pages have which words. */
export interface PostingsMaker {
  /** Notes an entry, unless one of its path is noted already. @returns how many were noted before it. */
  note(entry: SearchEntry): number
  /**
   * Brings what was noted into order, in steps; the last one hands it over, and nothing is noted any more.
   *
   * @param pages what `note` returned for each page, in the order of pages.
   */
  order(pages: readonly number[]): Generator<null, Postings>
}

/** Which pages have which words. */
export interface Postings {
  /** Sorted by code unit. */
  readonly words: readonly string[]
  /** Hits of a word. */
  count(word: string): number
  /** For each hit of a word: how many pages it is after the one before, then section and rank. */
  encoded(word: string): string
}

/** What is noted of an entry: the ids of its words, and their places. */
export interface PostingsRow {
  readonly ids: Uint32Array
  readonly places: Uint16Array
}

/** Puts a row where it need not stay in memory. @returns what gives it again, until another one is asked for. */
export type KeepRow = (row: PostingsRow) => () => PostingsRow

/**
 * A large site has millions of hits. So each is a number in a row of its page, and they are sorted by word in
 * the end, page after page: an array for each word would have every hit written to another place in memory,
 * which takes four times as long.
 */
export function createPostingsMaker(keep: KeepRow = (row) => () => row): PostingsMaker {
  let vocabulary = createVocabulary()
  /** By their paths. */
  let numbers = new Map<string, number>()
  let rows: (() => PostingsRow)[] = []
  /** Of each word, by its id. */
  let counts = new Uint32Array(FEWEST_WORDS)

  return {
    note(entry) {
      const before = numbers.get(entry.path)
      if (before !== undefined) return before
      const row = rowOf(entry)
      if (counts.length < vocabulary.size()) counts = lengthened(counts, vocabulary.size())
      for (const id of row.ids) counts[id] = (counts[id] ?? 0) + 1
      rows.push(keep(row))
      numbers.set(entry.path, rows.length - 1)
      return rows.length - 1
    },

    *order(pages) {
      const size = vocabulary.size()
      const starts = new Uint32Array(size)
      for (let id = 1; id < size; id += 1) starts[id] = (starts[id - 1] ?? 0) + (counts[id - 1] ?? 0)
      const sorted = new Uint32Array((starts.at(-1) ?? 0) + (counts[size - 1] ?? 0))
      const ends = starts.slice()
      let taken = 0
      for (const [number, page] of pages.entries()) {
        const { ids, places } = rowAt(page)
        for (let at = 0; at < ids.length; at += 1) {
          const id = ids[at] ?? 0
          const next = ends[id] ?? 0
          sorted[next] = hitAt(number, places[at] ?? 0)
          ends[id] = next + 1
        }
        taken += ids.length
        if (taken < HITS_A_STEP) continue
        taken = 0
        yield null
      }
      const made = postingsOf(vocabulary.words(), sorted, { starts, ends })
      vocabulary = createVocabulary()
      numbers = new Map()
      rows = []
      counts = new Uint32Array(FEWEST_WORDS)
      return made
    },
  }

  function rowOf(entry: SearchEntry): PostingsRow {
    const { length } = entry.places
    const places = new Uint16Array(length)
    for (let at = 0; at < length; at += 1) places[at] = placeAt(entry, at)
    return { ids: vocabulary.numbersOf(entry.words, length), places }
  }

  function rowAt(page: number): PostingsRow {
    const read = rows[page]
    if (read === undefined) throw new RangeError(`No entry was noted as number ${page}.`)
    return read()
  }
}

const FEWEST_WORDS = 4_096

function lengthened(numbers: Uint32Array<ArrayBuffer>, least: number): Uint32Array<ArrayBuffer> {
  const longer = new Uint32Array(2 * least)
  longer.set(numbers)
  return longer
}

/**
 * @param words by their ids.
 * @param sorted hits by the ids of their words, those of one word by page.
 * @param rows where the hits of each word start, and end: fewer than there is room for, where a page was noted and is
 *   not wanted.
 */
function postingsOf(
  words: readonly string[],
  sorted: Uint32Array,
  { starts, ends }: { readonly starts: Uint32Array; readonly ends: Uint32Array },
): Postings {
  const ids = new Map(words.map((word, id) => [word, id]))
  let written = Buffer.alloc(0)
  const count = (word: string) => {
    const id = ids.get(word) ?? -1
    return (ends[id] ?? 0) - (starts[id] ?? 0)
  }

  return {
    count,
    words: words.filter((word) => count(word) > 0).sort(),

    encoded(word) {
      const start = starts[ids.get(word) ?? -1] ?? 0
      const hits = sorted.subarray(start, start + count(word))
      const room = MOST_DIGITS * hits.length
      if (written.length < room) written = Buffer.alloc(2 * room)
      return written.toString('latin1', 0, writeHits(written, hits))
    },
  }
}

/** Of one word, as `encoded` wrote them: page and place as one number, in the order of pages. */
export function hitsIn(encoded: string): readonly number[] {
  const hits: number[] = []
  let page = 0
  for (let at = 0; at < encoded.length; ) {
    const [after, end] = readDigits(encoded, at)
    const [place, next] = readDigits(encoded, end)
    page += after
    hits.push(page * PLACES + place)
    at = next
  }
  return hits
}

/** As `encoded` writes them. */
export function encodedHits(hits: readonly number[]): string {
  const written = Buffer.alloc(MOST_DIGITS * hits.length)
  return written.toString('latin1', 0, writeHits(written, hits))
}

/** @returns how many bytes were written. */
function writeHits(written: Buffer, hits: ArrayLike<number>): number {
  let length = 0
  let before = 0
  for (let at = 0; at < hits.length; at += 1) {
    const hit = hits[at] ?? 0
    const place = hit % PLACES
    const number = (hit - place) / PLACES
    length = writeDigits(written, length, number - before)
    length = writeDigits(written, length, place)
    before = number
  }
  return length
}

/** A page and a place in it as one number. */
export function hitAt(number: number, place: number): number {
  return number * PLACES + place
}

/** Whether the hit is in the page. */
export function isHitIn(number: number, hit: number): boolean {
  return hit >= number * PLACES && hit < (number + 1) * PLACES
}

/** The number written there, and where it ends. */
function readDigits(text: string, start: number): readonly [value: number, end: number] {
  let value = 0
  for (let at = start, shift = 0; ; at += 1, shift += 5) {
    const digit = DIGITS.indexOf(text.charCodeAt(at))
    value += (digit & 31) << shift
    if (digit < 32) return [value, at + 1]
  }
}

/** Returns where it ends. */
function writeDigits(into: Buffer, start: number, value: number): number {
  let at = start
  let rest = value
  for (; rest >= 32; rest >>>= 5) into[at++] = DIGITS[32 + (rest & 31)] ?? 0
  into[at++] = DIGITS[rest] ?? 0
  return at
}
