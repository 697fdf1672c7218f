import type { PageWarning } from '../../domain/diagnostic.ts'
import type { LivePageRow } from '../../publish/ledger/live-state.ts'
import type { ContentLink } from '../../render/page/rendering.ts'
import type { BuiltPage } from './built-page.ts'

/** The results of rendering a page besides its files. Plain JSON. */
export interface PageExtract extends Pick<LivePageRow, 'search' | 'anchors'> {
  /** Warnings of rendering. Dead links are not among them: they depend on other pages. */
  readonly warnings: readonly PageWarning[]
  /** Links in its content. */
  readonly links: readonly ContentLink[]
}

/**
 * JSON, then after tabs the words for search and their positions. Those are most of the text, few readers need them,
 * and neither has tabs or line ends.
 */
export function extractText({ search, anchors, warnings, links }: PageExtract): string {
  const wordless = search && { ...search, words: '', places: '' }
  const extract: PageExtract = { search: wordless, anchors, warnings, links }
  return `${JSON.stringify(extract)}\t${search?.words ?? ''}\t${search?.places ?? ''}`
}

function parseExtract(text: string): PageExtract {
  const [json = '', words = '', places = ''] = text.split('\t')
  const extract: PageExtract = JSON.parse(json)
  return extract.search === null ? extract : { ...extract, search: { ...extract.search, words, places } }
}

export function extractOf(page: Pick<BuiltPage, 'extractText'>): PageExtract {
  return parseExtract(page.extractText())
}

/**
 * The text of an extract, stored as bytes outside V8's heap: as objects on it, the extracts of 4,000 pages add 50 MB to
 * the peak memory of a build.
 */
export function packedExtract(extract: PageExtract): () => string {
  const bytes = Buffer.from(extractText(extract))
  return () => bytes.toString()
}
