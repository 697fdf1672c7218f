import { safeUrl, schemeOf, type UrlKind } from '../../domain/author-url.ts'
import { pathFolder, relativeFile, relativeHref } from '../../domain/route.ts'
import { isExternal } from '../markdown/urls.ts'

/** How a document names what lies on its own site. */
export interface Links {
  /** @param path the path visitors use, e.g. `/docs/install`. */
  page(path: string): string
  /** @param key relative to the project's prefix, e.g. `_assets/theme.1f2e.css`. */
  file(key: string): string
}

/** In front of the names of a theme's files. */
export function assetsHref(links: Links): string {
  return links.file('_assets/-').slice(0, -1)
}

/** What a document's links to its own site begin with: those that begin alike lead to a page alike. */
export function beginOf(links: Links): string {
  return links.file('')
}

/** Links that hold wherever the site is served: `/`, a folder, a customer's own path. */
export function relativeLinks(fromPath: string): Links {
  // All of them begin the same, and no scheme begins so.
  const up = relativeFile(fromPath, '')
  if (up !== '') return { page: (path) => up + pathFolder(path), file: (key) => up + key }
  return {
    page: (path) => withoutScheme(relativeHref(fromPath, path)),
    file: (key) => withoutScheme(relativeFile(fromPath, key)),
  }
}

/**
 * Links for a document that lies outside its site, as previews do.
 *
 * @param pages in front of paths and of the site's files; ends with a slash.
 * @param files in front of `_assets/…`, which the document brings itself; ends with a slash.
 */
export function prefixedLinks({ pages, files }: { readonly pages: string; readonly files: string }): Links {
  return {
    page: (path) => pages + pathFolder(path),
    file: (key) => (key.startsWith('_assets/') ? files : pages) + key,
  }
}

/** Links for a document that is served at any depth, as `404.html` is. */
export function absoluteLinks(origin: string): Links {
  return prefixedLinks({ pages: `${origin}/`, files: `${origin}/` })
}

const FILE_NAME = /\.[a-z0-9]{1,8}$/i

/**
 * The URL to write for one an author wrote, or null for one that is not safe or makes no sense.
 *
 * Root-relative paths are made relative to the document, since a site may lie beneath any path;
 * relative ones and `#…` stay as they are.
 */
export function authorHref(raw: string, links: Links, kind: UrlKind): string | null {
  const url = safeUrl(raw, kind)
  return url?.startsWith('/') ? rootRelative(url, links, kind) : url
}

/** Whether an author's URL leads to another site. */
export function leadsAway(raw: string): boolean {
  return isExternal(raw.trim())
}

/** The path of the site's page that an author's URL leads to, e.g. `/docs` for `/docs/?a#b`; null for any other URL. */
export function pagePath(raw: string): string | null {
  const url = raw.trim()
  if (authorHref(url, relativeLinks('/'), 'link') === null || !/^\/(?!\/)/.test(url)) return null
  const { segments, isFile } = splitPath(url)
  return isFile ? null : `/${segments.join('/')}`
}

function rootRelative(url: string, links: Links, kind: UrlKind): string | null {
  const { segments, isFile, rest } = splitPath(url)
  const path = segments.join('/')
  if (kind === 'image') return path === '' ? null : links.file(path) + rest
  return (isFile ? links.file(path) : links.page(`/${path}`)) + rest
}

/** Dot segments are resolved here as a browser would at the root, so that no link climbs above the site. */
function splitPath(url: string): { segments: readonly string[]; isFile: boolean; rest: string } {
  const end = url.search(/[?#]/)
  const path = end === -1 ? url : url.slice(0, end)
  const segments: string[] = []
  for (const segment of path.split('/')) {
    const plain = segment.replace(/%2e/gi, '.')
    if (plain === '..') segments.pop()
    else if (plain !== '' && plain !== '.') segments.push(segment)
  }
  const isFile = !path.endsWith('/') && FILE_NAME.test(segments.at(-1) ?? '')
  return { segments, isFile, rest: end === -1 ? '' : url.slice(end) }
}

/** `a:b/` would be read as a scheme. */
function withoutScheme(href: string): string {
  return schemeOf(href) !== null ? `./${href}` : href
}
