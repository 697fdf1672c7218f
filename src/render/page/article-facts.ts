import { LRUCache } from 'lru-cache'

const WORDS_PER_MINUTE = 220

/** To make one costs a hundred times what it costs to use it. Sites have any languages they like. */
const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 50 })

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
  return formatOf(lang).format(new Date(iso))
}

function formatOf(lang: string): Intl.DateTimeFormat {
  const known = formats.get(lang)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat(lang, { dateStyle: 'long', timeZone: 'UTC' })
  formats.set(lang, made)
  return made
}
