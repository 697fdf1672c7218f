import type { JsonValue } from './json.ts'
import { pathFolder, relativeHref } from './route.ts'

/** Redirects per page; each move of the page writes all of them. */
export const MAX_REDIRECT_PATHS = 20

export const REDIRECT_PATH_RULE =
  'must be a path of the site such as /old/page or /old/page.html: lower-case letters, digits, "-", "_" and "~", in at most 16 segments.'

const SEGMENT = /^[a-z0-9~-][a-z0-9_~-]{0,99}$/
const MAX_SEGMENTS = 16

/**
 * The stored form of a redirect path: `/old/page`, or `/old/page.html` for a file. Null when the text is not such a
 * path. `/old/page/` and `/old/page/index.html` have the form `/old/page`.
 *
 * Lower case only, as in all paths: some file systems do not distinguish case.
 */
export function readRedirectPath(text: string): string | null {
  if (!text.startsWith('/')) return null
  const path = text.replace(/\/index\.html$/, '').replace(/\/$/, '')
  if (path === '' || path === '/404.html') return null
  const segments = path.slice(1).split('/')
  const names = [...segments.slice(0, -1), (segments.at(-1) ?? '').replace(/\.html$/, '')]
  return names.length <= MAX_SEGMENTS && names.every((name) => SEGMENT.test(name)) ? path : null
}

/**
 * The paths of a field that holds a list or a single path. Values that are not strings are converted to JSON, which
 * no caller accepts as a path.
 */
export function toPathList(value: JsonValue | undefined): readonly string[] {
  if (value === undefined || value === null) return NO_PATHS
  const list = Array.isArray(value) ? value : [value]
  return list.map((path) => (typeof path === 'string' ? path : JSON.stringify(path)))
}

/** Shared by all pages without redirects, to save memory. */
export const NO_PATHS: readonly string[] = []

/** The key of the redirect document at a path. */
export function redirectKey(path: string): string {
  return isFile(path) ? path.slice(1) : `${pathFolder(path)}index.html`
}

/** The path under which the object with this key is served. */
export function pathOfKey(key: string): string {
  return `/${key.replace(/(^|\/)index\.html$/, '')}`
}

/** A relative link from the redirect at one path to the page at another; works under any base path. */
export function redirectHref(from: string, to: string): string {
  // Browsers resolve links of a file relative to its folder.
  return relativeHref(isFile(from) ? from.slice(0, from.lastIndexOf('/')) || '/' : from, to)
}

/** Paths of pages contain no dot. */
function isFile(path: string): boolean {
  return path.endsWith('.html')
}
