import { newestFirst } from './collection.ts'
import { placesOf } from './listing.ts'
import type { LiveCard } from './live-page.ts'

/** The articles of a site by their listings. */
export interface ListedArticles {
  /** By the folder of each listing, of blogs and of tags. */
  readonly byFolder: ReadonlyMap<string, readonly LiveCard[]>
  /** By the folder of each blog. */
  readonly byBlog: ReadonlyMap<string, readonly LiveCard[]>
}

/** Cached by the array of cards, which is the same until an article changes. */
const grouped = new WeakMap<readonly LiveCard[], ListedArticles>()

/** @param cards cards of live pages. Those without a listing are ignored. */
export function listedArticles(cards: readonly LiveCard[]): ListedArticles {
  const known = grouped.get(cards)
  if (known !== undefined) return known
  const byFolder = new Map<string, LiveCard[]>()
  for (const card of cards) {
    for (const { folder } of placesOf(card)) {
      const others = byFolder.get(folder)
      if (others === undefined) byFolder.set(folder, [card])
      else others.push(card)
    }
  }
  const byBlog = new Map([...byFolder].filter(([folder, [card]]) => card?.folder === folder))
  const listed = { byFolder, byBlog }
  grouped.set(cards, listed)
  return listed
}

/** Cached by the array of a listing, because the pages of many articles show its order. */
const sorted = new WeakMap<readonly LiveCard[], readonly LiveCard[]>()

/** The articles of a listing in its order: the newest first. Empty for a folder without one. */
export function newestIn({ byFolder }: ListedArticles, folder: string): readonly LiveCard[] {
  const articles = byFolder.get(folder) ?? NONE
  const known = sorted.get(articles)
  if (known !== undefined) return known
  const newest = articles.toSorted(newestFirst)
  sorted.set(articles, newest)
  return newest
}

const NONE: readonly LiveCard[] = []
