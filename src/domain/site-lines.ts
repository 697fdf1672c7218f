import { compareDates } from './date.ts'
import type { PageId } from './ids.ts'

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

/** Comparator for the entries of pages in feeds: newest first, ties by the id of the page. */
export function newestEntryFirst(
  a: { readonly page: PageId; readonly published: string },
  b: { readonly page: PageId; readonly published: string },
): number {
  const order = compareDates(b.published, a.published)
  if (order !== 0) return order
  return a.page < b.page ? -1 : 1
}

/** Key of the Atom feed of the site. */
export const SITE_FEED = 'feed.xml'

/** A sound or a video of an article, which feeds offer as a download. */
export interface Enclosure {
  /** Relative to the site. */
  readonly key: string
  readonly type: string
  readonly bytes: number
}

/** An article in the feeds. */
export interface FeedEntry {
  /** It never changes; see `feed-id.ts`. */
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
