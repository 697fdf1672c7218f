/**
 * Runs of the scripts that are written without spaces between words; no longer than this, because
 * cutting one into words takes quadratic time.
 */
const SPACELESS =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]{1,400}/gu

const IN_WORDS = /[\p{L}\p{N}]/u

// Those scripts are cut by their own dictionaries, whatever the locale; a fixed one keeps every machine alike.
const segmenter = new Intl.Segmenter('en', { granularity: 'word' })

/**
 * The number of words in a plain text: what stands between spaces and has a letter or a digit, and
 * what a dictionary takes for a word in the scripts that have no spaces.
 */
export function countWords(text: string): number {
  let count = 0
  const spaced = text.replace(SPACELESS, (run) => {
    count += countSegments(run)
    return ' '
  })
  for (const word of spaced.split(/\s+/)) if (IN_WORDS.test(word)) count += 1
  return count
}

function countSegments(run: string): number {
  let count = 0
  for (const { isWordLike } of segmenter.segment(run)) if (isWordLike) count += 1
  return count
}
