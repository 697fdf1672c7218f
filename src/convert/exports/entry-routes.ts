import { decodedPath, readSubroute } from '../../domain/route.ts'
import { foldedAddress } from '../../domain/slug.ts'
import { foldersOf, routeOf } from '../page/page-route.ts'
import type { EntryOutline } from './exported-site.ts'

/** The place of an entry in the new site. */
export interface EntryRoute {
  readonly route: string
  /** The path of its file in the new folder. */
  readonly file: string
}

export interface EntryRoutes {
  readonly byId: ReadonlyMap<string, EntryRoute>
  /** Routes by the folded addresses of the source site. */
  readonly byAddress: ReadonlyMap<string, string>
  /** The folder of the blog of all articles. Empty for the front page. */
  readonly blog: string
}

/** Gives each entry its address, or the nearest that it can have. Hidden entries yield to published ones. */
export function entryRoutes(outlines: readonly EntryOutline[]): EntryRoutes {
  const routes = new Map<string, string>()
  const taken = new Set<string>()
  const byAddress = new Map<string, string>()
  const shown = outlines.filter(({ isPostList }) => isPostList !== true)
  const list = outlines.find(({ isPostList }) => isPostList === true)
  const isPublic = ({ hidden }: EntryOutline) => hidden === undefined
  for (const outline of [...shown.filter(isPublic), ...shown.filter((each) => !isPublic(each))]) {
    const route = freeRoute(wantedRoute(outline.address), taken)
    taken.add(route)
    routes.set(outline.id, route)
    if (isPublic(outline)) byAddress.set(foldedPath(outline.address), route)
  }
  const folders = new Set([...routes.values()].flatMap(foldersOf))
  const byId = new Map(
    [...routes].map(([id, route]): [string, EntryRoute] => {
      const name = route === '' ? 'index' : folders.has(route) ? `${route}/index` : route
      return [id, { route, file: `${name}.md` }]
    }),
  )
  // A list cannot be at the address of a page.
  const blog = list === undefined ? (taken.has('') ? 'blog' : '') : wantedRoute(list.address)
  return { byId, byAddress, blog: taken.has(blog) ? 'posts' : blog }
}

/** An address as a route. An ending such as `.html` cannot be a part of it. */
function wantedRoute(address: string): string {
  const path = (decodedPath(address) ?? address).replace(/(?:(^|\/)index)?\.(?:html?|php)$/, '$1')
  const route = readSubroute(path, 'wide')
  return route !== null && route === foldedAddress(path.replace(/^\/+|\/+$/g, '')) ? route : routeOf(path)
}

function freeRoute(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted
  for (let number = 2; ; number++) {
    const route = `${wanted === '' ? 'home' : wanted}-${number}`
    if (!taken.has(route)) return route
  }
}

/** One form of the spellings of a path. */
export function foldedPath(path: string): string {
  return foldedAddress(`/${(decodedPath(path) ?? path).replace(/^\/+|\/+$/g, '')}`)
}
