import { decoded, schemeOf } from '../../domain/author-url.ts'
import type { PageWarning } from '../../domain/diagnostic.ts'
import type { ProjectId } from '../../domain/ids.ts'
import { listingKey, listingPath } from '../../domain/listing.ts'
import { pathFolder } from '../../domain/route.ts'
import type { ContentLink } from '../../render/page/rendering.ts'
import type { LiveState } from '../ledger/live-state.ts'
import type { RenderedRelease } from './live-page-row.ts'

interface Target {
  readonly path: string
  readonly isFile: boolean
  /** Without its `#`; empty for the page as a whole. */
  readonly place: string
}

/**
 * The pages with a warning for each link of theirs that leads to a page of the site that is not live,
 * or to a place such a page does not have. Looks at what lies at these paths only, so that it costs the
 * same in a site of any size. Readers of sealed pages find their own ways, so those are left out.
 */
export async function withDeadLinkWarnings(
  projectId: ProjectId,
  pages: readonly RenderedRelease[],
  liveState: Pick<LiveState, 'linkTargets'>,
): Promise<readonly RenderedRelease[]> {
  const shown = pages.filter(isShown)
  const targets = shown.flatMap(({ placed, rendered }) =>
    rendered.links.flatMap((link) => {
      const target = targetOf(link, placed.path)
      return target === null || target.isFile ? [] : [target]
    }),
  )
  if (targets.length === 0) return pages
  const known = new Map(
    await liveState.linkTargets(projectId, [...new Set(targets.map(({ path }) => fileAt(path)))]),
  )
  for (const { placed, rendered } of shown) known.set(fileAt(placed.path), rendered.anchors)
  // The listing that it brings along.
  for (const { card } of shown) {
    const front = card.folder === null ? null : listingKey(listingPath(card.folder, null))
    if (front !== null && !known.has(front)) known.set(front, null)
  }

  return pages.map((page) => {
    const { placed, rendered } = page
    if (!isShown(page)) return page
    const dead = deadLinks(placed.path, rendered.links, known).map(
      ({ code, link: { at, href }, message }) => ({ code, at, message, written: href }),
    )
    return { ...page, rendered: { ...rendered, warnings: [...rendered.warnings, ...dead] } }
  })
}

function isShown({ placed }: RenderedRelease): boolean {
  return placed.site.hostingMode !== 'data_mode'
}

type Known = Pick<ReadonlyMap<string, Anchors | null>, 'get'>
/** Places of a page that links can lead to. */
export type Anchors = Pick<readonly string[], 'includes'>
type Files = Pick<ReadonlySet<string>, 'has'>

export interface DeadLink extends Pick<PageWarning, 'code' | 'message'> {
  readonly link: ContentLink
}

/**
 * Those of a page's links that lead to nothing.
 *
 * @param known what lies at the keys they may lead to, with the places of the page behind each; null
 *   where it is no page.
 * @param files keys of all files of the site; null where there may be others, which are not asked for.
 */
export function deadLinks(
  path: string,
  links: readonly ContentLink[],
  known: Known,
  files: Files | null = null,
): readonly DeadLink[] {
  return links.flatMap((link) => {
    const fault = faultOf(link, targetOf(link, path), known, files)
    return fault === null ? [] : [{ link, ...fault }]
  })
}

/** Keys of the pages of which some of the links ask for a place. */
export function fragmentTargets(path: string, links: readonly ContentLink[]): readonly string[] {
  const asking = links.filter(({ href }) => href.includes('#'))
  const keys = asking.flatMap((link) => {
    const target = targetOf(link, path)
    return target === null || target.isFile || target.place === '' ? [] : [fileAt(target.path)]
  })
  return [...new Set(keys)]
}

function faultOf(
  { href, kind }: ContentLink,
  target: Target | null,
  known: Known,
  files: Files | null,
): Omit<DeadLink, 'link'> | null {
  if (target === null) return null
  const { path, place, isFile } = target
  if (isFile) {
    if (files === null || files.has(decoded(path.slice(1))) || files.has(path.slice(1))) return null
    const why = /\.md$/i.test(path)
      ? 'no page is written in that file'
      : `the site has no file ${decoded(path)}`
    return deadLink('QN-DEADLINK', kind, href, why)
  }
  const anchors = known.get(fileAt(path))
  if (anchors === undefined) return deadLink('QN-DEADLINK', 'link', href, `no page is live at ${path}`)
  // Of what is no page of an author's the places are not known.
  if (place === '' || anchors === null || anchors.includes(place)) return null
  return deadLink('QN-DEAD-ANCHOR', 'link', href, `${path} has no place called #${place}`)
}

function deadLink(
  code: DeadLink['code'],
  kind: ContentLink['kind'],
  href: string,
  reason: string,
): Omit<DeadLink, 'link'> {
  return { code, message: `The ${kind} ${JSON.stringify(href.slice(0, 200))} is dead: ${reason}.` }
}

const FILE_NAME = /\.[a-z0-9]{1,8}$/i
/** A path from the root of the site in which nothing is escaped, and a place on the page: most links by far. */
const PLAIN_PATH = /^(\/[\w/-]*)(#[\w-]*)?$/

/** Null for what leads away from the site: other sites, mail. An image is always a file. */
function targetOf({ href, kind }: ContentLink, from: string): Target | null {
  const [, plain, place = ''] = PLAIN_PATH.exec(href) ?? []
  if (plain !== undefined && !plain.startsWith('//')) return targetAt(plain, place, kind)
  if (schemeOf(href) !== null || href.startsWith('//')) return null
  const base = `http://site.invalid/${pathFolder(from)}`
  if (!URL.canParse(href, base)) return null
  const { pathname, hash } = new URL(href, base)
  return targetAt(pathname, hash, kind)
}

function targetAt(pathname: string, hash: string, kind: ContentLink['kind']): Target {
  const path = normal(pathname)
  const isFile = kind === 'image' || FILE_NAME.test(path)
  return { path, isFile, place: hash === '' ? '' : decoded(hash.slice(1)) }
}

/** Without slashes that say nothing. */
function normal(pathname: string): string {
  const path = pathname.includes('//') ? pathname.replace(/\/{2,}/g, '/') : pathname
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}

function fileAt(path: string): string {
  return `${pathFolder(path)}index.html`
}
