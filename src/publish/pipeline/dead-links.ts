import { posix } from 'node:path'
import { decoded, schemeOf } from '../../domain/author-url.ts'
import type { PageWarning } from '../../domain/diagnostic.ts'
import type { ProjectId } from '../../domain/ids.ts'
import { listingKey, listingPath, placesOf } from '../../domain/listing.ts'
import type { LiveCard } from '../../domain/live-page.ts'
import type { Locale } from '../../domain/locale.ts'
import type { MediaSource } from '../../domain/media.ts'
import { nameIn } from '../../domain/media-names.ts'
import { parseUrl } from '../../domain/parse-url.ts'
import { isFilePath, pathFolder, pathOfUrl, urlPath } from '../../domain/route.ts'
import { SITE_ICON_KEYS } from '../../domain/site-icons.ts'
import { siteTagsFolder, tagsFolder } from '../../domain/tag-list.ts'
import { mediaHref } from '../../render/links/links.ts'
import type { ContentLink } from '../../render/page/rendering.ts'
import type { LiveState } from '../ledger/live-state.ts'
import type { RenderedRelease } from './live-page-row.ts'

interface Target {
  readonly path: string
  readonly isFile: boolean
  /** The decoded fragment without its `#`; empty for a link to the page as a whole. */
  readonly fragment: string
}

/**
 * Adds a warning to the pages for each of their links whose target is not live, or has no such anchor.
 *
 * Reads only the objects at the target paths, so its cost does not depend on the size of the site. Pages in Data
 * Mode are skipped, because their readers resolve links themselves.
 */
export async function withDeadLinkWarnings(
  projectId: ProjectId,
  pages: readonly RenderedRelease[],
  liveState: Pick<LiveState, 'linkTargets'>,
): Promise<readonly RenderedRelease[]> {
  const shown = pages.filter(isShown)
  const links = shown.flatMap(({ placed, rendered }) =>
    pageLinks(rendered.links, placed.media).map((link) => ({ link, path: placed.path })),
  )
  if (links.length === 0) return pages
  const targets = links.flatMap(({ link, path }) => {
    const target = targetOf(link, path)
    if (target === null || (target.isFile && link.kind === 'link')) return []
    return [target.isFile ? fileKey(target.path) : pageKey(target.path)]
  })
  const known = new Map(
    targets.length === 0 ? [] : await liveState.linkTargets(projectId, [...new Set(targets)]),
  )
  for (const { placed, rendered } of shown) known.set(pageKey(placed.path), rendered.anchors)
  // The first publish of a site brings its icons along.
  for (const key of SITE_ICON_KEYS) known.set(key, null)
  // The batch also publishes the front pages of each article's listings.
  for (const { card, placed } of shown) {
    for (const folder of listFoldersOf(card, placed.settings.locales)) {
      const front = listingKey(listingPath(folder, null))
      if (!known.has(front)) known.set(front, null)
    }
  }

  return pages.map((page) => {
    const { placed, rendered } = page
    if (!isShown(page)) return page
    const dead = deadLinks(placed.path, pageLinks(rendered.links, placed.media), known).map(
      ({ code, link: { at, href }, message }) => ({ code, at, message, written: href }),
    )
    return { ...page, rendered: { ...rendered, warnings: [...rendered.warnings, ...dead] } }
  })
}

/** Links to anything but published files. */
function pageLinks(links: readonly ContentLink[], media: MediaSource | undefined): readonly ContentLink[] {
  return media === undefined ? links : links.filter(({ href }) => mediaHref(href, media) === null)
}

/** Folders of the generated pages of an article. */
function listFoldersOf(card: LiveCard, locales: readonly Locale[]): readonly string[] {
  const folders = placesOf(card).map(({ folder }) => folder)
  return card.folder === null || card.tags.length === 0
    ? folders
    : [...folders, tagsFolder(card.folder), siteTagsFolder(card.folder, locales)]
}

function isShown({ placed }: RenderedRelease): boolean {
  return placed.site.hostingMode !== 'data_mode'
}

type Known = Pick<ReadonlyMap<string, Anchors | null>, 'get'>
/** Ids in a page, as targets of links. */
export type Anchors = Pick<readonly string[], 'includes'>
type Files = Pick<ReadonlySet<string>, 'has'>

export interface DeadLink extends Pick<PageWarning, 'code' | 'message'> {
  readonly link: ContentLink
}

/**
 * Finds the links of a page that have no target.
 *
 * @param known the anchors of the page at each key; null for an object that is not a page.
 * @param files keys of all files of the site; null when they are not listed: of files, only pictures that are not `known`
 *   are then dead.
 * @param source path of the page's file in a content folder, from which its author wrote relative links; null if it has none.
 */
export function deadLinks(
  path: string,
  links: readonly ContentLink[],
  known: Known,
  files: Files | null = null,
  source: string | null = null,
): readonly DeadLink[] {
  return links.flatMap((link) => {
    const problem = problemOf(link, targetOf(link, path), known, files, source)
    return problem === null ? [] : [{ link, ...problem }]
  })
}

/** Keys of the pages linked with a `#fragment`. */
export function fragmentTargets(path: string, links: readonly ContentLink[]): readonly string[] {
  const withFragment = links.filter(({ href }) => href.includes('#'))
  const keys = withFragment.flatMap((link) => {
    const target = targetOf(link, path)
    return target === null || target.isFile || target.fragment === '' ? [] : [pageKey(target.path)]
  })
  return [...new Set(keys)]
}

function problemOf(
  { href, kind }: ContentLink,
  target: Target | null,
  known: Known,
  files: Files | null,
  source: string | null,
): Omit<DeadLink, 'link'> | null {
  if (target === null) return null
  const { path, fragment, isFile } = target
  const anchors = known.get(pageKey(path))
  // A page may be named like a file, such as `/api/router.link`.
  if (isFile && (kind === 'image' || anchors === undefined)) {
    if (files === null) {
      // Names of assets are judged by the assets of the release.
      if (kind === 'link' || nameIn(path) !== null || known.get(fileKey(path)) !== undefined) return null
      const missing = href.startsWith('/')
        ? `nothing is published at ${path}`
        : 'a published page has no files next to it'
      const why = `${missing}. Upload the picture and write /media/ and its name`
      return deadLink('QN-DEADLINK', kind, href, why)
    }
    if (files.has(decoded(path.slice(1))) || files.has(path.slice(1))) return null
    const why = /\.md$/i.test(path)
      ? 'no page of the site comes from this file'
      : missingFile(href, path, source)
    return deadLink('QN-DEADLINK', kind, href, why)
  }
  // A file may have no extension, such as `LICENSE`.
  if (anchors === undefined && files?.has(decoded(path.slice(1)))) return null
  if (anchors === undefined) return deadLink('QN-DEADLINK', 'link', href, `no page is live at ${path}`)
  // The anchors of generated pages, such as listings, are not known.
  if (fragment === '' || anchors === null || anchors.includes(fragment)) return null
  return deadLink('QN-DEAD-ANCHOR', 'link', href, `${path} has no anchor #${fragment}`)
}

/** Names the file where its author would put it: next to the page's own for a relative link. */
function missingFile(href: string, path: string, source: string | null): string {
  const [written = ''] = href.split(/[?#]/, 1)
  const beside =
    source === null || written.startsWith('/') ? null : posix.join(posix.dirname(source), decoded(written))
  return beside === null || beside.startsWith('..')
    ? `the site has no file ${decoded(path)}`
    : `the folder has no file ${beside}`
}

function deadLink(
  code: DeadLink['code'],
  kind: ContentLink['kind'],
  href: string,
  reason: string,
): Omit<DeadLink, 'link'> {
  return { code, message: `The ${kind} ${JSON.stringify(href.slice(0, 200))} is dead: ${reason}.` }
}

/** An absolute path without escapes, optionally with a fragment. Most links match, and skip the URL parser. */
const PLAIN_PATH = /^(\/[\w/-]*)(#[\w-]*)?$/

/** Target of a link on the site; null for other sites and mail. An image is always a file. */
function targetOf({ href, kind }: ContentLink, from: string): Target | null {
  const [, plain, fragment = ''] = PLAIN_PATH.exec(href) ?? []
  if (plain !== undefined && !plain.startsWith('//')) return targetAt(plain, fragment, kind)
  if (schemeOf(href) !== null || href.startsWith('//')) return null
  const base = `http://site.invalid/${urlPath(pathFolder(from))}`
  const url = parseUrl(href, base)
  return url === null ? null : targetAt(url.pathname, url.hash, kind)
}

function targetAt(pathname: string, hash: string, kind: ContentLink['kind']): Target {
  const written = normalized(pathname)
  const isFile = kind === 'image' || (isFilePath(written) && !pathname.endsWith('/'))
  const path = isFile || !written.includes('%') ? written : (pathOfUrl(written) ?? written)
  return { path, isFile, fragment: fragmentOf(hash) }
}

/**
 * The part of a page that must be there; empty for the whole page. `#top` is the top of any page, and browsers cut off
 * what begins with `:~:`. Sources: HTML § 7.4.6.3, https://wicg.github.io/scroll-to-text-fragment/.
 */
function fragmentOf(hash: string): string {
  const [name = ''] = hash.slice(1).split(':~:', 1)
  return name.toLowerCase() === 'top' ? '' : decoded(name)
}

/** Collapses repeated slashes and removes a trailing one. */
function normalized(pathname: string): string {
  const path = pathname.includes('//') ? pathname.replace(/\/{2,}/g, '/') : pathname
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}

function fileKey(path: string): string {
  return decoded(path.slice(1))
}

function pageKey(path: string): string {
  return `${pathFolder(path)}index.html`
}
