import { blogOf } from '../../domain/blog.ts'
import { decodedPath, readSubroute } from '../../domain/route.ts'
import { foldedAddress } from '../../domain/slug.ts'
import { listOf, textOf } from '../config/config-values.ts'
import type { NavItem, PageTarget, SourceSite } from '../conversion.ts'

/**
 * Gives pages their addresses in the source site, and articles the blog that they would have been in. A page keeps its
 * route when another page has the address, when no page can have it, and when it is in the folder of another language.
 */
export function withOriginalAddresses(site: SourceSite): SourceSite {
  const folders = listOf(site.fields['locales']).map(({ subroute }) => textOf(subroute) ?? '')
  const languageOf = (route: string) =>
    folders.filter((folder) => folder !== '' && `${route}/`.startsWith(`${folder}/`)).length
  const wanted = new Map(
    [...site.pages].flatMap(([path, target]): [string, string][] => {
      const route = formerRoute(target)
      return route !== null && languageOf(route) === languageOf(target.route) ? [[path, route]] : []
    }),
  )
  const kept = withoutConflicts(site.pages, wanted)
  const moves = new Map<string, string>()
  const pages = new Map(
    [...site.pages].map(([path, target]): [string, PageTarget] => {
      const route = kept.get(path) ?? target.route
      if (route === target.route) return [path, target]
      moves.set(target.route, route)
      return [path, { ...target, ...blogField(target, route), route }]
    }),
  )
  if (moves.size === 0) return site
  return {
    ...site,
    pages,
    order: new Map([...site.order].map(([route, at]) => [moves.get(route) ?? route, at])),
    ...(site.nav !== undefined && { nav: site.nav.map((item) => moved(item, moves)) }),
  }
}

/**
 * The wanted addresses without the ones that several pages would have. A hidden page, which nobody can visit, yields.
 */
function withoutConflicts(
  pages: ReadonlyMap<string, PageTarget>,
  wanted: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const paths = new Map<string, string[]>()
  for (const [path, { route }] of pages) {
    const at = wanted.get(path) ?? route
    const others = paths.get(at)
    if (others === undefined) paths.set(at, [path])
    else others.push(path)
  }
  const isHidden = (path: string) => pages.get(path)?.hidden !== undefined
  const yielding = [...paths.values()]
    .filter((sharing) => sharing.length > 1)
    .flatMap((sharing) => {
      const live = sharing.filter((path) => !isHidden(path))
      return live.length === 1 ? sharing.filter(isHidden) : sharing
    })
    .filter((path) => wanted.has(path))
  if (yielding.length === 0) return wanted
  return withoutConflicts(pages, new Map([...wanted].filter(([path]) => !yielding.includes(path))))
}

/** The address of a page as a route; an ending such as `.html` cannot be a part of it. Null where it can be none. */
function formerRoute({ originalPath, type }: PageTarget): string | null {
  const path = originalPath === undefined || type === 'list' ? null : decodedPath(originalPath)
  if (path === null) return null
  const bare = path.replace(/(?:(^|\/)index)?\.html$/, '$1')
  const route = readSubroute(bare, 'wide')
  return route === foldedAddress(bare.replace(/^\/+|\/+$/g, '')) ? route : null
}

/** The blog that an article states, where its new folder does not say it. */
function blogField(
  { type, blog: stated, route: former }: PageTarget,
  route: string,
): { readonly blog?: string } {
  if (type !== 'article' || stated !== undefined) return {}
  const blog = usualBlog(former)
  return blog === null || blog === usualBlog(route) ? {} : { blog }
}

function usualBlog(route: string): string | null {
  const [slug = '', ...above] = route.split('/').toReversed()
  return blogOf({ type: 'article', subroute: above.toReversed().join('/'), slug }, null)
}

function moved(item: NavItem, moves: ReadonlyMap<string, string>): NavItem {
  const { route, children } = item
  return {
    ...item,
    route: route === null ? null : (moves.get(route) ?? route),
    children: children.map((child) => moved(child, moves)),
  }
}
