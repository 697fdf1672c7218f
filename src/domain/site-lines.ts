/**
 * What the site's own files say of a live page, prepared when it was published, so that they are put
 * together without rendering it again. Null where they are silent about it.
 */
export interface SiteLines {
  /** Of `_index.json`. */
  readonly line: string
  /** Of `sitemap.xml`. */
  readonly sitemap: string | null
  /** Of `llms.txt`. */
  readonly llms: string | null
}

/** Sorts feed entries: the newest first, and entries of the same time by id. */
export function newestEntryFirst(
  a: Pick<FeedEntry, 'id' | 'published'>,
  b: Pick<FeedEntry, 'id' | 'published'>,
): number {
  if (a.published !== b.published) return a.published < b.published ? 1 : -1
  return a.id < b.id ? -1 : 1
}

/** An article as the feeds tell of it. */
export interface FeedEntry {
  /** The same for as long as the article exists, whatever it is called. */
  readonly id: string
  readonly url: string
  readonly title: string
  readonly summary: string
  /** The whole text, every link absolute; null for one that is too long. */
  readonly html: string | null
  readonly author: string | null
  readonly image: string | null
  /** ISO 8601 UTC. */
  readonly published: string
  readonly updated: string
}
