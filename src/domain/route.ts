/** Where pages live: slugs, subroutes, the paths visitors use and the files behind them. */

/** Maps a whole subroute to the URL path it is served under; `/` drops it. */
export type SiteRoutes = Readonly<Record<string, string>>

const SLUG = /^(?=.*[a-z0-9])[a-z0-9-]{1,100}$/
const MAX_SEGMENTS = 8

/** The slug as it is stored, or null when it is none: 1–100 ASCII letters, digits and hyphens. */
export function readSlug(text: string): string | null {
  if (/[^\x20-\x7e]/.test(text)) return null
  const slug = text.toLowerCase()
  return SLUG.test(slug) ? slug : null
}

/** The subroute as it is stored (no outer slashes, lower case), or null when it is none. */
export function readSubroute(text: string): string | null {
  const trimmed = withoutOuterSlashes(text)
  if (trimmed === '') return ''
  const segments = trimmed.split('/').map(readSlug)
  if (segments.length > MAX_SEGMENTS || segments.includes(null)) return null
  return segments.join('/')
}

/** In linear time, which an expression would not take: it looks for the end anew from every slash. */
export function withoutOuterSlashes(text: string): string {
  let start = 0
  let end = text.length
  while (text[start] === '/') start += 1
  while (end > start && text[end - 1] === '/') end -= 1
  return text.slice(start, end)
}

export interface Addressed {
  readonly subroute: string
  readonly slug: string
}

/** The path visitors use, e.g. `/docs/install`. The slug `index` is its folder's own page: `/docs`, `/`. */
export function publicPath({ subroute, slug }: Addressed, routes: SiteRoutes): string {
  const folder = Object.hasOwn(routes, subroute) ? readSubroute(routes[subroute] ?? '') : subroute
  const [within, own] = [folder ?? subroute, slug === 'index' ? '' : slug]
  // Not joined: V8 joins texts that were looked up in a table before to one of two bytes a letter, and so becomes
  // whatever this path is put into.
  return within === '' || own === '' ? `/${within}${own}` : `/${within}/${own}`
}

/** The key prefix of a page's own files: `''` for `/`, `docs/install/` for `/docs/install`. */
export function pathFolder(path: string): string {
  return path === '/' ? '' : `${path.slice(1)}/`
}

/**
 * A link from the page at `from` to the page at `to` that holds wherever the site is served,
 * e.g. from `/docs/install` to `/blog`: `../../blog/`. Pages live at `{path}/`.
 */
export function relativeHref(from: string, to: string): string {
  const up = '../'.repeat(from === '/' ? 0 : from.split('/').length - 1)
  return `${up}${pathFolder(to)}` || './'
}

/** A link from the page at `from` to the object with this key, relative like `relativeHref`. */
export function relativeFile(from: string, key: string): string {
  return `${'../'.repeat(from === '/' ? 0 : from.split('/').length - 1)}${key}`
}
