import type { Site, SitePage } from '../content-folder/site.ts'
import { compareDates, dayOf, inUtc } from '../domain/date.ts'
import { startOfDay } from '../domain/time-zone.ts'

/** The end of a date that was written without a time. */
const MIDNIGHT_UTC = 'T00:00:00.000Z'

/**
 * Publish times of articles with a date in the future, ISO 8601 UTC by file. Drafts are left out. A date without a time
 * is midnight in the time zone of the site.
 *
 * @param now ISO 8601 UTC.
 */
export function futureArticles(
  { pages, timeZone }: Pick<Site, 'pages' | 'timeZone'>,
  now: string,
): ReadonlyMap<string, string> {
  return new Map(
    pages.flatMap((page) => {
      const time = page.draft ? null : dateOf(page, timeZone ?? null)
      return time !== null && compareDates(time, now) > 0 ? [[page.source, time] as const] : []
    }),
  )
}

function dateOf({ type, ownFields: { publishDate } }: SitePage, timeZone: string | null): string | null {
  if (type !== 'article' || publishDate == null) return null
  const isDay = publishDate.endsWith(MIDNIGHT_UTC)
  return isDay && timeZone !== null ? startOfDay(dayOf(publishDate), timeZone) : inUtc(publishDate)
}
