const WORDS_PER_MINUTE = 220

/** Whole minutes, at least one. */
export function readingMinutes(wordCount: number): number {
  return Math.max(1, Math.round(wordCount / WORDS_PER_MINUTE))
}

/**
 * A date as readers of the language write it, e.g. `March 3, 2026`; the day is the one in UTC.
 *
 * @param iso a timestamp.
 * @param lang a well-formed language tag.
 */
export function dateText(iso: string, lang: string): string {
  return new Intl.DateTimeFormat(lang, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(iso))
}
