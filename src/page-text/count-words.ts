/**
 * Runs of the scripts that are written without spaces between words; no longer than this, because
 * cutting one into words takes quadratic time.
 */
const SPACELESS =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]{1,400}/gu

/** What stands between spaces, from its first letter or digit on. */
const WORD = /[\p{L}\p{N}]\S*/gu
const BEYOND_ASCII = /\P{ASCII}/u

/** Made when it is first needed, which takes some milliseconds and is seldom. */
let segmenter: Intl.Segmenter | null = null

/**
 * The number of words in a plain text: what stands between spaces and has a letter or a digit, and
 * what a dictionary takes for a word in the scripts that have no spaces.
 */
export function countWords(text: string): number {
  if (!BEYOND_ASCII.test(text)) return spacedWords(text)
  let count = 0
  const spaced = text.replace(SPACELESS, (run) => {
    count += countSegments(run)
    return ' '
  })
  return count + spacedWords(spaced)
}

function spacedWords(text: string): number {
  return text.match(WORD)?.length ?? 0
}

function countSegments(run: string): number {
  // Those scripts are cut by their own dictionaries, whatever the locale; a fixed one keeps every machine alike.
  segmenter ??= new Intl.Segmenter('en', { granularity: 'word' })
  let count = 0
  for (const { isWordLike } of segmenter.segment(run)) if (isWordLike) count += 1
  return count
}
