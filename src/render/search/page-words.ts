import { namesIn, wordsIn } from '../../../themes/_shared/scripts/search/words.js'

/** Words of a page that are read. Later ones are not indexed. */
const MAX_WORDS = 50_000
/** Different words of a page that are indexed. */
const MAX_DISTINCT_WORDS = 8_000
/** Characters after which `wordsIn` cuts a word. */
const MAX_WORD_LENGTH = 32

/** The first position of a word in a page, and the number of its occurrences. */
export interface WordOccurrences {
  readonly rank: number
  readonly section: number
  times: number
}

/** Counts the words of one page. */
export interface PageWords {
  /** @returns how many words the text has. */
  read(text: string, rank: number, section: number): number
  /** By word, in the order in which the words occur first. */
  readonly occurrences: ReadonlyMap<string, WordOccurrences>
}

export function createPageWords(): PageWords {
  const occurrences = new Map<string, WordOccurrences>()
  let remaining = MAX_WORDS

  return {
    occurrences,
    read(text, rank, section) {
      let count = 0
      // Line by line, so that one accent does not make all of a long text take the slow way.
      for (const line of text.split('\n')) {
        const words = isAscii(line) ? asciiWordsIn(line) : wordsIn(line)
        count += words.length
        for (const word of words) add(word, rank, section)
      }
      return count
    },
  }

  function add(word: string, rank: number, section: number): void {
    if (remaining === 0) return
    remaining -= 1
    const known = occurrences.get(word)
    if (known !== undefined) known.times += 1
    else if (occurrences.size < MAX_DISTINCT_WORDS) occurrences.set(word, { rank, section, times: 1 })
  }
}

function isAscii(text: string): boolean {
  return !/[^\0-\x7f]/.test(text)
}

/** Returns what `wordsIn` does, in a third of the time. Most text is ASCII. */
function asciiWordsIn(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? []
  const short = words.map((word) => word.slice(0, MAX_WORD_LENGTH))
  return text.includes('_') ? [...short, ...namesIn(text)] : short
}
