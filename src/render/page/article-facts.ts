import { LRUCache } from 'lru-cache'
import { dayOf } from '../../domain/date.ts'

const WORDS_PER_MINUTE = 220

/**
 * Creating a format takes a hundred times as long as using it. Bounded, because sites choose the language.
 */
const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 50 })

/** Whole minutes, at least one. */
export function readingMinutes(wordCount: number): number {
  return Math.max(1, Math.round(wordCount / WORDS_PER_MINUTE))
}

/**
 * Formats the day of a timestamp as its author wrote it for readers of the language, e.g. `March 3, 2026`.
 *
 * @param iso a timestamp.
 * @param lang a well-formed language tag.
 */
export function dateText(iso: string, lang: string): string {
  return formatOf(lang).format(new Date(dayOf(iso)))
}

function formatOf(lang: string): Intl.DateTimeFormat {
  const known = formats.get(lang)
  if (known !== undefined) return known
  const created = new Intl.DateTimeFormat(lang, { dateStyle: 'long', timeZone: 'UTC' })
  formats.set(lang, created)
  return created
}
