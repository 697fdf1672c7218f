import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import { readSourceDate } from '../page/source-date.ts'

/** Names of months and days, as Go prints them. */
const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
)
const WEEKDAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')

/** A page below `content`. */
export interface HugoPage {
  /** The path without ending and without the name of an index, e.g. `posts/one`. */
  readonly bare: string
  readonly kind: 'page' | 'section'
  readonly fields: JsonObject
}

/**
 * The path of a page by the `permalinks` of the configuration. Null without a pattern for its section, and for one
 * with an unknown placeholder. Source: https://gohugo.io/configuration/permalinks/.
 */
export function hugoAddress(permalinks: JsonValue | undefined, page: HugoPage): string | null {
  const section = page.bare.split('/')[0] ?? ''
  const pattern = patternOf(permalinks, section, page.kind)
  if (pattern === null) return null
  const values = valuesOf(page)
  const filled = pattern
    .replace(/:sections\[(\d*):(\d*)\]/g, (_, from: string, to: string) =>
      sectionsOf(page)
        .slice(Number(from), to === '' ? undefined : Number(to))
        .join('/'),
    )
    .replace(/:([a-z]+)/g, (placeholder, name: string) => values[name] ?? placeholder)
  return filled.includes(':') ? null : `/${filled}`.replace(/\/{2,}/g, '/').toLowerCase()
}

function patternOf(
  permalinks: JsonValue | undefined,
  section: string,
  kind: HugoPage['kind'],
): string | null {
  if (!isJsonObject(permalinks)) return null
  const ofKind = isJsonObject(permalinks[kind]) ? permalinks[kind][section] : undefined
  const pattern = ofKind ?? (kind === 'page' ? permalinks[section] : undefined)
  return typeof pattern === 'string' ? pattern : null
}

function sectionsOf({ bare, kind }: HugoPage): readonly string[] {
  return kind === 'section' ? bare.split('/') : bare.split('/').slice(0, -1)
}

function valuesOf(page: HugoPage): Readonly<Record<string, string>> {
  const { bare, fields } = page
  const name = bare.split('/').at(-1) ?? ''
  const title = urlized(typeof fields['title'] === 'string' ? fields['title'] : name)
  const slug = typeof fields['slug'] === 'string' ? fields['slug'] : null
  const written = readSourceDate(fields['date'] ?? fields['publishDate'])
  const [year = '', month = '', day = ''] = (written ?? '').slice(0, 10).split('-')
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  return {
    section: bare.split('/')[0] ?? '',
    sections: sectionsOf(page).join('/'),
    title,
    slug: slug ?? title,
    filename: name,
    contentbasename: name,
    slugorfilename: slug ?? name,
    slugorcontentbasename: slug ?? name,
    ...(written !== null && {
      year,
      month,
      day,
      monthname: MONTHS[Number(month) - 1] ?? '',
      weekday: String(date.getUTCDay()),
      weekdayname: WEEKDAYS[date.getUTCDay()] ?? '',
      yearday: String((date.getTime() - Date.UTC(Number(year), 0, 0)) / (24 * 60 * 60 * 1000)),
    }),
  }
}

/** A text as Hugo writes it in addresses. */
export function urlized(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}_ .+-]+/gu, '')
    .trim()
    .replace(/[\s-]+/g, '-')
}
