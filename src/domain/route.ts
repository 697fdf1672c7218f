/* Addresses of pages: subroutes, paths, keys and URLs. */

import { foldedAddress, readSlug, type SlugAlphabet } from './slug.ts'

/** Maps a whole subroute to the URL path it is served under; `/` drops it. */
export type SiteRoutes = Readonly<Record<string, string>>

const MAX_SEGMENTS = 8

/**
 * The stored form of a subroute: lower case, without outer slashes. Null when the text is not a subroute. No segment
 * ends in `.json`, because such a folder could be where the file of a navigation or of a sealed page is.
 */
export function readSubroute(text: string, alphabet: SlugAlphabet): string | null {
  const trimmed = withoutOuterSlashes(text)
  if (trimmed === '') return ''
  const written = trimmed.split('/', MAX_SEGMENTS + 1)
  if (written.length > MAX_SEGMENTS) return null
  const segments = written.map((segment) => readSlug(segment, alphabet))
  return segments.some((name) => name === null || name.endsWith('.json')) ? null : segments.join('/')
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

/** Maximum length of a file name on usual file systems, in bytes of UTF-8. */
export const MAX_NAME_BYTES = 255
/** Maximum of a path, so that keys with their prefix stay within the 1024 bytes of a bucket. */
export const MAX_PATH_BYTES = 9 * (1 + 100)

/** Why no store can hold a page at this path, and what to do about it; null if one can. */
export function pathFault(path: string, advice = 'Shorten the slug or the subroute.'): string | null {
  const fits = Buffer.byteLength(path) <= MAX_PATH_BYTES
  if (fits && path.split('/').every((name) => Buffer.byteLength(name) <= MAX_NAME_BYTES)) return null
  return `The path ${path} is too long to be published: a segment has at most ${MAX_NAME_BYTES} bytes in UTF-8, and the path ${MAX_PATH_BYTES}. ${advice}`
}

/** The public path of a page, e.g. `/docs/install`. The slug `index` is the page of its folder: `/docs`, `/`. */
export function publicPath({ subroute, slug }: Addressed, routes: SiteRoutes): string {
  const folder = Object.hasOwn(routes, subroute) ? readSubroute(routes[subroute] ?? '', 'wide') : subroute
  const [within, own] = [folder ?? subroute, slug === 'index' ? '' : slug]
  // Not `join`: with strings from a property lookup V8 creates a two-byte string. It doubles the memory of every string
  // that contains the path.
  return within === '' || own === '' ? `/${within}${own}` : `/${within}/${own}`
}

/** The public path of a page as it is written in URLs. */
export function publicUrlPath(page: Addressed, routes: SiteRoutes): string {
  return urlPath(publicPath(page, routes))
}

/** An extension with a letter: `v1.2` is the name of a page. */
const FILE_NAME = /\.(?=\d*[a-z])[a-z0-9]{1,8}$/i

/** Reports whether the path in a link is of a file; any other is of a page. */
export function isFilePath(path: string): boolean {
  return FILE_NAME.test(path)
}

/** The key prefix of a page's own files: `''` for `/`, `docs/install/` for `/docs/install`. */
export function pathFolder(path: string): string {
  return path === '/' ? '' : `${path.slice(1)}/`
}

/** The path that a URL's path names, in the one form of addresses. Null as of `decodedPath`. */
export function pathOfUrl(pathname: string): string | null {
  const path = decodedPath(pathname)
  return path === null ? null : foldedAddress(path)
}

/**
 * The path of a URL, decoded once. Null if its escapes are not UTF-8, or hide a slash, which would give one page two
 * addresses of different depth.
 */
export function decodedPath(pathname: string): string | null {
  if (!pathname.includes('%')) return pathname
  try {
    const segments = pathname.split('/').map(decodeURIComponent)
    return segments.some((segment) => segment.includes('/')) ? null : segments.join('/')
  } catch (error) {
    if (error instanceof URIError) return null
    throw error
  }
}

/** A path or key as it is written in URLs: percent-encoded, except slashes. */
export function urlPath(path: string): string {
  if (!/[^\w./~-]/.test(path)) return path
  return encodeURI(path.replace(/\p{Surrogate}/gu, '\uFFFD')).replace(/[?#]/g, encodeURIComponent)
}

/**
 * A relative link from the page at `from` to the page at `to` that works under any base path,
 * e.g. from `/docs/install` to `/blog`: `../../blog/`. Pages live at `{path}/`.
 */
export function relativeHref(from: string, to: string): string {
  const up = '../'.repeat(from === '/' ? 0 : from.split('/').length - 1)
  return `${up}${urlPath(pathFolder(to))}` || './'
}

/** A link from the page at `from` to the object with this key, relative like `relativeHref`. */
export function relativeFile(from: string, key: string): string {
  return `${'../'.repeat(from === '/' ? 0 : from.split('/').length - 1)}${urlPath(key)}`
}
