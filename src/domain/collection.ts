import { compareDates } from './date.ts'
import type { PageId } from './ids.ts'
import type { ListedPage, LiveCard, LivePage } from './live-page.ts'
import { defaultLocale, type Locale } from './locale.ts'
import type { MediaSource } from './media.ts'
import { naturalOrder } from './natural-order.ts'
import type { PageType } from './page.ts'
import { tagAddress } from './tag.ts'

export const COLLECTION_SORTS = ['published_at', 'title', 'nav_order'] as const
export type CollectionSort = (typeof COLLECTION_SORTS)[number]

/** A query of a `posts` section: the live pages to show, and the parts of each. */
export interface CollectionQuery {
  /** Index of the section in `config.sections`. */
  readonly section: number
  readonly type: PageType
  /** The subroute of the pages; null for all. Articles below a subroute count as its own. */
  readonly subroute: string | null
  readonly sort: CollectionSort
  /** The last page of the order first. Absent where it is not. */
  readonly isReversed?: true
  /** Addresses of tags; pages with one of them are found. Absent for all pages, and in rows of older versions. */
  readonly tags?: readonly string[]
  /** Absent for all authors. As an address, so that spellings of a name are one author. */
  readonly author?: string
  /** The code of the language whose pages are found. Absent for all pages, and for those of the default language. */
  readonly locale?: string
  /** The subroute of that language. Decides about pages that were published before the site had languages. */
  readonly localeRoot?: string
  /** For the default language: codes of the others. Pages of none of them are found, as `feedLocale` decides. */
  readonly otherLocales?: readonly string[]
  /** The subroutes of those languages. */
  readonly otherRoots?: readonly string[]
  readonly limit: number
  readonly shows: readonly ShownPart[]
  /** Includes sealed pages, which have no HTML: only readers of a sealed page can open them. */
  readonly ofSealed: boolean
}

/** Headings that a list of pages may have, by the dates of its pages. */
export const GROUPINGS = ['year', 'month'] as const
export type Grouping = (typeof GROUPINGS)[number]

export const SHOWN_PARTS = ['excerpt', 'date', 'author', 'image'] as const
export type ShownPart = (typeof SHOWN_PARTS)[number]

/**
 * Evaluates a query: the pages in its order, with only the parts that it shows.
 *
 * @param cards cards of the live pages; those of other types are ignored.
 * @param self the page with the section, which never lists itself.
 */
export function collect(
  cards: readonly LiveCard[],
  query: CollectionQuery,
  self: PageId,
): readonly ListedPage[] {
  return matchingCards(cards, query)
    .slice(0, query.limit + 1)
    .filter(({ id }) => id !== self)
    .slice(0, query.limit)
    .map((card) => toListedPage(card, query.shows))
}

/** Cache of sorted cards per site, because many pages have the same query. */
const sortedCards = new WeakMap<readonly LiveCard[], Map<string, readonly LiveCard[]>>()

function matchingCards(cards: readonly LiveCard[], query: CollectionQuery): readonly LiveCard[] {
  const { type, subroute, sort, ofSealed, isReversed, tags, author } = query
  const { locale, localeRoot, otherLocales, otherRoots } = query
  const filters = [isReversed, tags, author, locale, localeRoot, otherLocales, otherRoots]
  const queryKey = JSON.stringify([type, subroute, sort, ofSealed, ...filters])
  const known = sortedCards.get(cards) ?? new Map<string, readonly LiveCard[]>()
  sortedCards.set(cards, known)
  const cached = known.get(queryKey)
  if (cached !== undefined) return cached
  const sorted = cards
    .filter((card) => card.type === type && (subroute === null || isIn(card, subroute)))
    .filter(({ isSealed }) => ofSealed || !isSealed)
    .filter((card) => hasTag(card, tags) && isBy(card, author) && isInLanguage(card, query))
    .sort(ORDERS[sort])
  if (isReversed) sorted.reverse()
  known.set(queryKey, sorted)
  return sorted
}

/** A blog has the articles of the folders below it too. */
function isIn(card: LiveCard, subroute: string): boolean {
  if (card.subroute === subroute) return true
  return card.type === 'article' && subroute !== '' && card.subroute.startsWith(`${subroute}/`)
}

function hasTag(card: LiveCard, tags: CollectionQuery['tags']): boolean {
  return tags === undefined || card.tags.some(({ address }) => tags.includes(address))
}

function isBy(card: LiveCard, author: CollectionQuery['author']): boolean {
  return author === undefined || (card.author !== null && tagAddress(card.author) === author)
}

type LanguageQuery = Pick<CollectionQuery, 'locale' | 'localeRoot' | 'otherLocales' | 'otherRoots'>

function isInLanguage({ locale, path }: LiveCard, query: LanguageQuery): boolean {
  if (query.otherLocales !== undefined)
    return locale === undefined
      ? !(query.otherRoots ?? []).some((root) => isBelow(path, root))
      : !query.otherLocales.includes(locale)
  if (query.locale === undefined) return true
  return locale === undefined ? isBelow(path, query.localeRoot ?? '') : query.locale === locale
}

/** @param root without slashes at its ends. Nothing is below the top of the site, which every language may use. */
function isBelow(path: string, root: string): boolean {
  return root !== '' && (path === `/${root}` || path.startsWith(`/${root}/`))
}

/** The part of a query that finds the pages of a language of the site. */
export function inLanguage({ code, subroute }: Locale, locales: readonly Locale[]): LanguageQuery {
  if (code !== defaultLocale(locales)?.code) return { locale: code, localeRoot: subroute }
  const others = locales.filter((other) => other.code !== code)
  return {
    otherLocales: others.map((other) => other.code),
    otherRoots: others.map((other) => other.subroute),
  }
}

/** Reduces a card to the parts that a list shows. */
export function toListedPage(
  { path, title, excerpt, date, author, image, media }: LiveCard,
  shows: readonly ShownPart[],
): ListedPage {
  return {
    path,
    title,
    excerpt: shows.includes('excerpt') ? excerpt : null,
    image: shows.includes('image') ? image : null,
    ...(media !== undefined && shows.includes('image') && { media }),
    date: shows.includes('date') ? date : null,
    author: shows.includes('author') ? author : null,
  }
}

/**
 * Returns the files that a page shows from the media store: its own, and in Data Mode the images of pages that it
 * lists, because no plain page shows these. Undefined for none.
 */
export function shownMedia({
  media,
  context,
}: Pick<LivePage, 'media'> & { readonly context: Pick<LivePage['context'], 'collections'> }):
  | MediaSource
  | undefined {
  const listed = [...context.collections.values()].flat().filter((page) => page.media !== undefined)
  return listed.length === 0 ? media : Object.assign({}, ...listed.map((page) => page.media), media)
}

type Order = (a: LiveCard, b: LiveCard) => number

/** Newest first; ties by title. */
export const newestFirst: Order = (a, b) => compareDates(b.date, a.date) || byTitle(a, b)

const ORDERS: Readonly<Record<CollectionSort, Order>> = {
  published_at: newestFirst,
  title: byTitle,
  nav_order: (a, b) => a.navOrder - b.navOrder || byTitle(a, b),
}

function byTitle(a: LiveCard, b: LiveCard): number {
  return naturalOrder(a.title, b.title) || (a.id < b.id ? -1 : 1)
}
