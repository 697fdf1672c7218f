import { SHOWN_PARTS, toListedPage } from './collection.ts'
import { compareDates } from './date.ts'
import type { PageId } from './ids.ts'
import type { LiveCard, Neighbours } from './live-page.ts'
import { tagFolder } from './tag-list.ts'

const RELATED = 3
/** The newest articles of each tag that are compared, so that the cost for an article does not grow with its blog. */
const CANDIDATES = 50

/**
 * The articles that an article leads to at its end: the next and the previous one of its blog, by date, then address, and
 * those that share most tags with it, then the newest. Null for a page in no blog, and if there are none.
 *
 * @param cards cards of the live articles, among them that of the article if it is live.
 */
export function neighboursOf(cards: readonly LiveCard[], self: LiveCard): Neighbours | null {
  const { folder } = self
  if (folder === null) return null
  const { newer, older } = adjacentTo(cards, self)
  const related = relatedTo(self, folder, ordered(cards).byFolder)
  if (newer === undefined && older === undefined && related.length === 0) return null
  return {
    newer: newer === undefined ? null : { title: newer.title, path: newer.path },
    older: older === undefined ? null : { title: older.title, path: older.path },
    related: related.map((card) => toListedPage(card, SHOWN_PARTS)),
  }
}

interface Adjacent {
  readonly newer: LiveCard | undefined
  readonly older: LiveCard | undefined
}

/** The next and the previous article of its blog. @param cards as of `neighboursOf`. */
function adjacentTo(cards: readonly LiveCard[], self: LiveCard): Adjacent {
  const { byFolder, places } = ordered(cards)
  const articles = self.folder === null ? [] : (byFolder.get(self.folder) ?? [])
  const place = places.get(self)
  if (place !== undefined) return { newer: articles[place - 1], older: articles[place + 1] }
  return {
    newer: articles.findLast((card) => isNewer(card, self)),
    older: articles.find((card) => card.id !== self.id && !isNewer(card, self)),
  }
}

/** The articles that have other neighbours after a change of articles, without those that changed. */
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

/** The articles next to these, and those that share a tag with one of them; others lead to none of them. */
function reachedFrom(cards: readonly LiveCard[], ids: ReadonlySet<PageId>): readonly LiveCard[] {
  const { byFolder } = ordered(cards)
  const reached = new Set<LiveCard>()
  for (const card of cards) {
    const { folder } = card
    if (folder === null || !ids.has(card.id)) continue
    const { newer, older } = adjacentTo(cards, card)
    if (newer !== undefined) reached.add(newer)
    if (older !== undefined) reached.add(older)
    for (const { address } of card.tags)
      for (const other of byFolder.get(tagFolder(folder, address)) ?? []) reached.add(other)
  }
  return [...reached].filter(({ id }) => !ids.has(id))
}

function relatedTo(
  self: LiveCard,
  folder: string,
  byFolder: ReadonlyMap<string, readonly LiveCard[]>,
): readonly LiveCard[] {
  const own = new Set(self.tags.map(({ address }) => address))
  const candidates = new Set<LiveCard>()
  for (const address of own)
    for (const card of (byFolder.get(tagFolder(folder, address)) ?? []).slice(0, CANDIDATES))
      if (card.id !== self.id) candidates.add(card)
  const shared = ({ tags }: LiveCard) => tags.filter(({ address }) => own.has(address)).length
  return [...candidates]
    .map((card) => ({ card, count: shared(card) }))
    .sort((a, b) => b.count - a.count || newestFirst(a.card, b.card))
    .slice(0, RELATED)
    .map(({ card }) => card)
}

interface Ordered {
  /** Articles of each blog and of each tag, the newest first. */
  readonly byFolder: ReadonlyMap<string, readonly LiveCard[]>
  /** Places of the articles in their blogs. */
  readonly places: ReadonlyMap<LiveCard, number>
}

/** Cached by the array of cards, which is the same until an article changes. */
const cached = new WeakMap<readonly LiveCard[], Ordered>()

function ordered(cards: readonly LiveCard[]): Ordered {
  const known = cached.get(cards)
  if (known !== undefined) return known
  const byFolder = new Map<string, LiveCard[]>()
  const places = new Map<LiveCard, number>()
  const add = (folder: string, card: LiveCard): number => {
    const others = byFolder.get(folder)
    if (others !== undefined) return others.push(card) - 1
    byFolder.set(folder, [card])
    return 0
  }
  for (const card of [...cards].sort(newestFirst)) {
    if (card.folder === null) continue
    places.set(card, add(card.folder, card))
    for (const { address } of card.tags) add(tagFolder(card.folder, address), card)
  }
  const result = { byFolder, places }
  cached.set(cards, result)
  return result
}

function isNewer(card: LiveCard, self: LiveCard): boolean {
  return card.id !== self.id && newestFirst(card, self) < 0
}

/** Ties by address. */
function newestFirst(a: LiveCard, b: LiveCard): number {
  return compareDates(b.date, a.date) || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)
}
