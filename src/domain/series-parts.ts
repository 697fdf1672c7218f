import { compareDates } from './date.ts'
import type { LiveCard, SeriesParts } from './live-page.ts'

/** Maximum of shown parts of a series, so that the size of an article does not grow without end. */
const MAX_PARTS = 100

/**
 * The parts of the series of an article: those with an `order` first, the others by date, the oldest first. Null for
 * an article in no series, for the only part of one, and for a part after the last one that is shown.
 *
 * @param cards cards of the live articles, among them that of the article if it is live.
 */
export function seriesOf(cards: readonly LiveCard[], self: LiveCard): SeriesParts | null {
  if (self.series === undefined) return null
  const live = partsWith(cards, self)
  const isLive = live.includes(self)
  const parts = isLive ? live : [...live.filter(({ id }) => id !== self.id), self].sort(inOrder)
  const shown = parts.slice(0, MAX_PARTS)
  const index = shown.indexOf(self)
  if (index < 0 || shown.length < 2) return null
  return { name: self.series.name, parts: shown.map(({ title, path }) => ({ title, path })), index }
}

/** Cached by the array of cards, because each part shows all others. */
const grouped = new WeakMap<readonly LiveCard[], ReadonlyMap<string, readonly LiveCard[]>>()

/** The live articles of the series that a card is in, in their order, at most `MAX_PARTS`. */
export function partsWith(cards: readonly LiveCard[], card: LiveCard): readonly LiveCard[] {
  const known = grouped.get(cards) ?? groupedParts(cards)
  grouped.set(cards, known)
  return known.get(keyOf(card)) ?? []
}

function groupedParts(cards: readonly LiveCard[]): ReadonlyMap<string, readonly LiveCard[]> {
  const bySeries = new Map<string, LiveCard[]>()
  for (const card of cards) {
    if (card.series === undefined || card.folder === null) continue
    const parts = bySeries.get(keyOf(card))
    if (parts === undefined) bySeries.set(keyOf(card), [card])
    else parts.push(card)
  }
  return new Map([...bySeries].map(([key, parts]) => [key, parts.sort(inOrder).slice(0, MAX_PARTS)]))
}

/** Blogs in several languages may have a series of the same name each. */
function keyOf({ folder, series }: LiveCard): string {
  return `${folder}\n${series?.address}`
}

function inOrder(a: LiveCard, b: LiveCard): number {
  const place = ({ series }: LiveCard) => series?.order ?? Number.MAX_SAFE_INTEGER
  return place(a) - place(b) || compareDates(a.date, b.date) || (a.id < b.id ? -1 : 1)
}
