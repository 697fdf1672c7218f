/** What the search index knows of a live page; prepared when it is published. */
export interface SearchEntry {
  readonly title: string
  readonly path: string
  /** What it is about, on one line. */
  readonly about: string
  /** Its sections in order, but for the one that starts the page. */
  readonly sections: readonly SearchSection[]
  /**
   * Each once, in the order in which they are read, with a space between two; a word has none. A large site
   * has millions, which would take ten times the memory one by one.
   */
  readonly words: string
  /** For each of the words its `searchPlace`, as one character. */
  readonly places: string
}

export interface SearchSection {
  readonly heading: string
  /** Id in the page's document. */
  readonly anchor: string
}

/** Ranks there are. */
const RANKS = 8

/**
 * Where in the page a word leads, and how much the page is about it, as one number: a large site has
 * millions of them.
 *
 * @param section 0 is the page itself, n the section `sections[n - 1]`.
 * @param rank from 0 to 7: up to 3 for its text, then for headings, then for the title.
 */
export function searchPlace(section: number, rank: number): number {
  return section * RANKS + rank
}

/** Of the place 0. */
const FIRST_CHARACTER = '#'.charCodeAt(0)

/** The code of the character that stands for a place. */
export function characterOf(place: number): number {
  return FIRST_CHARACTER + place
}

export function wordsOf({ words }: Pick<SearchEntry, 'words'>): readonly string[] {
  return words === '' ? [] : words.split(' ')
}

/** Of the word at that place among all. */
export function placeAt({ places }: Pick<SearchEntry, 'places'>, at: number): number {
  return places.charCodeAt(at) - FIRST_CHARACTER
}

/** The words with their places. */
export function placedWords(
  entry: Pick<SearchEntry, 'words' | 'places'>,
): readonly (readonly [word: string, place: number])[] {
  return wordsOf(entry).map((word, at) => [word, placeAt(entry, at)])
}
