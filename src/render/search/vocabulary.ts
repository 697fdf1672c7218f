import { writtenOf } from './text.ts'
import { hashed, NO_LETTERS } from './word-hash.ts'

/** Gives each different word a number, from 0 on, in the order in which they are met first. */
export interface Vocabulary {
  /**
   * @param words with a space between two.
   * @param count how many they are.
   */
  numbersOf(words: string, count: number): Uint32Array
  size(): number
  /** All of them, by their numbers. */
  words(): readonly string[]
}

const SPACE = 32
/** A power of two. */
const FEWEST_SLOTS = 4_096
const USUAL_LETTERS = 8
/** Slots that are looked at for a word. As few as half are taken: only words that were made to meet need more. */
const MOST_LOOKS = 32

/**
 * A site has millions of words, and few different ones. To cut each out of its text, for a `Map` to look it up,
 * takes half as long again, and more, as to compare its letters where they stand.
 */
export function createVocabulary(mostLooks = MOST_LOOKS): Vocabulary {
  /** Numbers from 1 on, each in the first free slot from that of its hash; 0 for none. */
  let slots = new Uint32Array(FEWEST_SLOTS)
  let hashes = new Int32Array(FEWEST_SLOTS)
  /** Where the letters of each start, and those of the next one will. */
  let starts = new Uint32Array(FEWEST_SLOTS + 1)
  let letters = new Uint16Array(FEWEST_SLOTS * USUAL_LETTERS)
  /** Words that found no slot. */
  let others = new Map<string, number>()
  let size = 0

  return {
    numbersOf(words, count) {
      const numbers = new Uint32Array(count)
      for (let from = 0, at = 0; at < count; at += 1) {
        let to = from
        let hash = NO_LETTERS
        for (; to < words.length; to += 1) {
          const letter = words.charCodeAt(to)
          if (letter === SPACE) break
          hash = hashed(hash, letter)
        }
        numbers[at] = numberOf(words, from, to, hash ^ (hash >>> 15))
        from = to + 1
      }
      return numbers
    },
    size: () => size,
    words: () => Array.from({ length: size }, (_, number) => wordAt(number)),
  }

  function numberOf(words: string, from: number, to: number, hash: number): number {
    for (let look = 0; look < mostLooks; look += 1) {
      const slot = (hash + look) & (slots.length - 1)
      const taken = slots[slot] ?? 0
      if (taken === 0) {
        slots[slot] = size + 1
        return added(words, from, to, hash)
      }
      if (hashes[taken - 1] === hash && isAt(taken - 1, words, from, to)) return taken - 1
    }
    const known = others.get(words.slice(from, to))
    if (known !== undefined) return known
    const number = added(words, from, to, hash)
    // Made anew: V8 keeps a piece of a text with all of the text.
    others.set(wordAt(number), number)
    return number
  }

  function isAt(number: number, words: string, from: number, to: number): boolean {
    const start = starts[number] ?? 0
    if ((starts[number + 1] ?? 0) - start !== to - from) return false
    for (let at = from, there = start; at < to; at += 1, there += 1) {
      if (letters[there] !== words.charCodeAt(at)) return false
    }
    return true
  }

  function added(words: string, from: number, to: number, hash: number): number {
    const number = size
    let end = starts[number] ?? 0
    if (end + to - from > letters.length) letters = filled(new Uint16Array(2 * (end + to - from)), letters)
    for (let at = from; at < to; at += 1, end += 1) letters[end] = words.charCodeAt(at)
    hashes[number] = hash
    starts[number + 1] = end
    size += 1
    if (2 * size > slots.length) grow()
    return number
  }

  function grow(): void {
    slots = new Uint32Array(2 * slots.length)
    hashes = filled(new Int32Array(slots.length), hashes)
    starts = filled(new Uint32Array(slots.length + 1), starts)
    others = new Map()
    for (let number = 0; number < size; number += 1) {
      if (!findSlot(number)) others.set(wordAt(number), number)
    }
  }

  function findSlot(number: number): boolean {
    for (let look = 0; look < mostLooks; look += 1) {
      const slot = ((hashes[number] ?? 0) + look) & (slots.length - 1)
      if (slots[slot] !== 0) continue
      slots[slot] = number + 1
      return true
    }
    return false
  }

  function wordAt(number: number): string {
    return writtenOf(letters.subarray(starts[number], starts[number + 1]))
  }
}

/** @param from shorter. */
function filled<Numbers extends Uint16Array | Uint32Array | Int32Array>(
  into: Numbers,
  from: Numbers,
): Numbers {
  into.set(from)
  return into
}
