/**
 * Runs of scripts that do not separate words with spaces. Marks of any script are not part of them. Their length is
 * limited, because segmenting takes quadratic time.
 */
const SPACELESS =
  /(?:(?!\p{Script=Inherited})[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]){1,400}/gu

/** Text between spaces, from its first letter or digit on. */
const WORD = /[\p{L}\p{N}]\S*/gu
const BEYOND_ASCII = /\P{ASCII}/u

/** Created on first use, which takes some milliseconds. */
let segmenter: Intl.Segmenter | null = null

/**
 * Counts words: text between spaces with a letter or digit and, in scripts without spaces, the words of the dictionary
 * of `Intl.Segmenter`.
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
  // These scripts are segmented by their own dictionaries whatever the locale. A fixed locale gives the same
  // count on every machine.
  segmenter ??= new Intl.Segmenter('en', { granularity: 'word' })
  let count = 0
  for (const { isWordLike } of segmenter.segment(run)) if (isWordLike) count += 1
  return count
}
