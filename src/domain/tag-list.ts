import type { CardTag, LiveCard } from './live-page.ts'
import { fileInLocale, type Locale, localeAt } from './locale.ts'

/** A tag with the number of its articles in one blog. */
export interface TagCount {
  readonly name: string
  /** Path of its listing. */
  readonly path: string
  readonly count: number
}

/** The generated page of the tags of a blog, or of all blogs of the site in one language. */
export interface TagIndex {
  readonly path: string
  /** Each with at least one tag. */
  readonly blogs: readonly BlogTags[]
}

export interface BlogTags {
  /** The folder of the blog. */
  readonly folder: string
  /** By their addresses. */
  readonly tags: readonly TagCount[]
}

/** The folder of the tag index of the whole site, of the default language where it has several. */
export const SITE_TAGS = 'tags'

/** Tags that the list of a blog offers as a filter: about one line on a wide screen. */
const COMMON_TAGS = 12

/** The folder of the listing of a tag. @param blog the folder of its blog. */
export function tagFolder(blog: string, address: string): string {
  return `${tagsFolder(blog)}/${address}`
}

/** The folder of the tag index of a blog. */
export function tagsFolder(blog: string): string {
  return blog === '' ? SITE_TAGS : `${blog}/tags`
}

/**
 * Returns the folder of the tag index of all blogs in a blog's language: `tags`, or `fr/tags` for a non-default one.
 */
export function siteTagsFolder(blog: string, locales: readonly Locale[]): string {
  const locale = localeAt(`/${blog}`, locales)
  return locale === null ? SITE_TAGS : fileInLocale(SITE_TAGS, locale, locales)
}

/** Reports whether the folder is that of the tag index of all blogs in a language. */
export function isSiteTags(folder: string, locales: readonly Locale[]): boolean {
  return folder === SITE_TAGS || locales.some((locale) => fileInLocale(SITE_TAGS, locale, locales) === folder)
}

/** Reports whether the folder is that of the listing of a tag, if articles have it. */
export function isTagFolder(folder: string): boolean {
  return /(?:^|\/)tags\/[^/]+$/.test(folder)
}

/** The name of the tag whose listing has this folder: the spelling that most of its articles have. */
export function tagName(cards: readonly LiveCard[], folder: string): string {
  const address = folder.slice(folder.lastIndexOf('/') + 1)
  const tags = cards.flatMap((card) => card.tags.find((tag) => tag.address === address) ?? [])
  return mostCommonName(tags)
}

/**
 * The tags that most articles of a blog have, at most `COMMON_TAGS`, the most frequent first.
 *
 * @param cards as of `tagsOf`.
 */
export function commonTags(cards: readonly LiveCard[]): readonly TagCount[] {
  return tagsOf(cards)
    .toSorted((a, b) => b.count - a.count)
    .slice(0, COMMON_TAGS)
}

/**
 * The tag index of a folder; null if it has no tags.
 *
 * @param blogs the articles of each blog, by its folder.
 */
export function tagIndex(
  folder: string,
  blogs: ReadonlyMap<string, readonly LiveCard[]>,
  locales: readonly Locale[],
): TagIndex | null {
  const listed = [...blogs].filter(
    ([blog]) => siteTagsFolder(blog, locales) === folder || tagsFolder(blog) === folder,
  )
  const tagged = listed
    .map(([blog, cards]): BlogTags => ({ folder: blog, tags: tagsOf(cards) }))
    .filter(({ tags }) => tags.length > 0)
    .sort((a, b) => byCodeUnit(a.folder, b.folder))
  return tagged.length === 0 ? null : { path: `/${folder}`, blogs: tagged }
}

/** Cached by the array of a blog's articles (see `listed-articles.ts`). */
const cached = new WeakMap<readonly LiveCard[], readonly TagCount[]>()

/** The tags of the articles of one blog, by their addresses. @param cards the same array until an article changes. */
function tagsOf(cards: readonly LiveCard[]): readonly TagCount[] {
  const known = cached.get(cards)
  if (known !== undefined) return known
  const byAddress = new Map<string, CardTag[]>()
  for (const { tags } of cards) {
    for (const tag of tags) {
      const same = byAddress.get(tag.address)
      if (same === undefined) byAddress.set(tag.address, [tag])
      else same.push(tag)
    }
  }
  const blog = cards[0]?.folder ?? ''
  const counts = [...byAddress]
    .sort(([a], [b]) => byCodeUnit(a, b))
    .map(([address, tags]) => ({
      name: mostCommonName(tags),
      path: `/${tagFolder(blog, address)}`,
      count: tags.length,
    }))
  cached.set(cards, counts)
  return counts
}

/** Ties by code unit. */
function mostCommonName(tags: readonly CardTag[]): string {
  const counts = new Map<string, number>()
  for (const { name } of tags) counts.set(name, (counts.get(name) ?? 0) + 1)
  const [first] = [...counts].sort(([a, m], [b, n]) => n - m || byCodeUnit(a, b))
  return first?.[0] ?? ''
}

function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
