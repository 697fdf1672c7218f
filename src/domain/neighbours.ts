import { newestFirst, SHOWN_PARTS, toListedPage } from './collection.ts'
import type { PageId } from './ids.ts'
import { listedArticles, newestIn } from './listed-articles.ts'
import type { LiveCard, Neighbours } from './live-page.ts'
import { partsWith, seriesOf } from './series-parts.ts'
import { tagFolder } from './tag-list.ts'

const RELATED = 3
/** Newest articles of each tag to compare, so that the cost for an article does not grow with its blog. */
const CANDIDATES = 50

/**
 * Returns the articles linked at the end of an article: the next and the previous one in the order of its blog's list,
 * those with most tags in common, then the newest, and the parts of its series. Null for a page in no blog, and if
 * there are none.
 *
 * @param cards cards of the live articles, among them that of the article if it is live.
 */
export function neighboursOf(cards: readonly LiveCard[], self: LiveCard): Neighbours | null {
  const { folder } = self
  if (folder === null) return null
  const { newer, older } = adjacentTo(cards, self)
  const related = relatedTo(cards, self, folder)
  const series = seriesOf(cards, self)
  if (newer === undefined && older === undefined && related.length === 0 && series === null) return null
  return {
    newer: newer === undefined ? null : { title: newer.title, path: newer.path },
    older: older === undefined ? null : { title: older.title, path: older.path },
    related: related.map((card) => toListedPage(card, SHOWN_PARTS)),
    ...(series !== null && { series }),
  }
}

/** Returns `neighboursOf` for a live page; null for one without a card. */
export function neighboursOfLive(cards: readonly LiveCard[], id: PageId): Neighbours | null {
  const self = cards.find((card) => card.id === id)
  return self === undefined ? null : neighboursOf(cards, self)
}

interface Adjacent {
  readonly newer: LiveCard | undefined
  readonly older: LiveCard | undefined
}

/** The next and the previous article of its blog. @param cards as of `neighboursOf`. */
function adjacentTo(cards: readonly LiveCard[], self: LiveCard): Adjacent {
  const articles = self.folder === null ? [] : newestIn(listedArticles(cards), self.folder)
  const place = placeOf(articles, self)
  // The version that is live may be next to the place of an edited one.
  const isSelf = (at: number) => articles[at]?.id === self.id
  return {
    newer: articles[isSelf(place - 1) ? place - 2 : place - 1],
    older: articles[isSelf(place) ? place + 1 : place],
  }
}

/** The number of articles that are newer than this one, by binary search. */
function placeOf(articles: readonly LiveCard[], self: LiveCard): number {
  let [low, high] = [0, articles.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const card = articles[middle]
    if (card !== undefined && newestFirst(card, self) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** Returns the articles with other neighbours after a change of articles, without the changed ones. */
export function withOtherNeighbours(
  before: readonly LiveCard[],
  after: readonly LiveCard[],
  changed: ReadonlySet<PageId>,
): ReadonlySet<PageId> {
  const isOther = (card: LiveCard) =>
    JSON.stringify(neighboursOf(before, card)) !== JSON.stringify(neighboursOf(after, card))
  const reached = [before, after].flatMap((cards) => reachedFrom(cards, changed))
  return new Set([...new Set(reached)].filter(isOther).map(({ id }) => id))
}

/** Returns the articles next to these, and others with a common tag or series; no other article links to these. */
function reachedFrom(cards: readonly LiveCard[], ids: ReadonlySet<PageId>): readonly LiveCard[] {
  const listed = listedArticles(cards)
  const reached = new Set<LiveCard>()
  for (const card of cards) {
    const { folder } = card
    if (folder === null || !ids.has(card.id)) continue
    const { newer, older } = adjacentTo(cards, card)
    if (newer !== undefined) reached.add(newer)
    if (older !== undefined) reached.add(older)
    if (card.series !== undefined) for (const other of partsWith(cards, card)) reached.add(other)
    for (const { address } of card.tags)
      for (const other of listed.byFolder.get(tagFolder(folder, address)) ?? []) reached.add(other)
  }
  return [...reached].filter(({ id }) => !ids.has(id))
}

function relatedTo(cards: readonly LiveCard[], self: LiveCard, folder: string): readonly LiveCard[] {
  const listed = listedArticles(cards)
  const own = new Set(self.tags.map(({ address }) => address))
  const candidates = new Set<LiveCard>()
  for (const address of own)
    for (const card of newestIn(listed, tagFolder(folder, address)).slice(0, CANDIDATES))
      if (card.id !== self.id) candidates.add(card)
  const shared = ({ tags }: LiveCard) => tags.filter(({ address }) => own.has(address)).length
  return [...candidates]
    .map((card) => ({ card, count: shared(card) }))
    .sort((a, b) => b.count - a.count || newestFirst(a.card, b.card))
    .slice(0, RELATED)
    .map(({ card }) => card)
}
