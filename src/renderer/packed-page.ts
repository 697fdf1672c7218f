import type { SearchEntry } from '../domain/search-entry.ts'
import type { RenderedPage } from '../render/render-page.ts'

/** A rendered page as it goes from one thread or process to another, and as thousands of them lie beside each other. */
export interface PackedPage extends Omit<RenderedPage, 'search'> {
  readonly search: PackedEntry | null
}

interface PackedEntry extends Omit<SearchEntry, 'words' | 'places'> {
  /** With spaces between them; a word has none. */
  readonly words: string
  readonly places: Uint16Array | readonly number[]
}

export function packPage<Page extends RenderedPage>({ search, ...rest }: Page) {
  return { ...rest, search: search && packEntry(search) }
}

/** As plain JSON, but for its artifacts. */
export function packPageAsJson<Page extends RenderedPage>({ search, ...rest }: Page) {
  return { ...rest, search: search && { ...search, words: joined(search.words) } }
}

export function unpackPage<Page extends PackedPage>({ search, ...rest }: Page) {
  return { ...rest, search: search && unpackEntry(search) }
}

function packEntry({ words, places, ...shown }: SearchEntry): PackedEntry {
  const row = new Uint16Array(places.length)
  for (let at = 0; at < row.length; at += 1) row[at] = places[at] ?? 0
  return { ...shown, words: joined(words), places: row }
}

function joined(words: readonly string[]): string {
  return words.join(' ')
}

/** Its words are told apart whenever they are asked for: hundreds of texts a page, and one until then. */
function unpackEntry({ words, places, ...shown }: PackedEntry): SearchEntry {
  return {
    ...shown,
    get words() {
      return words === '' ? [] : words.split(' ')
    },
    get places() {
      return [...places]
    },
  }
}
