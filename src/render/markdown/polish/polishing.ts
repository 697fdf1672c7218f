import GithubSlugger from 'github-slugger'
import type { Element, ElementContent } from 'hast'
import type { UrlKind } from '../../../domain/author-url.ts'
import type { Heading } from '../../../theme/view.ts'

export interface PolishOptions {
  /**
   * The URL to print for one the author wrote; null drops the link or the image, but not its text.
   * Links to a place on the same page (`#install`) are not asked for.
   */
  readonly href: (url: string, kind: UrlKind) => string | null
  /**
   * Title of the page, printed elsewhere as its `h1`: a first heading that repeats it goes, and
   * every other `h1` becomes an `h2`. Give an empty text where there is no such title. Without
   * this option headings stay as they are.
   */
  readonly title?: string
  /** Ids that headings must not take, because the layout around the body has them. */
  readonly reservedIds?: readonly string[]
  /** Put before every id, where several bodies stand on one page. */
  readonly idPrefix?: string
}

/** What is known so far of the tree being polished. */
export interface Polishing {
  readonly options: PolishOptions
  readonly slugger: GithubSlugger
  /** Every id given so far, without the prefix of the options. */
  readonly ids: Set<string>
  readonly headings: Heading[]
  readonly droppedUrls: string[]
  /** Links within the page, pointed at their places when all ids are known. */
  readonly fragmentLinks: Element[]
  tables: number
}

/** What takes the place of an element whose children are polished already. */
export type Rewrite = (element: Element, polishing: Polishing) => readonly ElementContent[]

export function startPolishing(options: PolishOptions): Polishing {
  const slugger = new GithubSlugger()
  for (const id of options.reservedIds ?? []) slugger.slug(id)
  return { options, slugger, ids: new Set(), headings: [], droppedUrls: [], fragmentLinks: [], tables: 0 }
}

export function prefixedId(id: string, { options }: Polishing): string {
  return `${options.idPrefix ?? ''}${id}`
}
