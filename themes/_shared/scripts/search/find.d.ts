export interface SearchSection {
  heading: string
  anchor: string
}

export interface SearchHit {
  title: string
  path: string
  /** Titles of the pages and folders around it, from the top. */
  places: string[]
  about: string
  /** The section that matched best; null if the page as a whole matched. */
  section: SearchSection | null
  /** The sections that match, in the order of the page, `section` among them. */
  sections: SearchSection[]
}

export interface SearchResult {
  total: number
  /** The words that were searched for. */
  words: { word: string; start: boolean; stem?: (word: string) => string }[]
  /** Words that no page has, and the words that were searched for instead. */
  slips: { typed: string; meant: string }[]
  hits: SearchHit[]
}

export interface Reader {
  /** Of the page that the reader searches from. Pages in it come first. */
  language?: string
  /** Leaves out pages in other languages and versions, e.g. `de@2.0`. */
  scope?: string
  /** Returns the stem of a word in that language, written as in the index. */
  stem?: (word: string) => string
}

/** @param load loads a file of the site; rejects if it does not exist. */
export function createFinder(
  load: (name: string) => Promise<unknown>,
  reader?: Reader,
): (query: string, most: number) => Promise<SearchResult>
