import type { JsonValue } from './json.ts'
import { normalForm } from './normal-form.ts'
import { decodedPath, MAX_NAME_BYTES, pathFault, pathFolder, relativeHref } from './route.ts'
import { foldedAddress, isOwnFile } from './slug.ts'

/** Redirects per page; each move of the page writes all of them. */
export const MAX_REDIRECT_PATHS = 20

/** Maximum number of former paths of a page. All of them redirect to it. */
export const MAX_FORMER_PATHS = 1_000

export const REDIRECT_PATH_RULE =
  'must be a path of the site such as /old/page or /old/page.html: at most 16 segments of up to 100 characters, without a query, and not the path of a file that Quoin writes.'

/** No dot at either end, no blank at either end, and nothing that is invisible or special in URLs and file systems. */
const SEGMENT =
  /^(?![\s.\p{M}])[^\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\\/?#%*<>|"]{1,100}(?<![\s.])$/u
const MAX_SEGMENTS = 16

/**
 * The stored form of a redirect path: `/old/page`, or `/old/page.html` for a file. Null when the text is not such a
 * path. `/old/page/` and `/old/page/index.html` have the form `/old/page`, and escapes are decoded.
 *
 * Case stays as it is written, because hosts of static files distinguish it.
 */
export function readRedirectPath(text: string): string | null {
  if (!text.startsWith('/')) return null
  const decoded = decodedPath(text)
  if (decoded === null) return null
  const path = normalForm(decoded)
    .replace(/\/index\.html$/, '')
    .replace(/\/$/, '')
  if (path === '' || path.startsWith('/_')) return null
  const segments = path.slice(1).split('/')
  const names = [...segments.slice(0, -1), (segments.at(-1) ?? '').replace(/\.html$/, '')]
  const fits = names.length <= MAX_SEGMENTS && pathFault(path) === null
  return fits && names.every(isName) && !segments.some(isOwnFile) ? path : null
}

function isName(name: string): boolean {
  return SEGMENT.test(name) && Buffer.byteLength(name) <= MAX_NAME_BYTES - '.html'.length
}

/**
 * Reports whether a redirect at this path would be the page itself, also in a file system that does not distinguish
 * case.
 */
export function isSamePath(redirect: string, path: string): boolean {
  return redirect === path || foldedAddress(redirect) === path
}

/**
 * Returns the paths of a field with a list or a single path. Values other than strings are converted to JSON, which no
 * caller accepts as a path.
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
