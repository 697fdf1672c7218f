import { wordsIn } from '../../../../templates/scripts/search/words.js'

/** Words of a page that are read, and different ones that are kept; what comes later is not found. */
const MOST_WORDS = 50_000
const MOST_DIFFERENT = 8_000

/** Letters that a word is cut to, as `wordsIn` does. */
const LONGEST = 32

/** A word that was read, with the place where it was read first. */
export interface SeenWord {
  readonly word: string
  readonly rank: number
  readonly section: number
  readonly times: number
}

/** Counts the words of a page: those that `wordsIn` finds, as often as they stand there. */
export interface PageWords {
  /** @returns how many words the text has. */
  read(text: string, rank: number, section: number): number
  /** Each once, in the order in which they were read. */
  readonly seen: readonly SeenWord[]
}

interface Seen {
  readonly word: string
  readonly rank: number
  readonly section: number
  times: number
  /** Another word of the same hash. */
  readonly next: Seen | undefined
}

const BEYOND_ASCII = /[^\0-\x7f]/
const SPACE = 32
/** Where ASCII ends. */
const PLAIN = 128

/**
 * Most text is ASCII, where words need nothing but to be told from what parts them: those are looked up
 * as they stand in the text, and only the first of each is made a string. All else `wordsIn` reads.
 */
export function createPageWords(): PageWords {
  const byHash = new Map<number, Seen>()
  const all: Seen[] = []
  let left = MOST_WORDS

  return {
    /** Cut at spaces, which fold to nothing else and with nothing else. */
    read(text, rank, section) {
      if (!BEYOND_ASCII.test(text)) return readPlain(text, rank, section)
      let count = 0
      let [start, piece, bits] = [0, 0, 0]
      let wasPlain = true
      for (let at = 0; at <= text.length; at += 1) {
        const code = at < text.length ? text.charCodeAt(at) : SPACE
        if (code > SPACE) {
          bits |= code
          continue
        }
        const isPlain = bits < PLAIN
        if (bits !== 0 && isPlain !== wasPlain) {
          count += readStretch(text.slice(start, piece), wasPlain, rank, section)
          start = piece
          wasPlain = isPlain
        }
        piece = at + 1
        bits = 0
      }
      return count + readStretch(text.slice(start), wasPlain, rank, section)
    },

    seen: all,
  }

  function readStretch(text: string, isPlain: boolean, rank: number, section: number): number {
    if (isPlain) return readPlain(text, rank, section)
    const words = wordsIn(text)
    for (const word of words) note(hashOf(word), word, 0, word.length, rank, section)
    return words.length
  }

  function readPlain(written: string, rank: number, section: number): number {
    const text = written.toLowerCase()
    let count = 0
    let length = 0
    let hash = 0
    for (let at = 0; at <= text.length; at += 1) {
      const code = at < text.length ? text.charCodeAt(at) : SPACE
      if (isOfWord(code)) {
        if (length < LONGEST) hash = hashed(hash, code)
        length += 1
      } else if (length > 0) {
        note(hash, text, at - length, Math.min(length, LONGEST), rank, section)
        count += 1
        length = 0
        hash = 0
      }
    }
    return count
  }

  /** The word stands in the text. */
  function note(
    hash: number,
    text: string,
    start: number,
    length: number,
    rank: number,
    section: number,
  ): void {
    if (left <= 0) return
    left -= 1
    const first = byHash.get(hash)
    for (let seen = first; seen !== undefined; seen = seen.next) {
      if (stands(seen.word, text, start, length)) {
        seen.times += 1
        return
      }
    }
    if (all.length === MOST_DIFFERENT) return
    const seen = { word: text.slice(start, start + length), rank, section, times: 1, next: first }
    byHash.set(hash, seen)
    all.push(seen)
  }
}

/** In ASCII without capitals. */
function isOfWord(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57)
}

function stands(word: string, text: string, start: number, length: number): boolean {
  if (word.length !== length) return false
  for (let at = 0; at < length; at += 1) {
    if (word.charCodeAt(at) !== text.charCodeAt(start + at)) return false
  }
  return true
}

/** Source: FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv/. */
function hashed(hash: number, code: number): number {
  return Math.imul(hash ^ code, 16_777_619)
}

function hashOf(word: string): number {
  let hash = 0
  for (let at = 0; at < word.length; at += 1) hash = hashed(hash, word.charCodeAt(at))
  return hash
}
