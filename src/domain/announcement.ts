import { compareDates } from './date.ts'

/** A line above the header of every page; none if `text` is empty. */
export interface Announcement {
  readonly text: string
  readonly href?: string | undefined
  /** When it ends, ISO 8601 UTC; absent for one without an end. */
  readonly until?: string | undefined
}

/** Settings without an announcement that has ended. The same object otherwise. @param now ISO 8601 UTC. */
export function settingsAt<S extends { readonly announcement?: Announcement }>(settings: S, now: string): S {
  const { until } = settings.announcement ?? {}
  const isOver = until !== undefined && compareDates(until, now) <= 0
  return isOver ? { ...settings, announcement: { text: '' } } : settings
}
