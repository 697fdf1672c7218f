/** What the search index knows of a live page; prepared when it is published. */
export interface SearchEntry {
  readonly title: string
  readonly path: string
  /** What it is about, on one line. */
  readonly about: string
  /** Its sections in order, but for the one that starts the page. */
  readonly sections: readonly SearchSection[]
  /** Sorted by code unit, each once. */
  readonly words: readonly SearchWord[]
}

export interface SearchSection {
  readonly heading: string
  /** Id in the page's document. */
  readonly anchor: string
}

export interface SearchWord {
  readonly word: string
  /** How much the page is about it, from 0 to 7: up to 3 for its text, then for headings, then for the title. */
  readonly rank: number
  /** Where in the page it leads: 0 is the page itself, n the section `sections[n - 1]`. */
  readonly section: number
}
