import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts'

/** What Jekyll calls its patterns. Source: its documentation of permalinks. */
const NAMED: Readonly<Record<string, string>> = {
  date: '/:categories/:year/:month/:day/:title.html',
  ordinal: '/:categories/:year/:y_day/:title.html',
  weekdate: '/:categories/:year/W:week/:short_day/:title.html',
  pretty: '/:categories/:year/:month/:day/:title/',
  none: '/:categories/:title.html',
}

/** What is known of a post by where it lies. */
export interface Post {
  /** Above `_posts`, with forward slashes; empty for none. */
  readonly folder: string
  /** `2024-05-01`, of the file's name. */
  readonly date: string
  readonly name: string
}

/** The pattern that the configuration gives posts, as far as it is no matter of scopes. */
export function postPattern({ permalink, collections }: JsonObject): JsonValue | undefined {
  const posts = isJsonObject(collections) ? collections['posts'] : undefined
  return (isJsonObject(posts) ? posts['permalink'] : undefined) ?? permalink
}

/**
 * The address that a post had.
 *
 * @param fields of its front matter, with what the configuration says of it.
 * @returns null where the pattern asks for what is not known here.
 */
export function postAddress(
  pattern: JsonValue,
  { folder, date, name }: Post,
  fields: JsonObject,
): string | null {
  const [, year = '', month = '', day = ''] =
    WRITTEN_DAY.exec(String(fields['date'] ?? '')) ?? WRITTEN_DAY.exec(date) ?? []
  const title = typeof fields['slug'] === 'string' ? fields['slug'] : name
  const categories = [...folder.split('/'), ...categoriesOf(fields)].filter((part) => part !== '')
  const values: Readonly<Record<string, string>> = {
    categories: joined(categories.map((category) => category.toLowerCase())),
    slugified_categories: joined(categories.map(slugOf)),
    year,
    month: month.padStart(2, '0'),
    day: day.padStart(2, '0'),
    short_year: year.slice(-2),
    i_month: String(Number(month)),
    i_day: String(Number(day)),
    y_day: String(dayOfYear(Number(year), Number(month), Number(day))).padStart(3, '0'),
    title,
    slug: slugOf(title),
    output_ext: '.html',
  }
  const written = NAMED[String(pattern)] ?? String(pattern)
  const filled = `/${written}`.replace(
    /:([a-z_]+)/g,
    (placeholder, key: string) => values[key] ?? placeholder,
  )
  return filled.includes(':') ? null : filled.replace(/\/{2,}/g, '/')
}

/** As it is written, in whatever zone. */
const WRITTEN_DAY = /^(\d{4})-(\d{1,2})-(\d{1,2})/

function dayOfYear(year: number, month: number, day: number): number {
  return (Date.UTC(year, month - 1, day) - Date.UTC(year, 0, 0)) / (24 * 60 * 60 * 1000)
}

/** Of both fields in the order of Jekyll; only in a text of the first there are several. */
function categoriesOf({ categories, category }: JsonObject): readonly string[] {
  const several = typeof categories === 'string' ? categories.split(/\s+/) : categories
  return [several ?? [], category ?? []].flat().map(String)
}

/** Each once. */
function joined(parts: readonly string[]): string {
  return [...new Set(parts)].join('/')
}

function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
}
