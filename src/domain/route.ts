/* Addresses of pages: slugs, subroutes, paths and keys. */

/** Maps a whole subroute to the URL path it is served under; `/` drops it. */
export type SiteRoutes = Readonly<Record<string, string>>

const SLUG = /^(?=.*[a-z0-9])[a-z0-9-]{1,100}$/
const MAX_SEGMENTS = 8

/** The stored form of a slug: 1–100 ASCII letters, digits and hyphens. Null when the text is not a slug. */
export function readSlug(text: string): string | null {
  if (/[^\x20-\x7e]/.test(text)) return null
  const slug = text.toLowerCase()
  return SLUG.test(slug) ? slug : null
}

/** The stored form of a subroute: lower case, without outer slashes. Null when the text is not a subroute. */
export function readSubroute(text: string): string | null {
  const trimmed = withoutOuterSlashes(text)
  if (trimmed === '') return ''
  const segments = trimmed.split('/').map(readSlug)
  if (segments.length > MAX_SEGMENTS || segments.includes(null)) return null
  return segments.join('/')
}

/** A loop, because a regular expression takes quadratic time on a run of slashes. */
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

/** The public path of a page, e.g. `/docs/install`. The slug `index` is the page of its folder: `/docs`, `/`. */
export function publicPath({ subroute, slug }: Addressed, routes: SiteRoutes): string {
  const folder = Object.hasOwn(routes, subroute) ? readSubroute(routes[subroute] ?? '') : subroute
  const [within, own] = [folder ?? subroute, slug === 'index' ? '' : slug]
  // Not `join`: with strings from a property lookup V8 creates a two-byte string, which doubles the memory of every
  // string that contains the path.
  return within === '' || own === '' ? `/${within}${own}` : `/${within}/${own}`
}

/** The key prefix of a page's own files: `''` for `/`, `docs/install/` for `/docs/install`. */
export function pathFolder(path: string): string {
  return path === '/' ? '' : `${path.slice(1)}/`
}

/**
 * A relative link from the page at `from` to the page at `to` that works under any base path,
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
