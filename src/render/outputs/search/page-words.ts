import { randomInt } from 'node:crypto'
import { wordsIn } from '../../../../templates/scripts/search/words.js'
import { type Text, writtenOf } from './text.ts'

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

/** Counts the words of a page: those that `wordsIn` finds, as often as they stand there. */
export interface PageWords {
  /** @returns how many words the text has. */
  read(text: Text, rank: number, section: number): number
  /** Each once, in the order in which they were read. */
  readonly seen: readonly SeenWord[]
  /** The same ones as they are written, with a space between two. */
  written(): string
}

interface Seen extends SeenWord {
  times: number
  readonly hash: number
  /** Where it is written. */
  readonly start: number
  readonly end: number
  /** Another word of the same place in the table. */
  readonly next: Seen | undefined
}

const SPACE = 32
/** Where ASCII ends. */
const PLAIN = 128
/** Of a word in ASCII by its code: the letter without case, or the digit; 0 for all that parts words. */
const LETTERS = Uint8Array.from({ length: PLAIN }, (_, code) => {
  const letter = String.fromCharCode(code).toLowerCase()
  return /[a-z0-9]/.test(letter) ? letter.charCodeAt(0) : 0
})

/** Another in each process, so that no page can be written whose words all meet in one place. */
const SEED = randomInt(2 ** 32)
/** A power of two. */
const TABLE = 4_096
const USUAL_BYTES = 8_192

/**
 * Most text is ASCII, where words need nothing but to be told from what parts them: each is written behind
 * those that were seen, and stays there if it is none of them. All else `wordsIn` reads.
 */
export function createPageWords(): PageWords {
  const table: (Seen | undefined)[] = new Array(TABLE).fill(undefined)
  const seen: Seen[] = []
  let bytes = Buffer.allocUnsafe(USUAL_BYTES)
  /** Where the next word is written; there is always room for one. */
  let start = 0
  let left = MOST_WORDS

  return {
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

    seen,
    written: () => bytes.toString('utf8', 0, Math.max(0, start - 1)),
  }

  function readStretch(text: Text, isPlain: boolean, rank: number, section: number): number {
    if (isPlain) return readPlain(text, rank, section)
    const words = wordsIn(writtenOf(text))
    for (const word of words) {
      const end = start + bytes.write(word, start)
      let hash = SEED
      for (let at = start; at < end; at += 1) hash = hashed(hash, bytes[at] ?? 0)
      note(hash, end, rank, section)
    }
    return words.length
  }

  function readPlain(text: Text, rank: number, section: number): number {
    let count = 0
    let length = 0
    let hash = SEED
    const end = text.length
    for (let at = 0; at <= end; at += 1) {
      const letter = at < end ? (LETTERS[text[at] ?? SPACE] ?? 0) : 0
      if (letter !== 0) {
        if (length < LONGEST) {
          hash = hashed(hash, letter)
          bytes[start + length] = letter
        }
        length += 1
      } else if (length > 0) {
        note(hash, start + Math.min(length, LONGEST), rank, section)
        count += 1
        length = 0
        hash = SEED
      }
    }
    return count
  }

  /** The word is written from `start` on. */
  function note(hash: number, end: number, rank: number, section: number): void {
    if (left <= 0) return
    left -= 1
    const place = (hash ^ (hash >>> 16)) & (TABLE - 1)
    const first = table[place]
    for (let other = first; other !== undefined; other = other.next) {
      if (other.hash === hash && isWritten(other, end)) {
        other.times += 1
        return
      }
    }
    if (seen.length === MOST_DIFFERENT) return
    const word: Seen = { rank, section, times: 1, hash, start, end, next: first }
    table[place] = word
    seen.push(word)
    bytes[end] = SPACE
    start = end + 1
    if (start + LONGEST_BYTES > bytes.length) bytes = Buffer.concat([bytes], 2 * bytes.length)
  }

  /** Whether the other word is that which is written from `start` on. */
  function isWritten(other: Seen, end: number): boolean {
    if (other.end - other.start !== end - start) return false
    for (let at = start, there = other.start; at < end; at += 1, there += 1) {
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

/** Source: FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv/. */
function hashed(hash: number, code: number): number {
  return Math.imul(hash ^ code, 16_777_619)
}
