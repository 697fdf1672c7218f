import { compareDates } from './date.ts'

/**
 * The lines about a live page in the site's own files, prepared when the page was published, so that the files can be
 * assembled without rendering pages. Null: the file does not list the page.
 */
export interface SiteLines {
  /** For `_index.json`. */
  readonly line: string
  /** For `sitemap.xml`. */
  readonly sitemap: string | null
  /** For `llms.txt`. */
  readonly llms: string | null
}

/** Comparator for feed entries: newest first, ties by id. */
export function newestEntryFirst(
  a: Pick<FeedEntry, 'id' | 'published'>,
  b: Pick<FeedEntry, 'id' | 'published'>,
): number {
  const order = compareDates(b.published, a.published)
  if (order !== 0) return order
  return a.id < b.id ? -1 : 1
}

/** Key of the Atom feed of the site. */
export const SITE_FEED = 'feed.xml'

/** A sound or a film of an article, which feeds offer as a download. */
export interface Enclosure {
  /** Relative to the site. */
  readonly key: string
  readonly type: string
  readonly bytes: number
}

/** An article in the feeds. */
export interface FeedEntry {
  /** Stable for as long as the article exists; renames do not change it. */
  readonly id: string
  /** The code of its locale; absent on a site without locales. */
  readonly locale?: string
  readonly url: string
  readonly title: string
  readonly summary: string
  /** The whole text with absolute links; null when it is too long. */
  readonly html: string | null
  readonly author: string | null
  readonly image: string | null
  /** Absent for none. */
  readonly enclosures?: readonly Enclosure[]
  /** ISO 8601 with the author's offset, and so is `updated`. */
  readonly published: string
  readonly updated: string
}
