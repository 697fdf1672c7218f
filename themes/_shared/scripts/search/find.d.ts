export interface SearchHit {
  title: string
  path: string
  about: string
  /** Null where the page itself is what was found. */
  section: { heading: string; anchor: string } | null
}

export interface SearchResult {
  total: number
  /** What was looked for. */
  words: { word: string; start: boolean }[]
  /** Words that no page has, and what was looked for instead. */
  slips: { typed: string; meant: string }[]
  hits: SearchHit[]
}

/** @param load reads a file of the site; rejects when it is not there. */
export function createFinder(
  load: (name: string) => Promise<unknown>,
): (query: string, most: number) => Promise<SearchResult>
