import { placedWords, type SearchEntry } from '../../../domain/search-entry.ts'

/** Places a page has: 128 sections, eight ranks in each. */
const PLACES = 1024

/** Sixty-four digits that JSON, spaces and quotes leave alone; five bits each, and whether more follow. */
const DIGITS = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 'latin1')
/** No hit takes more: five for how far it is from the one before, two for its place. */
const MOST_DIGITS = 7
/** Grown by doubling. */
const FIRST_ROOM = 1024
/** Some ten milliseconds of work. */
const HITS_A_STEP = 250_000

/** Collects which pages have which words, of entries given in the order of pages. */
export interface PostingsMaker {
  /** @param number of the page, higher than all before. */
  note(number: number, entry: SearchEntry): void
  /** Brings what was noted into order, in steps; the last one hands it over. To be gone through once. */
  order(): Generator<null, Postings>
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

/**
 * A large site has millions of hits. So each is two numbers in rows as long as all of them, in the order
 * in which they came, and they are sorted by word in the end: an array for each word would have every
 * hit written to another place in memory, which takes four times as long.
 */
export function createPostingsMaker(): PostingsMaker {
  const ids = new Map<string, number>()
  let counts = new Uint32Array(FIRST_ROOM)
  let wordOf = new Uint32Array(FIRST_ROOM)
  let hits = new Uint32Array(FIRST_ROOM)
  let length = 0

  return {
    note(number, entry) {
      const page = number * PLACES
      const count = entry.places.length
      wordOf = withRoom(wordOf, length + count)
      hits = withRoom(hits, length + count)
      for (const [word, place] of placedWords(entry)) {
        const id = ids.get(word) ?? begin(word)
        wordOf[length] = id
        hits[length] = page + place
        counts[id] = (counts[id] ?? 0) + 1
        length += 1
      }
    },

    *order() {
      const ends = new Uint32Array(ids.size)
      for (let id = 1; id < ids.size; id += 1) ends[id] = (ends[id - 1] ?? 0) + (counts[id - 1] ?? 0)
      const sorted = new Uint32Array(length)
      for (let at = 0; at < length; at += 1) {
        const id = wordOf[at] ?? 0
        const end = ends[id] ?? 0
        sorted[end] = hits[at] ?? 0
        ends[id] = end + 1
        if (at % HITS_A_STEP === 0) yield null
      }
      return postingsOf(ids, sorted, ends)
    },
  }

  function begin(word: string): number {
    const id = ids.size
    ids.set(word, id)
    counts = withRoom(counts, id + 1)
    return id
  }
}

/**
 * @param sorted hits by the ids of their words, those of one word by page.
 * @param ends where the hits of each word end.
 */
function postingsOf(ids: ReadonlyMap<string, number>, sorted: Uint32Array, ends: Uint32Array): Postings {
  let written = Buffer.alloc(0)
  const placeOf = (word: string) => {
    const id = ids.get(word)
    return id === undefined ? { start: 0, end: 0 } : { start: ends[id - 1] ?? 0, end: ends[id] ?? 0 }
  }

  return {
    words: [...ids.keys()].sort(),

    count(word) {
      const { start, end } = placeOf(word)
      return end - start
    },

    encoded(word) {
      const { start, end } = placeOf(word)
      const room = MOST_DIGITS * (end - start)
      if (written.length < room) written = Buffer.alloc(2 * room)
      return written.toString('latin1', 0, writeHits(written, sorted.subarray(start, end)))
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

function withRoom(row: Uint32Array<ArrayBuffer>, least: number): Uint32Array<ArrayBuffer> {
  if (row.length >= least) return row
  const longer = new Uint32Array(Math.max(2 * row.length, least))
  longer.set(row)
  return longer
}
