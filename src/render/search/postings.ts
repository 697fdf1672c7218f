import { placeAt, type SearchEntry, wordsOf } from '../../domain/search-entry.ts'

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
  /** Adds the entry of the next page. */
  add(entry: SearchEntry): void
  /** Sorts the postings in steps and returns them with the last. Nothing may be added afterwards. */
  sort(): Generator<null, Postings>
}

/** Which pages have which words. */
export interface Postings {
  /** Sorted by code unit. */
  readonly words: readonly string[]
  /** Number of hits of a word. */
  count(word: string): number
  /** For each hit of a word: the distance to the previous hit's page, then section and rank. */
  encoded(word: string): string
}

/** The words of one entry as numbers, and their places. */
interface PostingsRow {
  readonly ids: Uint32Array
  readonly places: Uint16Array
}

/**
 * A large site has millions of hits. Each is a number in the row of its page, and all are sorted by word at the end:
 * an array for each word would scatter the writes over memory, which takes four times as long.
 */
export function createPostingsMaker(): PostingsMaker {
  /** Numbers of the words, in the order of their first hits. */
  const vocabulary = new Map<string, number>()
  const rows: PostingsRow[] = []

  return {
    add(entry) {
      const words = wordsOf(entry)
      rows.push({
        ids: new Uint32Array(words.map(numberOf)),
        places: new Uint16Array(words.map((_, at) => placeAt(entry, at))),
      })
    },
    sort: () => sortedPostings([...vocabulary.keys()], rows),
  }

  function numberOf(word: string): number {
    const known = vocabulary.get(word)
    if (known !== undefined) return known
    // A copy: V8 keeps the text that a word was cut from in memory with it.
    vocabulary.set(Buffer.from(word).toString(), vocabulary.size)
    return vocabulary.size - 1
  }
}

/** Calls `take` with the row and the number of each page; yields between steps of bounded work. */
function* stepwise(
  rows: readonly PostingsRow[],
  take: (row: PostingsRow, number: number) => void,
): Generator<null> {
  let taken = 0
  for (const [number, row] of rows.entries()) {
    take(row, number)
    taken += row.ids.length
    if (taken < HITS_A_STEP) continue
    taken = 0
    yield null
  }
}

/** @param vocabulary words by the ids in the rows. */
function* sortedPostings(
  vocabulary: readonly string[],
  rows: readonly PostingsRow[],
): Generator<null, Postings> {
  const words = vocabulary.toSorted()
  const ranks = new Map(words.map((word, rank) => [word, rank]))
  const rankOf = Uint32Array.from(vocabulary, (word) => ranks.get(word) ?? 0)
  const counts = new Uint32Array(words.length)
  yield* stepwise(rows, ({ ids }) => {
    for (const id of ids) increment(counts, rankOf[id] ?? 0)
  })
  /** For each word, where its hits end in `hits`. Starts as where they begin. */
  const ends = new Uint32Array(words.length)
  for (let rank = 1; rank < words.length; rank += 1)
    ends[rank] = (ends[rank - 1] ?? 0) + (counts[rank - 1] ?? 0)
  const hits = new Uint32Array(rows.reduce((sum, { ids }) => sum + ids.length, 0))
  yield* stepwise(rows, ({ ids, places }, number) => {
    for (let at = 0; at < ids.length; at += 1) {
      const rank = rankOf[ids[at] ?? 0] ?? 0
      hits[ends[rank] ?? 0] = hitAt(number, places[at] ?? 0)
      increment(ends, rank)
    }
  })
  let written = Buffer.alloc(0)

  return {
    words,
    count: (word) => counts[ranks.get(word) ?? -1] ?? 0,
    encoded(word) {
      const rank = ranks.get(word)
      if (rank === undefined) return ''
      const end = ends[rank] ?? 0
      const ofWord = hits.subarray(end - (counts[rank] ?? 0), end)
      const room = MOST_DIGITS * ofWord.length
      if (written.length < room) written = Buffer.alloc(2 * room)
      return written.toString('latin1', 0, writeHits(written, ofWord))
    },
  }
}

function increment(numbers: Uint32Array, index: number): void {
  numbers[index] = (numbers[index] ?? 0) + 1
}

/** What steps come to that nobody else has a turn between. */
export function ended<Result>(steps: Generator<unknown, Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
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
