import { randomInt } from 'node:crypto'

/** Of a word without letters: another in each process, so that nobody can choose words that all meet in one place. */
export const NO_LETTERS = randomInt(2 ** 32)

/**
 * Of a word with one more letter.
 *
 * Source: FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv/.
 */
export function hashed(hash: number, letter: number): number {
  return Math.imul(hash ^ letter, 16_777_619)
}
