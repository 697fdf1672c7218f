import { posix } from 'node:path'
import type { PageTarget } from '../conversion.ts'

/** A year, with its month and day, in the address or the path of an article. */
const DATE = /(?:^|\/)(\d{4})(?:[/-](\d{1,2}))?(?:[/-](\d{1,2}))?(?=[/-])/

/**
 * Gives articles that would share a route the folders of their dates, as many as tell them apart: posts of one name in
 * several years had addresses of their own. Articles without a date keep the route.
 */
export function distinctRoutes(pages: ReadonlyMap<string, PageTarget>): ReadonlyMap<string, PageTarget> {
  const sharing = new Map<string, [path: string, target: PageTarget][]>()
  for (const [path, target] of pages) {
    if (target.type !== 'article' || target.hidden !== undefined) continue
    const others = sharing.get(target.route)
    if (others === undefined) sharing.set(target.route, [[path, target]])
    else others.push([path, target])
  }
  const moved = [...sharing.values()].filter((articles) => articles.length > 1).flatMap(apart)
  return moved.length === 0 ? pages : new Map([...pages, ...moved])
}

function apart(articles: readonly [string, PageTarget][]): readonly [string, PageTarget][] {
  for (const folders of [1, 2, 3]) {
    const dated = articles.map(([path, target]): [string, PageTarget] => [
      path,
      datedTarget(path, target, folders),
    ])
    if (new Set(dated.map(([, { route }]) => route)).size === articles.length) return dated
  }
  return articles
}

/** @param folders 1 for the year, 2 for the year and the month, 3 for the day as well. */
function datedTarget(path: string, target: PageTarget, folders: number): PageTarget {
  const [, ...date] = DATE.exec(target.originalPath ?? '') ?? DATE.exec(path) ?? []
  const names = date.filter((name) => name !== undefined).map((name) => name.padStart(2, '0'))
  const { route } = target
  return {
    ...target,
    route: posix.join(posix.dirname(route), ...names.slice(0, folders), posix.basename(route)),
  }
}
