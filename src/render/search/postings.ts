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
  /** Notes an entry, unless one of its path is noted already. @returns how many were noted before it. */
  note(entry: SearchEntry): number
  /**
   * Brings what was noted into order, in steps; the last one hands it over, and nothing is noted any more.
   *
   * @param pages what `recordTry` returned for each page, in the order of pages.
   */
  order(pages: readonly number[]): Generator<null, Postings>
}

/** Which pages have which words. */
export interface Postings {
  /** Sorted by code unit. */
  readonly words: readonly string[]
  /** Hits of a word. */
  count(word: string): number
  /**
   * For each hit of a word: how many pages it is after the one before, then section and rank. To be asked for
   * words in their order.
   */
  encoded(word: string): string
}

/** What is noted of an entry: the ids of its words, and their places. */
export interface PostingsRow {
  readonly ids: Uint32Array
  readonly places: Uint16Array
}

/** How much of what is noted is in memory. */
export interface PostingsRoom {
  /** Puts a row where it need not stay in memory. @returns what gives it again, until another one is asked for. */
  readonly keep: (row: PostingsRow) => () => PostingsRow
  /** Hits that are sorted at once, at the cost of going through all rows again for the next ones. */
  readonly hitsAtOnce: number
}

const ALL_IN_MEMORY: PostingsRoom = { keep: (row) => () => row, hitsAtOnce: Number.POSITIVE_INFINITY }

/**
 * A large site has millions of hits. So each is a number in a row of its page, and they are sorted by word in
 * the end, page after page: an array for each word would have every hit written to another place in memory,
 * which takes four times as long.
 */
export function createPostingsMaker({ keep, hitsAtOnce } = ALL_IN_MEMORY): PostingsMaker {
  /** Numbers of the words, in the order in which they are met first. */
  let vocabulary = new Map<string, number>()
  /** By their paths. */
  let numbers = new Map<string, number>()
  let rows: (() => PostingsRow)[] = []

  return {
    note(entry) {
      const before = numbers.get(entry.path)
      if (before !== undefined) return before
      rows.push(keep(rowOf(entry)))
      numbers.set(entry.path, rows.length - 1)
      return rows.length - 1
    },

    *order(pages) {
      const known = [...vocabulary.keys()]
      const wanted = pages.map(rowAt)
      vocabulary = new Map()
      numbers = new Map()
      rows = []
      const counts = new Uint32Array(known.length)
      yield* stepwise(wanted, ({ ids }) => {
        for (const id of ids) counts[id] = (counts[id] ?? 0) + 1
      })
      return yield* postingsOf(known, counts, wanted, hitsAtOnce)
    },
  }

  function rowOf(entry: SearchEntry): PostingsRow {
    const words = wordsOf(entry)
    return {
      ids: new Uint32Array(words.map(numberOf)),
      places: new Uint16Array(words.map((_, at) => placeAt(entry, at))),
    }
  }

  function numberOf(word: string): number {
    const known = vocabulary.get(word)
    if (known !== undefined) return known
    // A copy: V8 keeps the text that a word was cut from in memory with it.
    vocabulary.set(Buffer.from(word).toString(), vocabulary.size)
    return vocabulary.size - 1
  }

  function rowAt(page: number): () => PostingsRow {
    const row = rows[page]
    if (row === undefined) throw new RangeError(`No entry was noted as number ${page}.`)
    return row
  }
}

/** @param take is given the row of each page, and its number. */
function* stepwise(
  rows: readonly (() => PostingsRow)[],
  take: (row: PostingsRow, number: number) => void,
): Generator<null> {
  let taken = 0
  for (const [number, read] of rows.entries()) {
    const row = read()
    take(row, number)
    taken += row.ids.length
    if (taken < HITS_A_STEP) continue
    taken = 0
    yield null
  }
}

/** @param known words by their ids. @param counts of their hits. */
function* postingsOf(
  known: readonly string[],
  counts: Uint32Array,
  rows: readonly (() => PostingsRow)[],
  hitsAtOnce: number,
): Generator<null, Postings> {
  // A word may stand on pages alone that were noted and are not wanted.
  const words = known.filter((_, id) => counts[id] !== 0).sort()
  const ranks = new Map(words.map((word, rank) => [word, rank]))
  const rankOf = Uint32Array.from(known, (word) => ranks.get(word) ?? 0)
  const countAt = new Uint32Array(words.length)
  for (const [id, rank] of rankOf.entries()) countAt[rank] = (countAt[rank] ?? 0) + (counts[id] ?? 0)
  /** Hits of the words of some ranks, those of one word by page, and where those of each end. */
  let sorted = new Uint32Array(0)
  let ends = new Uint32Array(0)
  let first = 0
  let written = Buffer.alloc(0)
  yield* sortFrom(0)

  return {
    words,
    count: (word) => countAt[ranks.get(word) ?? -1] ?? 0,
    encoded(word) {
      const rank = ranks.get(word)
      if (rank === undefined) return ''
      if (rank < first || rank >= first + ends.length) ended(sortFrom(rank))
      const end = ends[rank - first] ?? 0
      const hits = sorted.subarray(end - (countAt[rank] ?? 0), end)
      const room = MOST_DIGITS * hits.length
      if (written.length < room) written = Buffer.alloc(2 * room)
      return written.toString('latin1', 0, writeHits(written, hits))
    },
  }

  /** Those of as many words as there is room for, of one at the least. */
  function* sortFrom(rank: number): Generator<null> {
    const starts: number[] = []
    let size = 0
    for (let next = rank; next < words.length; next += 1) {
      const count = countAt[next] ?? 0
      if (next > rank && size + count > hitsAtOnce) break
      starts.push(size)
      size += count
    }
    first = rank
    ends = Uint32Array.from(starts)
    if (sorted.length < size) sorted = new Uint32Array(size)
    yield* stepwise(rows, ({ ids, places }, number) => {
      for (let at = 0; at < ids.length; at += 1) {
        const place = (rankOf[ids[at] ?? 0] ?? 0) - rank
        if (place < 0 || place >= ends.length) continue
        const next = ends[place] ?? 0
        sorted[next] = hitAt(number, places[at] ?? 0)
        ends[place] = next + 1
      }
    })
  }
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
