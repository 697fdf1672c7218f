// Finds other forms of a word by its stem: `deploying` has the stem of `deploy`.

// The stem of a shorter word says too little about it, and a shorter start is that of too many words.
const LEAST_LETTERS_OF_STEM = 3
const WORD = /^\p{L}+$/u

/**
 * The start that all forms of a word have, which may be shorter than its stem: `queries` has the stem `queri`, and
 * `query` is a form of it.
 *
 * @param stem returns the stem of a word; absent for a language without word forms.
 * @returns the word itself if it has no forms.
 */
export function formsStart(word, stem) {
  if (!hasForms(word, stem)) return word
  const other = stem(word)
  let same = 0
  while (same < other.length && other[same] === word[same]) same++
  const length = Math.max(LEAST_LETTERS_OF_STEM, Math.min(same, other.length - 1))
  return length < word.length ? word.slice(0, length) : word
}

/** Whether two words have the same stem. */
export function isForm(found, word, stem) {
  return hasForms(word, stem) && WORD.test(found) && stem(found) === stem(word)
}

function hasForms(word, stem) {
  return stem !== undefined && word.length >= LEAST_LETTERS_OF_STEM && WORD.test(word)
}
