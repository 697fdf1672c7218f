import { wordsIn } from '../../../themes/_shared/scripts/search/words.js'
import { type Text, writtenOf } from './text.ts'
import { hashed, NO_LETTERS } from './word-hash.ts'

/** Words of a page that are read, and different ones that are kept; what comes later is not found. */
const MOST_WORDS = 50_000
const MOST_DIFFERENT = 8_000

/** Letters that a word is cut to, as `wordsIn` does. */
const LONGEST = 32
/** Bytes of one with the space behind it. */
const LONGEST_BYTES = 4 * LONGEST + 1

/** A word that was read, with the place where it was read first. */
export interface SeenWord {
  readonly rank: number
  readonly section: number
  readonly times: number
}

/** Counts the words of one page after the other: those that `wordsIn` finds, as often as they stand there. */
export interface PageWords {
  /** Forgets the words of the page before. */
  begin(): void
  /** @returns how many words the text has. */
  read(text: Text, rank: number, section: number): number
  /** How many different ones there are by now. */
  seen(): number
  /** What `value` makes of each, once, in the order in which they were read; each a code unit. */
  map(value: (word: SeenWord) => number): Text
  /** The same ones as they are written, with a space between two. */
  written(): string
}

const SPACE = 32
/** Where ASCII ends. */
const PLAIN = 128
/** Of a word in ASCII by its code: the letter without case, or the digit; 0 for all that parts words. */
const LETTERS = Uint8Array.from({ length: PLAIN }, (_, code) => {
  const letter = String.fromCharCode(code).toLowerCase()
  return /[a-z0-9]/.test(letter) ? letter.charCodeAt(0) : 0
})

/** @param code undefined where the text ends. */
function letterOf(code: number | undefined): number {
  return code === undefined ? 0 : (LETTERS[code] ?? 0)
}

/** A power of two. */
const TABLE = 4_096

/**
 * Most text is ASCII, where words need nothing but to be told from what parts them: each is written behind
 * those that were seen, and stays there if it is none of them. All else `wordsIn` reads.
 *
 * What it counts in is kept from page to page: with memory of its own each takes nearly half as long again.
 */
export function createPageWords(): PageWords {
  /** The last word of all that meet in a place, by its number from 1 on; 0 for none. */
  const table = new Uint16Array(TABLE)
  const hashes = new Int32Array(MOST_DIFFERENT)
  const times = new Uint16Array(MOST_DIFFERENT)
  const ranks = new Uint8Array(MOST_DIFFERENT)
  const sections = new Uint8Array(MOST_DIFFERENT)
  /** The word before it in the same place. */
  const others = new Uint16Array(MOST_DIFFERENT)
  /** Where each is written, and where the next word will be; there is always room for one. */
  const starts = new Uint32Array(MOST_DIFFERENT + 1)
  const bytes = Buffer.allocUnsafeSlow((MOST_DIFFERENT + 1) * LONGEST_BYTES)
  let seen = 0
  let start = 0
  let left = MOST_WORDS

  return {
    begin() {
      table.fill(0)
      seen = 0
      start = 0
      left = MOST_WORDS
    },

    /** Cut at spaces, which fold to nothing else and with nothing else. */
    read(text, rank, section) {
      if (isPlainText(text)) return readPlain(text, rank, section)
      let count = 0
      let [from, piece, bits] = [0, 0, 0]
      let wasPlain = true
      for (let at = 0; at <= text.length; at += 1) {
        const code = at < text.length ? (text[at] ?? SPACE) : SPACE
        if (code > SPACE) {
          bits |= code
          continue
        }
        const isPlain = bits < PLAIN
        if (bits !== 0 && isPlain !== wasPlain) {
          count += readStretch(text.subarray(from, piece), wasPlain, rank, section)
          from = piece
          wasPlain = isPlain
        }
        piece = at + 1
        bits = 0
      }
      return count + readStretch(text.subarray(from), wasPlain, rank, section)
    },

    seen: () => seen,

    map(value) {
      const values = new Uint16Array(seen)
      for (let at = 0; at < seen; at += 1)
        values[at] = value({ rank: ranks[at] ?? 0, section: sections[at] ?? 0, times: times[at] ?? 0 })
      return values
    },

    written: () => bytes.toString('utf8', 0, Math.max(0, start - 1)),
  }

  function readStretch(text: Text, isPlain: boolean, rank: number, section: number): number {
    if (isPlain) return readPlain(text, rank, section)
    const words = wordsIn(writtenOf(text))
    for (const word of words) {
      const end = start + bytes.write(word, start)
      let hash = NO_LETTERS
      for (let at = start; at < end; at += 1) hash = hashed(hash, bytes[at] ?? 0)
      note(hash, end, rank, section)
    }
    return words.length
  }

  function readPlain(text: Text, rank: number, section: number): number {
    let count = 0
    for (let at = 0; at < text.length; at += 1) {
      let letter = letterOf(text[at])
      if (letter === 0) continue
      let hash = NO_LETTERS
      let end = start
      const most = start + LONGEST
      for (; letter !== 0; letter = letterOf(text[at])) {
        if (end < most) {
          hash = hashed(hash, letter)
          bytes[end] = letter
          end += 1
        }
        at += 1
      }
      note(hash, end, rank, section)
      count += 1
    }
    return count
  }

  /** The word is written from `start` on. */
  function note(hash: number, end: number, rank: number, section: number): void {
    if (left <= 0) return
    left -= 1
    const place = (hash ^ (hash >>> 16)) & (TABLE - 1)
    const first = table[place] ?? 0
    for (let other = first; other !== 0; other = others[other - 1] ?? 0) {
      if (hashes[other - 1] === hash && isWritten(other - 1, end)) {
        times[other - 1] = (times[other - 1] ?? 0) + 1
        return
      }
    }
    if (seen === MOST_DIFFERENT) return
    hashes[seen] = hash
    times[seen] = 1
    ranks[seen] = rank
    sections[seen] = section
    others[seen] = first
    seen += 1
    table[place] = seen
    bytes[end] = SPACE
    start = end + 1
    starts[seen] = start
  }

  /** Whether that word is the one which is written from `start` on. */
  function isWritten(word: number, end: number): boolean {
    const from = starts[word] ?? 0
    if ((starts[word + 1] ?? 0) - 1 - from !== end - start) return false
    for (let at = start, there = from; at < end; at += 1, there += 1) {
      if (bytes[at] !== bytes[there]) return false
    }
    return true
  }
}

function isPlainText(text: Text): boolean {
  let bits = 0
  for (let at = 0; at < text.length; at += 1) bits |= text[at] ?? 0
  return bits < PLAIN
}
