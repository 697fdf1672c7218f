export interface SearchHit {
  title: string
  path: string
  about: string
  /** Null if the page as a whole matched. */
  section: { heading: string; anchor: string } | null
}

export interface SearchResult {
  total: number
  /** The words that were searched for. */
  words: { word: string; start: boolean }[]
  /** Words that no page has, and the words that were searched for instead. */
  slips: { typed: string; meant: string }[]
  hits: SearchHit[]
}

/** @param load loads a file of the site; rejects if it does not exist. */
export function createFinder(
  load: (name: string) => Promise<unknown>,
): (query: string, most: number) => Promise<SearchResult>
