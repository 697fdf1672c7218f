import { blogOf } from './blog.ts'
import { newestFirst } from './collection.ts'
import type { LiveCard } from './live-page.ts'
import type { Locale } from './locale.ts'
import type { Page, TypeFields } from './page.ts'
import { pathFault, pathFolder, publicPath } from './route.ts'
import type { Settings } from './settings.ts'
import { authorFolder } from './site-author.ts'
import { tagAddress } from './tag.ts'
import { commonTags, type TagCount, tagFolder, tagName } from './tag-list.ts'

/** Articles per numbered page of a listing. */
export const PAGE_SLOTS = 12

/**
 * One page of the listing of a blog, or of one of its tags or authors. Each live article of it is on exactly one.
 */
export interface ListingPage {
  /** E.g. `blog`, or `blog/tags/trains` for a tag; empty for the top of the site. */
  readonly folder: string
  /** The folder of the blog. */
  readonly blog: string
  /** The name of the tag; null for the listing of the blog. */
  readonly tag: string | null
  /** The name of the author; absent for the listing of a blog or a tag. */
  readonly author?: string
  /** The list of a blog whose articles are entries of a changelog: they are shown in full. Absent for others. */
  readonly isChangelog?: true
  /** The key of its own feed, on the first page of the list of a tag, an author or a changelog; null for none. */
  readonly feed: string | null
  /** On the front page of a blog, the tags that most of its articles have. */
  readonly tags: readonly TagCount[]
  /** Numbered pages start at 1 with the oldest articles; null is the front page, with the newest. */
  readonly number: number | null
  readonly path: string
  /** Newest first. */
  readonly articles: readonly LiveCard[]
  /** Paths of the adjacent pages. */
  readonly newer: string | null
  readonly older: string | null
}

/** The fields that decide the listings of a page. */
interface Listed<Field extends keyof TypeFields> {
  readonly page: Pick<Page, 'type' | 'subroute' | 'slug'>
  readonly fields: Pick<TypeFields, Field>
  readonly settings: Pick<Settings, 'siteRoutes'>
}

/**
 * Returns the folder of the listing of an article: the path of its blog. Null for a page without a blog (see
 * `blog.ts`).
 */
export function listingFolder({ page, fields, settings }: Listed<'blog'>): string | null {
  const blog = blogOf(page, fields.blog)
  return blog === null ? null : publicPath({ subroute: blog, slug: 'index' }, settings.siteRoutes).slice(1)
}

/** A list of an article whose path is too long. */
export interface ListFault {
  /** The field of the article that gives it the list. */
  readonly field: 'tags' | 'author'
  /** Why no store can hold the list, and what to do about it. */
  readonly message: string
}

/** The first listing of one of the page's tags, or of its author, that no store can hold; null if one can hold all. */
export function listFault(page: Listed<'blog' | 'tags' | 'author'>): ListFault | null {
  const folder = listingFolder(page)
  if (folder === null) return null
  const author = page.fields.author?.address
  const lists = [
    ...page.fields.tags.map((name) => ({
      field: 'tags' as const,
      folder: tagFolder(folder, tagAddress(name)),
      advice: 'Shorten the tag or the subroute of its blog.',
    })),
    ...(author === undefined
      ? []
      : [
          {
            field: 'author' as const,
            folder: authorFolder(folder, author),
            advice: 'Shorten the short name of the author or the subroute of the blog.',
          },
        ]),
  ]
  return (
    lists.flatMap(({ field, folder, advice }) => {
      const message = pathFault(listingPath(folder, null), advice)
      return message === null ? [] : [{ field, message }]
    })[0] ?? null
  )
}

/** @param number null for the front page. */
export function listingPath(folder: string, number: number | null): string {
  const segments = [...(folder === '' ? [] : [folder]), ...(number === null ? [] : ['page', number])]
  return `/${segments.join('/')}`
}

export function listingKey(path: string): string {
  return `${pathFolder(path)}index.html`
}

/** An article in a listing: its card with the folder of the listing, and its permanent position. */
interface Place {
  readonly folder: string
  readonly slot: number | null
}

/** Returns the listings of an article: of its blog, then of its tags and of its author. */
export function placesOf({
  folder,
  slot,
  tags,
  byline,
}: Pick<LiveCard, 'folder' | 'slot' | 'tags' | 'byline'>): readonly Place[] {
  if (folder === null) return []
  const ofTags = tags.map((tag) => ({ folder: tagFolder(folder, tag.address), slot: tag.slot }))
  const ofAuthor =
    byline === undefined ? [] : [{ folder: authorFolder(folder, byline.address), slot: byline.slot }]
  return [{ folder, slot }, ...ofTags, ...ofAuthor]
}

/** The card with the slots of its listings. @param slotIn is called with each folder of `placesOf`. */
export function withSlots(card: LiveCard, slotIn: (folder: string) => number): LiveCard {
  const { folder, tags, byline } = card
  if (folder === null) return card
  return {
    ...card,
    slot: slotIn(folder),
    tags: tags.map((tag) => ({ ...tag, slot: slotIn(tagFolder(folder, tag.address)) })),
    ...(byline !== undefined && {
      byline: { ...byline, slot: slotIn(authorFolder(folder, byline.address)) },
    }),
  }
}

/** Folders that may have a listing page at this key. */
export function foldersAt(key: string): readonly string[] {
  const feed = /^(.+)\/feed\.xml$/.exec(key)
  if (feed !== null) return [feed[1] ?? '']
  const folder = /^(?:(.+)\/)?index\.html$/.exec(key)?.[1] ?? (key === 'index.html' ? '' : null)
  if (folder === null) return []
  const above = /^(?:(.+)\/)?page\/\d+$/.exec(folder)
  return above === null ? [folder] : [folder, above[1] ?? '']
}

/**
 * Lays out a listing, the front page first. An article has a permanent slot, and each numbered page a
 * range of slots, so that a new article changes the front page and at most the newest numbered page. A page without
 * live articles does not exist. The front page holds the newest full range and the incomplete one after it, or the
 * newest articles when there are fewer.
 *
 * @param given number of slots that the folder has assigned.
 * @param cards the live articles of the listing, each with its slots.
 * @param locales of the site. The folder of a language has the feed of that language.
 */
export function layOutListing(
  folder: string,
  given: number,
  cards: readonly LiveCard[],
  locales: readonly Locale[] = [],
): readonly ListingPage[] {
  const blog = cards[0]?.folder ?? folder
  const byline = cards[0]?.byline
  const isOfAuthor = byline !== undefined && folder === authorFolder(blog, byline.address)
  const tag = blog === folder || isOfAuthor ? null : tagName(cards, folder)
  const isChangelog = blog === folder && cards.some(({ entry }) => entry !== undefined)
  const hasFeed = blog !== folder || (isChangelog && !hasSiteFeed(folder, locales))
  const frontStart = Math.max(0, Math.ceil(given / PAGE_SLOTS) - 2) * PAGE_SLOTS
  const front: LiveCard[] = []
  const numbered = new Map<number, LiveCard[]>()
  for (const card of cards) {
    const slot = placesOf(card).find((place) => place.folder === folder)?.slot ?? 0
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
    blog,
    tag,
    ...(isOfAuthor && { author: byline.name }),
    ...(isChangelog && { isChangelog }),
    feed: place === 0 && hasFeed ? `${folder}/feed.xml` : null,
    tags: place === 0 && blog === folder ? commonTags(cards) : [],
    number: place === 0 ? null : number,
    path: paths[place] ?? '',
    articles: articles.toSorted(newestFirst),
    newer: paths[place - 1] ?? null,
    older: paths[place + 1] ?? null,
  }))
}

/** Reports whether the feed of the site, or of a language, is in the folder. */
function hasSiteFeed(folder: string, locales: readonly Locale[]): boolean {
  return folder === '' || locales.some(({ subroute }) => subroute === folder)
}

/** Reports whether two versions of a listing page have the same articles and neighbours; ignores changed articles. */
export function isSameListing(a: ListingPage, b: ListingPage | undefined): boolean {
  return (
    b !== undefined &&
    a.newer === b.newer &&
    a.older === b.older &&
    a.tag === b.tag &&
    a.author === b.author &&
    a.isChangelog === b.isChangelog &&
    a.feed === b.feed &&
    isSameTags(a.tags, b.tags) &&
    a.articles.length === b.articles.length &&
    a.articles.every(({ id }, place) => id === b.articles[place]?.id)
  )
}

/** Without their numbers, which would change the front page with many an article. */
function isSameTags(a: readonly TagCount[], b: readonly TagCount[]): boolean {
  return a.length === b.length && a.every(({ name, path }, at) => name === b[at]?.name && path === b[at].path)
}
