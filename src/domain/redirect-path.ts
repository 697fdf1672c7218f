import type { JsonValue } from './json.ts'
import { pathFolder, relativeHref } from './route.ts'

/** Paths that one page may be reached at besides its own; each move of the page writes all of them anew. */
export const MAX_REDIRECT_PATHS = 20

export const REDIRECT_PATH_RULE =
  'must be a path of the site such as /old/page or /old/page.html: small letters, digits, "-", "_" and "~", in at most 16 segments.'

const SEGMENT = /^[a-z0-9~-][a-z0-9_~-]{0,99}$/
const MAX_SEGMENTS = 16

/**
 * A path that leads to a page besides its own, as it is kept: `/old/page`, or `/old/page.html` for a file.
 * Null when it is none. Other ways to write the same are the same: `/old/page/`, `/old/page/index.html`.
 *
 * Small letters only, as in all paths: what differs in nothing else is one file in some folders.
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
 * The paths as somebody wrote them: a list, or one alone. What is no text is written out, so that
 * whoever reads them finds that they are none.
 */
export function toPathList(value: JsonValue | undefined): readonly string[] {
  if (value === undefined || value === null) return NO_PATHS
  const list = Array.isArray(value) ? value : [value]
  return list.map((path) => (typeof path === 'string' ? path : JSON.stringify(path)))
}

/** The same for all pages that have none, which are most. */
export const NO_PATHS: readonly string[] = []

/** The key of what lies at such a path, or at one that a page has left. */
export function redirectKey(path: string): string {
  return isFile(path) ? path.slice(1) : `${pathFolder(path)}index.html`
}

/** The path of what lies at a key. */
export function pathOfKey(key: string): string {
  return `/${key.replace(/(^|\/)index\.html$/, '')}`
}

/** A link from what lies at one path to the page at the other, wherever the site is served. */
export function redirectHref(from: string, to: string): string {
  // A browser resolves it from the folder that a file lies in.
  return relativeHref(isFile(from) ? from.slice(0, from.lastIndexOf('/')) || '/' : from, to)
}

/** No page's own path has a dot. */
function isFile(path: string): boolean {
  return path.endsWith('.html')
}
