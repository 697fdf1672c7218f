/** The search data of a live page; prepared when the page is published. */
export interface SearchEntry {
  readonly title: string
  readonly path: string
  /** A language tag, followed by `@` and the name of a version of the site. Empty in entries of earlier versions. */
  readonly language: string
  /** A summary on one line. */
  readonly about: string
  /** The sections in order, without the text before the first heading. */
  readonly sections: readonly SearchSection[]
  /**
   * Distinct words in reading order, joined by spaces. One string, because a large site has millions of words and an
   * array of them would take ten times the memory.
   */
  readonly words: string
  /** The `searchPlace` of each word, as one character each. */
  readonly places: string
}

export interface SearchSection {
  readonly heading: string
  /** Id in the page's document. */
  readonly anchor: string
}

/** Number of ranks. */
const RANKS = 8

/**
 * Packs the section and the rank of a word into one number, because a large site has millions of them.
 *
 * @param section 0 is the page itself, n the section `sections[n - 1]`.
 * @param rank from 0 to 7: up to 3 for its text, then for headings, then for the title.
 */
export function searchPlace(section: number, rank: number): number {
  return section * RANKS + rank
}

/** Character code of place 0. */
const FIRST_CHARACTER = '#'.charCodeAt(0)

/** The code of the character that stands for a place. */
export function characterOf(place: number): number {
  return FIRST_CHARACTER + place
}

export function wordsOf({ words }: Pick<SearchEntry, 'words'>): readonly string[] {
  return words === '' ? [] : words.split(' ')
}

/** The place of the word with this index. */
export function placeAt({ places }: Pick<SearchEntry, 'places'>, at: number): number {
  return places.charCodeAt(at) - FIRST_CHARACTER
}

/** The words with their places. */
export function placedWords(
  entry: Pick<SearchEntry, 'words' | 'places'>,
): readonly (readonly [word: string, place: number])[] {
  return wordsOf(entry).map((word, at) => [word, placeAt(entry, at)])
}
