import type { OwnerKind } from './artifact.ts'
import { withoutEndSlashes } from './end-slashes.ts'
import type { PageId, RedirectId } from './ids.ts'
import { normalForm } from './normal-form.ts'
import { parseUrl } from './parse-url.ts'
import { redirectKey } from './redirect-path.ts'
import { decodedPath, isFilePath, pathFault, pathFolder, urlPath } from './route.ts'
import { foldedAddress } from './slug.ts'

/* Redirects of a site that belong to no page: to a page and its heading, a list, a feed, a file, or another site. */

/** Maximum of a project, and of a content folder. */
export const MAX_SITE_REDIRECTS = 10_000

export const TOO_MANY_REDIRECTS = `A project has at most ${MAX_SITE_REDIRECTS} redirects.`

/** Maximum length of a target, in UTF-16 code units. */
const MAX_TARGET_LENGTH = 2_048

export const TARGET_RULE = `must be a path of the site, such as /docs/page, /docs/page#heading or /feed.xml, or an https: URL, of at most ${MAX_TARGET_LENGTH} characters.`

/** The stored target of a redirect. */
export type RedirectTarget =
  | { readonly kind: 'page'; readonly pageId: PageId; readonly fragment: string | null }
  /** A page, list, feed or file of the site by its path. */
  | { readonly kind: 'path'; readonly path: string; readonly fragment: string | null }
  | { readonly kind: 'url'; readonly url: string }

export interface SiteRedirect {
  /** Result of `readRedirectPath`. */
  readonly from: string
  readonly to: RedirectTarget
}

/** A redirect of a project, as it is stored. */
export interface ProjectRedirect extends SiteRedirect {
  readonly id: RedirectId
  /** ISO 8601 UTC. */
  readonly createdAt: string
}

/** A change of the redirects of a project. */
export interface RedirectChange {
  /** Added redirects, and replacements by their id. */
  readonly put: readonly ProjectRedirect[]
  readonly remove: readonly RedirectId[]
}

export const NO_CHANGE: RedirectChange = { put: [], remove: [] }

/** A redirect of a project with what the site makes of it. */
export interface RedirectState {
  readonly id: RedirectId
  /** The key of the object that answers for it; null while it is not live. */
  readonly key: string | null
  /** Its end; null while nothing is at its target. */
  readonly end: RedirectEnd | null
}

export type LiveRedirect = ProjectRedirect & RedirectState

/** The end of a redirect on the current site. */
export type RedirectEnd =
  | {
      readonly kind: 'page' | 'list' | 'feed' | 'file'
      readonly path: string
      /** Key of the object that visitors get. */
      readonly key: string
      readonly fragment: string | null
    }
  | { readonly kind: 'url'; readonly url: string }

/** A target as its author wrote it; null for a text that is none. */
export function readRedirectTarget(
  written: string,
): Exclude<RedirectTarget, { readonly kind: 'page' }> | null {
  if (written.length > MAX_TARGET_LENGTH) return null
  if (/^https:/i.test(written)) return readUrl(written)
  if (!written.startsWith('/') || written.startsWith('//')) return null
  const [before = '', ...after] = written.split('#')
  const decoded = normalForm(decodedPath(before) ?? '')
  if (decoded === '' || /[?*\p{C}]/u.test(decoded) || pathFault(decoded) !== null) return null
  const path = withoutEndSlashes(decoded.replace(/\/index\.html$/, '')) || '/'
  const fragment = readFragment(after.join('#'))
  return fragment === undefined ? null : { kind: 'path', path, fragment }
}

function readUrl(written: string): { readonly kind: 'url'; readonly url: string } | null {
  const url = parseUrl(written)
  if (url === null || url.username !== '' || url.password !== '' || url.href.length > MAX_TARGET_LENGTH)
    return null
  return { kind: 'url', url: url.href }
}

/** Returns null for none, undefined for one whose escapes are not UTF-8. */
function readFragment(written: string): string | null | undefined {
  if (written === '') return null
  try {
    const fragment = decodeURIComponent(written)
    return /\p{C}/u.test(fragment) ? undefined : fragment
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}

/** The target as authors write it. */
export function writtenTarget(to: Exclude<RedirectTarget, { readonly kind: 'page' }>): string {
  return to.kind === 'url' ? to.url : `${to.path}${fragmentHash(to.fragment)}`
}

/** Returns the fragment as in URLs, with `#`; empty for none. */
export function fragmentHash(fragment: string | null): string {
  return fragment === null ? '' : `#${encodeURIComponent(fragment)}`
}

/** The site that redirects lead through. */
export interface RedirectSite {
  /** The path of a live page; null when it is not live. */
  readonly pathOf: (page: PageId) => string | null
  /** The kind of object that visitors find at a key; null for nothing, and for a redirect. */
  readonly kindAt: (key: string) => Exclude<RedirectEnd['kind'], 'url'> | null
  /** The page that its own redirect at a key leads to; null for none. */
  readonly pageBehind: (key: string) => PageId | null
  /** True if a key belongs to something else than the redirects in question. */
  readonly isTaken: (key: string) => boolean
}

/** Returns the kind of object that visitors find at a key of an owner; null for a redirect. */
export function objectKind(key: string, owner: OwnerKind | null): ReturnType<RedirectSite['kindAt']> {
  if (owner === 'redirect' || owner === 'site-redirect') return null
  if (/(^|\/)(feed\.xml|_feed\.json)$/.test(key)) return 'feed'
  if (owner === 'page') return key.endsWith('index.html') ? 'page' : 'file'
  return owner === 'listing' ? 'list' : 'file'
}

/** A redirect with its end on the site. */
export interface PlacedRedirect<Redirect extends SiteRedirect = SiteRedirect> {
  readonly redirect: Redirect
  /** Its end; null when nothing is at its target. */
  readonly end: RedirectEnd | null
  /**
   * The key of the object that answers for it; null when there is none: its target does not exist, or its path is
   * taken.
   */
  readonly key: string | null
}

/**
 * Follows redirects to their ends, so that none leads to another one, and decides for each whether the site has it. The
 * first of several from one path has it.
 */
export function placeRedirects<Redirect extends SiteRedirect>(
  redirects: readonly Redirect[],
  site: RedirectSite,
): readonly PlacedRedirect<Redirect>[] {
  const byPath = new Map<string, Redirect>()
  for (const redirect of redirects) {
    const path = foldedAddress(redirect.from)
    if (!byPath.has(path)) byPath.set(path, redirect)
  }
  const files = new Set<string>()
  const folders = new Set<string>()
  return redirects.map((redirect) => {
    const isFirst = byPath.get(foldedAddress(redirect.from)) === redirect
    const end = endOf(redirect.to, byPath, site, new Set([foldedAddress(redirect.from)]))
    if (end === null || !isFirst) return { redirect, end, key: null }
    const key = isCopy(redirect.from, end) ? redirect.from.slice(1) : redirectKey(redirect.from)
    // A file and a folder cannot have one name.
    const above = key.split('/').flatMap((_, at, names) => (at === 0 ? [] : [names.slice(0, at).join('/')]))
    const isFree = !files.has(key) && !folders.has(key) && !above.some((folder) => files.has(folder))
    if (!isFree || site.isTaken(key) || site.isTaken(`${key}/index.html`)) return { redirect, end, key: null }
    files.add(key)
    for (const folder of above) folders.add(folder)
    return { redirect, end, key }
  })
}

function endOf(
  to: RedirectTarget,
  byPath: ReadonlyMap<string, SiteRedirect>,
  site: RedirectSite,
  seen: Set<string>,
): RedirectEnd | null {
  if (to.kind === 'url') return to
  const path = to.kind === 'page' ? site.pathOf(to.pageId) : to.path
  if (path === null) return null
  for (const key of keysAt(path)) {
    const kind = site.kindAt(key)
    if (kind !== null) return { kind, path, key, fragment: to.fragment }
    const pageId = site.pageBehind(key)
    if (pageId !== null && to.kind === 'path')
      return endOf({ kind: 'page', pageId, fragment: to.fragment }, byPath, site, seen)
  }
  const address = foldedAddress(path)
  const next = byPath.get(address)
  if (next === undefined || seen.has(address)) return null
  const end = endOf(next.to, byPath, site, seen.add(address))
  return end === null || end.kind === 'url' || to.fragment === null ? end : { ...end, fragment: to.fragment }
}

/** The keys of the objects that may be served at a path. */
export function keysAt(path: string): readonly string[] {
  return [`${pathFolder(path)}index.html`, path.slice(1)].filter((key) => key !== '')
}

/** The kind of a target as its form suggests, for one that the site does not have. */
export function targetKind(to: RedirectTarget): RedirectEnd['kind'] {
  if (to.kind !== 'path') return to.kind
  return isFilePath(to.path) ? (objectKind(to.path.slice(1), null) ?? 'file') : 'page'
}

/** Reports whether the redirect is stored as a copy of its target, because programs that ask for it read no HTML. */
export function isCopy(
  from: string,
  end: RedirectEnd,
): end is Extract<RedirectEnd, { readonly key: string }> {
  return (end.kind === 'feed' || end.kind === 'file') && isFilePath(from) && !from.endsWith('.html')
}

/**
 * The address of an end in a link.
 *
 * @param depth number of folders from the site's root to the place of the link; null writes paths from the root.
 */
export function endHref(end: RedirectEnd, depth: number | null): string {
  if (end.kind === 'url') return end.url
  const isDocument = end.key === 'index.html' || end.key.endsWith('/index.html')
  const place = isDocument ? end.key.slice(0, -'index.html'.length) : end.key
  const root = depth === null ? '/' : '../'.repeat(depth)
  return `${`${root}${urlPath(place)}` || './'}${fragmentHash(end.fragment)}`
}

/** The number of folders from the site's root to an object. */
export function depthOfKey(key: string): number {
  return key.split('/').length - 1
}
