import { blogOf } from './blog.ts'
import { newestFirst } from './collection.ts'
import type { LiveCard, Snapshot } from './live-page.ts'
import type { TypeFields } from './page.ts'
import { pathFolder, publicPath } from './route.ts'

/** Articles per numbered page of a listing. */
export const PAGE_SLOTS = 12

/**
 * One page of the listing of a folder. Each live article of its blog is on exactly one.
 */
export interface ListingPage {
  /** E.g. `blog`; empty for the top of the site. */
  readonly folder: string
  /** Numbered pages start at 1 with the oldest articles; null is the front page, with the newest. */
  readonly number: number | null
  readonly path: string
  /** Newest first. */
  readonly articles: readonly LiveCard[]
  /** Paths of the adjacent pages. */
  readonly newer: string | null
  readonly older: string | null
}

/** The folder whose listing contains an article: the path of its blog. Null for a page without a blog (see `blog.ts`). */
export function listingFolder({
  page,
  fields,
  settings,
}: Pick<Snapshot, 'page' | 'settings'> & { readonly fields: Pick<TypeFields, 'blog'> }): string | null {
  const blog = blogOf(page, fields.blog)
  return blog === null ? null : publicPath({ subroute: blog, slug: 'index' }, settings.siteRoutes).slice(1)
}

/** @param number null for the front page. */
export function listingPath(folder: string, number: number | null): string {
  const segments = [...(folder === '' ? [] : [folder]), ...(number === null ? [] : ['page', number])]
  return `/${segments.join('/')}`
}

export function listingKey(path: string): string {
  return `${pathFolder(path)}index.html`
}

/** Folders that may have a listing page at this key. */
export function foldersAt(key: string): readonly string[] {
  const folder = /^(?:(.+)\/)?index\.html$/.exec(key)?.[1] ?? (key === 'index.html' ? '' : null)
  if (folder === null) return []
  const above = /^(?:(.+)\/)?page\/\d+$/.exec(folder)
  return above === null ? [folder] : [folder, above[1] ?? '']
}

/**
 * Lays out the listing of a folder, the front page first. An article has a permanent slot, and each numbered page a
 * range of slots, so that a new article changes the front page and at most the newest numbered page. A page without
 * live articles does not exist. The front page holds the newest full range and the incomplete one after it, or the
 * newest articles when there are fewer.
 *
 * @param given number of slots that the folder has assigned.
 * @param cards the live articles of the folder, each with its slot.
 */
export function layOutListing(
  folder: string,
  given: number,
  cards: readonly LiveCard[],
): readonly ListingPage[] {
  const frontStart = Math.max(0, Math.ceil(given / PAGE_SLOTS) - 2) * PAGE_SLOTS
  const front: LiveCard[] = []
  const numbered = new Map<number, LiveCard[]>()
  for (const card of cards) {
    const slot = card.slot ?? 0
    const number = Math.floor(slot / PAGE_SLOTS) + 1
    const others = slot >= frontStart ? front : numbered.get(number)
    if (others === undefined) numbered.set(number, [card])
    else others.push(card)
  }
  const ranges: (readonly [number | null, readonly LiveCard[]])[] = [...numbered].sort(([a], [b]) => b - a)
  if (front.length > 0) ranges.unshift([null, front])
  const paths = ranges.map(([number], place) => listingPath(folder, place === 0 ? null : number))
  return ranges.map(([number, articles], place) => ({
    folder,
    number: place === 0 ? null : number,
    path: paths[place] ?? '',
    articles: articles.toSorted(newestFirst),
    newer: paths[place - 1] ?? null,
    older: paths[place + 1] ?? null,
  }))
}

/** Whether two versions of a listing page have the same articles and neighbours; ignores changed articles. */
export function isSameListing(a: ListingPage, b: ListingPage | undefined): boolean {
  return (
    b !== undefined &&
    a.newer === b.newer &&
    a.older === b.older &&
    a.articles.length === b.articles.length &&
    a.articles.every(({ id }, place) => id === b.articles[place]?.id)
  )
}
