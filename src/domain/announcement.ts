import { compareDates } from './date.ts'

/** A line above the header of every page; none if `text` is empty. */
export interface Announcement {
  readonly text: string
  readonly href?: string | undefined
  /** When it ends, ISO 8601 UTC; absent for one without an end. */
  readonly until?: string | undefined
}

interface WithAnnouncements {
  readonly announcement?: Announcement
  readonly byLocale?: Readonly<Record<string, { readonly announcement?: Announcement | undefined }>>
}

/** The announcements of a site and of its languages. */
export function announcementsOf({ announcement, byLocale }: WithAnnouncements): readonly Announcement[] {
  return [announcement, ...Object.values(byLocale ?? {}).map((own) => own.announcement)].flatMap(
    (one) => one ?? [],
  )
}

/** Settings without announcements that have ended. The same object otherwise. @param now ISO 8601 UTC. */
export function settingsAt<S extends WithAnnouncements>(settings: S, now: string): S {
  const { announcement, byLocale } = settings
  const ended = Object.entries(byLocale ?? {}).filter(([, own]) => isOver(own.announcement, now))
  const others = ended.map(([code, own]) => [code, { ...own, announcement: NO_ANNOUNCEMENT }])
  if (!isOver(announcement, now) && others.length === 0) return settings
  return {
    ...settings,
    ...(isOver(announcement, now) && { announcement: NO_ANNOUNCEMENT }),
    ...(others.length > 0 && { byLocale: { ...byLocale, ...Object.fromEntries(others) } }),
  }
}

const NO_ANNOUNCEMENT: Announcement = { text: '' }

function isOver(announcement: Announcement | undefined, now: string): boolean {
  const until = announcement?.until
  return until !== undefined && compareDates(until, now) <= 0
}
