import { SITE_FILE } from '../content-folder/file-kind.ts'
import type { SitePage } from '../content-folder/site.ts'
import { announcementsOf } from '../domain/announcement.ts'
import { compareDates } from '../domain/date.ts'
import { type Diagnostic, diagnostic } from '../domain/diagnostic.ts'
import type { Settings } from '../domain/settings.ts'

/**
 * A part of the build that depends on the date: an article left out until then, or an announcement shown until then.
 */
export interface HeldPage {
  /** The file, relative to the content folder. */
  readonly file: string
  /** ISO 8601, with the offset that its author wrote. */
  readonly until: string
}

/** The articles whose date is later. @param now ISO 8601 UTC. */
export function heldPages(
  pages: readonly Pick<SitePage, 'source' | 'ownFields'>[],
  now: string,
): readonly HeldPage[] {
  return pages.flatMap(({ source, ownFields: { publishDate } }) => {
    const isLater = publishDate != null && compareDates(publishDate, now) > 0
    return isLater ? [{ file: source, until: publishDate }] : []
  })
}

/** The announcements of the site while they last: a later build leaves them out. */
export function lastingAnnouncements(settings: Partial<Settings>): readonly HeldPage[] {
  return announcementsOf(settings).flatMap(({ until }) =>
    until === undefined ? [] : [{ file: SITE_FILE, until }],
  )
}

/** Reports whether the date of one of these has come. */
export function isOneDue(held: readonly HeldPage[], now: string): boolean {
  return held.some(({ until }) => compareDates(until, now) <= 0)
}

export function heldWarning({ file, until }: HeldPage): Diagnostic {
  const message = `The date of the article is in the future: it is left out until a build after ${until}. --future includes it.`
  return diagnostic('QN-FUTURE-DATE', file, message, { field: 'publish_date' })
}
