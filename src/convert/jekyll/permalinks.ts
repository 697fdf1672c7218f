import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'

/** Patterns that Jekyll knows by name. Source: https://jekyllrb.com/docs/permalinks/. */
const NAMED: Readonly<Record<string, string>> = {
  date: '/:categories/:year/:month/:day/:title.html',
  ordinal: '/:categories/:year/:y_day/:title.html',
  weekdate: '/:categories/:year/W:week/:short_day/:title.html',
  pretty: '/:categories/:year/:month/:day/:title/',
  none: '/:categories/:title.html',
}

/** The parts of the path of a post. */
export interface Post {
  /** The folder of `_posts`, with forward slashes. Empty at the top. */
  readonly folder: string
  /** `2024-05-01`, from the name of the file. */
  readonly date: string
  readonly name: string
}

/** The pattern that the configuration sets for all posts. Scoped defaults are not considered. */
export function postPattern({ permalink, collections }: JsonObject): JsonValue | undefined {
  const posts = isJsonObject(collections) ? collections['posts'] : undefined
  return (isJsonObject(posts) ? posts['permalink'] : undefined) ?? permalink
}

/**
 * The path of a post on the source site.
 *
 * @param fields front matter, including the defaults of the configuration.
 * @returns null for a pattern with an unknown placeholder.
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
  const template = NAMED[String(pattern)] ?? String(pattern)
  const filled = `/${template}`.replace(
    /:([a-z_]+)/g,
    (placeholder, key: string) => values[key] ?? placeholder,
  )
  return filled.includes(':') ? null : filled.replace(/\/{2,}/g, '/')
}

/** A page or a document of a collection. */
export interface JekyllPage {
  /** Empty for a page. */
  readonly collection: string
  /** The path in the collection or the site, without ending, e.g. `fr/start`. */
  readonly bare: string
  readonly fields: JsonObject
}

/** The path of a page or document on the source site. Null for a pattern with an unknown placeholder. */
export function pageAddress(pattern: JsonValue | undefined, page: JekyllPage): string | null {
  const { collection, bare, fields } = page
  const name = bare.split('/').at(-1) ?? ''
  const folder = bare.split('/').slice(0, -1).join('/')
  const isPretty = pattern === 'pretty' || (typeof pattern === 'string' && pattern.endsWith('/'))
  if (collection === '') {
    if (name === 'index') return `/${folder === '' ? '' : `${folder}/`}`
    return isPretty ? `/${bare}/` : `/${bare}.html`
  }
  const values: Readonly<Record<string, string>> = {
    collection,
    path: bare,
    name: slugOf(name),
    title: typeof fields['slug'] === 'string' ? fields['slug'] : name,
    slug: slugOf(typeof fields['slug'] === 'string' ? fields['slug'] : name),
    categories: joined(categoriesOf(fields)),
    output_ext: '.html',
  }
  const usual =
    isPretty && NAMED[String(pattern)] !== undefined ? '/:collection/:path/' : '/:collection/:path:output_ext'
  const template = NAMED[String(pattern ?? 'none')] === undefined ? String(pattern) : usual
  const filled = `/${template}`.replace(
    /:([a-z_]+)/g,
    (placeholder, key: string) => values[key] ?? placeholder,
  )
  return filled.includes(':') ? null : filled.replace(/\/{2,}/g, '/').replace(/(^|\/)index\.html$/, '$1')
}

/** The day as it is written, in any time zone. */
const WRITTEN_DAY = /^(\d{4})-(\d{1,2})-(\d{1,2})/

function dayOfYear(year: number, month: number, day: number): number {
  return (Date.UTC(year, month - 1, day) - Date.UTC(year, 0, 0)) / (24 * 60 * 60 * 1000)
}

/** Categories of both fields, in Jekyll's order. Only a text in `categories` holds several. */
function categoriesOf({ categories, category }: JsonObject): readonly string[] {
  const several = typeof categories === 'string' ? categories.split(/\s+/) : categories
  return [several ?? [], category ?? []].flat().map(String)
}

/** Without duplicates. */
function joined(parts: readonly string[]): string {
  return [...new Set(parts)].join('/')
}

/** A text as it stands in addresses of Jekyll. */
export function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
}
