import { decoded, safeUrl, schemeOf, type UrlKind } from '../../domain/author-url.ts'
import { fileAt, type MediaFile, type MediaSource } from '../../domain/media.ts'
import { normalForm } from '../../domain/normal-form.ts'
import { isFilePath, pathFolder, relativeFile, relativeHref, urlPath } from '../../domain/route.ts'
import { foldedAddress } from '../../domain/slug.ts'
import type { Href } from '../../theme/view.ts'
import { isExternal } from '../markdown/urls.ts'

/** Addresses of pages and files of the site, as a document refers to them. */
export interface Links {
  /** @param path as in the address bar, e.g. `/docs/install`. */
  page(path: string): string
  /** @param key relative to the project's prefix, e.g. `_assets/theme.1f2e.css`. */
  file(key: string): string
  /** The files that the author's URLs may name, by path on the site; absent for none. */
  readonly media?: MediaSource | undefined
}

/** URL prefix of theme files. */
export function assetsHref(links: Links): string {
  return links.file('_assets/-').slice(0, -1)
}

/** Common prefix of a document's links to its own site. Documents with equal prefixes have equal links. */
export function linkPrefix(links: Links): string {
  return links.file('')
}

/** Relative links, which work wherever the site is served: at `/`, in a folder or under a customer's path. */
export function relativeLinks(fromPath: string, media?: MediaSource): Links {
  // All links start with `../`, so none can be mistaken for a scheme.
  const up = relativeFile(fromPath, '')
  if (up !== '')
    return { page: (path) => up + urlPath(pathFolder(path)), file: (key) => up + urlPath(key), media }
  return {
    media,
    page: (path) => withoutScheme(relativeHref(fromPath, path)),
    file: (key) => withoutScheme(relativeFile(fromPath, key)),
  }
}

/**
 * Links for a document outside its site, such as a preview.
 *
 * @param pages prefix of paths and of the site's files; ends with a slash.
 * @param files prefix of `_assets/…`, which comes with the document; ends with a slash.
 */
export function prefixedLinks(
  { pages, files }: { readonly pages: string; readonly files: string },
  media?: MediaSource,
): Links {
  return {
    media,
    page: (path) => pages + urlPath(pathFolder(path)),
    file: (key) => (key.startsWith('_assets/') ? files : pages) + urlPath(key),
  }
}

/** Links for a document that is served at any depth, such as `404.html`. */
export function absoluteLinks(origin: string, media?: MediaSource): Links {
  return prefixedLinks({ pages: `${origin}/`, files: `${origin}/` }, media)
}

/**
 * Maps a URL that an author wrote to the one to print; null when it is unsafe or malformed.
 *
 * Makes root-relative paths relative to the document, because the site may be served under any path. Relative URLs and
 * fragments stay unchanged.
 */
export function authorHref(raw: string, links: Links, kind: UrlKind): string | null {
  const url = safeUrl(raw, kind)
  return url?.startsWith('/') ? rootRelative(url, links, kind) : url
}

/** The root-relative URL of the file that a root-relative URL names; null when it names none. */
export function mediaHref(url: string, media: MediaSource | undefined): string | null {
  if (media === undefined || !url.startsWith('/')) return null
  const { segments, rest } = splitPath(url)
  const named = mediaAt(segments, media)
  return named === null ? null : `/${urlPath(named.key)}${rest}`
}

/** The file that a root-relative URL names; null when it names none. */
export function namedFile(url: string, media: MediaSource | undefined): MediaFile | null {
  return media === undefined || !url.startsWith('/') ? null : mediaAt(splitPath(url).segments, media)
}

/** Returns the function with which templates print authors' addresses. */
export function hrefIn(links: Links): Href {
  return (address) => (typeof address === 'string' ? authorHref(address, links, 'link') : null)
}

/** Reports whether an author's URL points to another site. */
export function isExternalUrl(raw: string): boolean {
  return isExternal(raw.trim())
}

/**
 * Path of the page that an author's URL points to, e.g. `/docs` for `/docs/?a#b`; null for URLs that point
 * elsewhere.
 */
export function pagePath(raw: string): string | null {
  const url = raw.trim()
  if (authorHref(url, relativeLinks('/'), 'link') === null || !/^\/(?!\/)/.test(url)) return null
  const { segments, isFile } = splitPath(url)
  return isFile ? null : `/${segments.map(addressSegment).join('/')}`
}

function rootRelative(url: string, links: Links, kind: UrlKind): string | null {
  const { segments, isFile, rest } = splitPath(url)
  const named = mediaAt(segments, links.media)
  if (named !== null) return links.file(named.key) + rest
  const path = segments.map(isFile || kind === 'image' ? readSegment : addressSegment).join('/')
  if (kind === 'image') return path === '' ? null : links.file(path) + rest
  return (isFile ? links.file(path) : links.page(`/${path}`)) + rest
}

/** The image or file that the path names; null for none. */
function mediaAt(segments: readonly string[], media: MediaSource | undefined): MediaFile | null {
  if (media === undefined) return null
  return fileAt(media, normalForm(segments.map(readSegment).join('/')))
}

/**
 * A segment of a page's path as the page has it. ASCII stays unchanged, because a folder of files may have capitals.
 */
function addressSegment(segment: string): string {
  const name = readSegment(segment)
  return /[^\x20-\x7e]/.test(name) ? foldedAddress(name) : name
}

/** A decoded segment, unless its escapes hide a slash: it would become several. */
function readSegment(segment: string): string {
  const name = decoded(segment)
  return /[/\\]/.test(name) ? segment : name
}

/** Resolves dot segments as browsers do at the root, so that no link leaves the site. */
function splitPath(url: string): { segments: readonly string[]; isFile: boolean; rest: string } {
  const end = url.search(/[?#]/)
  const path = end === -1 ? url : url.slice(0, end)
  const segments: string[] = []
  for (const segment of path.split('/')) {
    const plain = segment.replace(/%2e/gi, '.')
    if (plain === '..') segments.pop()
    else if (plain !== '' && plain !== '.') segments.push(segment)
  }
  const isFile = !path.endsWith('/') && isFilePath(segments.at(-1) ?? '')
  return { segments, isFile, rest: end === -1 ? '' : url.slice(end) }
}

/** A browser would read `a:b/` as a scheme. */
function withoutScheme(href: string): string {
  return schemeOf(href) !== null ? `./${href}` : href
}
