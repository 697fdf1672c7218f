import { LRUCache } from 'lru-cache'
import { dayOf } from '../../domain/date.ts'

const WORDS_PER_MINUTE = 220

/**
 * Creating a format takes a hundred times as long as using it. Bounded, because sites choose the language.
 */
const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 100 })

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
  return formatOf(lang, 'day').format(new Date(dayOf(iso)))
}

/** The year, or the month with its year, of a date. */
export function periodText(iso: string, period: 'year' | 'month', lang: string): string {
  return formatOf(lang, period).format(new Date(dayOf(iso)))
}

const STYLES = {
  day: { dateStyle: 'long' },
  month: { year: 'numeric', month: 'long' },
  year: { year: 'numeric' },
} as const

function formatOf(lang: string, style: keyof typeof STYLES): Intl.DateTimeFormat {
  const key = `${style} ${lang}`
  const known = formats.get(key)
  if (known !== undefined) return known
  const created = new Intl.DateTimeFormat(lang, { ...STYLES[style], timeZone: 'UTC' })
  formats.set(key, created)
  return created
}
