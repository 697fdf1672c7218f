import { compareDates } from '../../domain/date.ts'
import type { ListingPage } from '../../domain/listing.ts'
import type { Settings } from '../../domain/settings.ts'
import type { FeedEntry } from '../../domain/site-lines.ts'
import { entriesByFeed, newestDate, partFeedDates } from '../../render/site-files/feeds.ts'

/*
 * When feeds changed last, for those whose entries no longer say so because the newest one has gone. The time of a feed
 * never goes back: readers that compare it would overlook what follows.
 */

/** Times by the key of a feed, ISO 8601. */
export type FeedTimes = Readonly<Record<string, string>>

/** Largest number of stored times of a site. Of more, the newest are stored. */
const MAX_TIMES = 1_000

/** The newest date in each feed of the site. */
export function siteFeedTimes(settings: Settings, entries: readonly FeedEntry[]): FeedTimes {
  return Object.fromEntries(
    entriesByFeed(settings, entries).map(([{ atom }, own]) => [
      atom,
      newestDate(own.map(({ updated }) => updated)),
    ]),
  )
}

/** The newest date in each feed of these lists. */
export function listFeedTimes(pages: Iterable<ListingPage>): FeedTimes {
  return Object.fromEntries(
    [...pages].flatMap((page) =>
      page.feed === null ? [] : [[page.feed, newestDate(partFeedDates(page))] as const],
    ),
  )
}

/**
 * The times to store after a change.
 *
 * @param before the newest date in each feed that the change may concern, and `after` the same after it.
 */
export function nextFeedTimes(stored: FeedTimes, before: FeedTimes, after: FeedTimes): FeedTimes {
  const next = new Map(Object.entries(stored))
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const shown = newestDate([stored[key], before[key]].filter((time) => time !== undefined))
    if (compareDates(shown, after[key] ?? newestDate([])) > 0) next.set(key, shown)
    else next.delete(key)
  }
  const newestFirst = [...next].sort(([a, one], [b, other]) => compareDates(other, one) || (a < b ? -1 : 1))
  return Object.fromEntries(newestFirst.slice(0, MAX_TIMES))
}
