import type { PageId } from './ids.ts'
import type { ListedPage, LiveCard } from './live-page.ts'
import type { PageType } from './page.ts'

export const COLLECTION_SORTS = ['published_at', 'title', 'nav_order'] as const
export type CollectionSort = (typeof COLLECTION_SORTS)[number]

/** Which live pages a `posts` section shows, and what of each. */
export interface CollectionQuery {
  /** Place of the section in `config.sections`. */
  readonly section: number
  readonly type: PageType
  /** Null: pages of any subroute. */
  readonly subroute: string | null
  readonly sort: CollectionSort
  readonly limit: number
  readonly shows: readonly ShownPart[]
  /** Sealed pages have no HTML, so that only the reader of a sealed page gets to them. */
  readonly ofSealed: boolean
}

export const SHOWN_PARTS = ['excerpt', 'date', 'author', 'image'] as const
export type ShownPart = (typeof SHOWN_PARTS)[number]

/**
 * The pages that a query finds, in its order, with what it shows of each and nothing more.
 *
 * @param cards of the live pages of its type; others do no harm.
 * @param self the page that asks, which never lists itself.
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

/** Many pages ask the same of a site, so what was sorted once is remembered with it. */
const sortedCards = new WeakMap<readonly LiveCard[], Map<string, readonly LiveCard[]>>()

function matchingCards(cards: readonly LiveCard[], query: CollectionQuery): readonly LiveCard[] {
  const { type, subroute, sort, ofSealed } = query
  const asked = JSON.stringify([type, subroute, sort, ofSealed])
  const known = sortedCards.get(cards) ?? new Map<string, readonly LiveCard[]>()
  sortedCards.set(cards, known)
  const before = known.get(asked)
  if (before !== undefined) return before
  const sorted = cards
    .filter((card) => card.type === type && (subroute === null || card.subroute === subroute))
    .filter(({ isSealed }) => ofSealed || !isSealed)
    .sort(ORDERS[sort])
  known.set(asked, sorted)
  return sorted
}

/** What a list shows of a page. */
export function toListedPage(
  { path, title, excerpt, date, author, image }: LiveCard,
  shows: readonly ShownPart[],
): ListedPage {
  return {
    path,
    title,
    excerpt: shows.includes('excerpt') ? excerpt : null,
    image: shows.includes('image') ? image : null,
    date: shows.includes('date') ? date : null,
    author: shows.includes('author') ? author : null,
  }
}

/** Made when it is first needed: that takes longer than a page does. */
let titles: Intl.Collator | null = null

type Order = (a: LiveCard, b: LiveCard) => number

/** The newest first; of the same moment by title. */
export const newestFirst: Order = (a, b) => (a.date === b.date ? byTitle(a, b) : a.date < b.date ? 1 : -1)

const ORDERS: Readonly<Record<CollectionSort, Order>> = {
  published_at: newestFirst,
  title: byTitle,
  nav_order: (a, b) => a.navOrder - b.navOrder || byTitle(a, b),
}

function byTitle(a: LiveCard, b: LiveCard): number {
  // The same whatever language the machine speaks.
  titles ??= new Intl.Collator('en', { numeric: true })
  return titles.compare(a.title, b.title) || (a.id < b.id ? -1 : 1)
}
