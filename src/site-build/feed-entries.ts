import type { PageId } from '../domain/ids.ts'
import type { LiveCard, LiveFacts } from '../domain/live-page.ts'
import { newestEntryFirst } from '../domain/site-lines.ts'
import type { ClaimedRelease } from '../publish/decide/claimed-release.ts'
import { factsOf } from '../publish/pipeline/page-keys.ts'
import { FEED_LENGTH } from '../render/site-files/feeds.ts'

/*
 * The feeds name the newest articles, with all of their texts. A build renders and stores only their entries, and adds
 * the entry of an older article when a newer one was removed.
 */

/** A page with the date of its feed entry. ISO 8601 with the author's offset; null for a page without an entry. */
export interface FeedCandidate {
  readonly facts: Pick<LiveFacts, 'id' | 'translated'>
  readonly fed: string | null
}

/** Ids of the pages in the feeds of a site with these pages. */
export function inFeeds(pages: Iterable<FeedCandidate>): ReadonlySet<PageId> {
  return new Set(newestOf(pages, FEED_LENGTH))
}

/** Ids of the newest of the pages in each language that have an entry. */
export function newestOf(pages: Iterable<FeedCandidate>, limit: number): readonly PageId[] {
  const byLocale = new Map<string | undefined, FeedCandidate[]>()
  for (const page of pages) {
    if (page.fed === null) continue
    const locale = page.facts.translated?.locale
    const others = byLocale.get(locale)
    if (others === undefined) byLocale.set(locale, [page])
    else others.push(page)
  }
  return [...byLocale.values()].flatMap((candidates) => newestAmong(candidates, limit))
}

/** Newest first. */
function newestAmong(pages: readonly FeedCandidate[], limit: number): readonly PageId[] {
  // Most pages are older than the oldest of the newest so far, so not all pages are sorted.
  let newest: FeedCandidate[] = []
  let last: FeedCandidate | undefined
  for (const page of pages) {
    if (last !== undefined && newestFirst(last, page) < 0) continue
    newest.push(page)
    if (newest.length < 2 * limit) continue
    newest = newest.sort(newestFirst).slice(0, limit)
    last = newest.at(-1)
  }
  return newest
    .sort(newestFirst)
    .slice(0, limit)
    .map(({ facts }) => facts.id)
}

function newestFirst(a: FeedCandidate, b: FeedCandidate): number {
  return newestEntryFirst(
    { page: a.facts.id, published: a.fed ?? '' },
    { page: b.facts.id, published: b.fed ?? '' },
  )
}

/** @param now the publish time of a page that goes live for the first time. */
export function feedCandidate(
  { release: { snapshot }, firstPublishedAt }: ClaimedRelease,
  now: string,
): FeedCandidate {
  const { page, fields, site } = snapshot
  const isFed = page.type === 'article' && site.hostingMode !== 'data_mode'
  const { translated } = factsOf(snapshot)
  const facts = { id: page.id, ...(translated !== undefined && { translated }) }
  return { facts, fed: isFed ? (fields.publishDate ?? firstPublishedAt ?? now) : null }
}

/** The same for a page that goes live. */
export function feedDateOf({ type, isSealed, date }: LiveCard): FeedCandidate['fed'] {
  return type === 'article' && !isSealed ? date : null
}
