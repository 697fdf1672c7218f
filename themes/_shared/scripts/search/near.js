// Spelling correction for a word that no page has.

// In short words every typing error makes another word. A number with another digit is another number.
const LEAST_LETTERS = 4
const LEAST_LETTERS_FOR_TWO = 8
// Fewer letters start too many unrelated words.
const LEAST_LETTERS_OF_START = 6
const DIGIT = /\p{N}/u

/** The most slips that are corrected in a word: added, missing, wrong or swapped letters. */
export function slipsAllowed(word) {
  if (word.length < LEAST_LETTERS || DIGIT.test(word)) return 0
  return word.length < LEAST_LETTERS_FOR_TWO ? 1 : 2
}

/**
 * The start of another word that is nearest to a word, by optimal string alignment distance; the longest if several
 * are equally near. A short word is compared with the whole other word.
 *
 * @param most the most slips.
 * @returns {{ slips: number, start: string } | null} null if every start needs more slips.
 */
export function nearestStart(word, other, most) {
  const isWhole = word.length < LEAST_LETTERS_OF_START
  const width = isWhole ? other.length : Math.min(other.length, word.length + most)
  if (Math.abs(width - word.length) > most) return null
  let before = []
  let last = Array.from({ length: width + 1 }, (_, at) => at)
  for (let row = 1; row <= word.length; row++) {
    const next = [row]
    for (let at = 1; at <= width; at++) {
      const isSame = word[row - 1] === other[at - 1]
      const isSwapped = word[row - 1] === other[at - 2] && word[row - 2] === other[at - 1]
      next[at] = Math.min(last[at] + 1, next[at - 1] + 1, last[at - 1] + (isSame ? 0 : 1))
      if (isSwapped) next[at] = Math.min(next[at], before[at - 2] + 1)
    }
    if (Math.min(...next) > most) return null
    before = last
    last = next
  }
  const slips = isWhole ? last[width] : Math.min(...last)
  return slips > most ? null : { slips, start: other.slice(0, last.lastIndexOf(slips)) }
}
