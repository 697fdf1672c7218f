import { isJsonObject, type JsonValue } from '../../domain/json.ts'
import { textOf } from '../config/config-values.ts'
import { MAX_SIDEBAR_DEPTH } from '../config/site-nav.ts'
import type { NavItem } from '../conversion.ts'
import { bareName, routeOf } from '../page/page-route.ts'

/** The entries of a sidebar: a list, or lists by the path of their pages, each also with a `base`. */
export function sidebarNav(sidebar: JsonValue | undefined, base = '', depth = 0): readonly NavItem[] {
  if (depth > MAX_SIDEBAR_DEPTH) return []
  if (Array.isArray(sidebar)) return sidebar.flatMap((each) => itemOf(each, base, depth))
  if (!isJsonObject(sidebar)) return []
  return Object.entries(sidebar).flatMap(([, given]) => {
    if (isJsonObject(given) && given['items'] !== undefined)
      return sidebarNav(given['items'], textOf(given['base']) ?? base, depth + 1)
    return sidebarNav(given, base, depth + 1)
  })
}

function itemOf(given: JsonValue, base: string, depth: number): readonly NavItem[] {
  if (!isJsonObject(given)) return []
  const own = textOf(given['base']) ?? base
  const link = textOf(given['link'])
  const isOutside = link === undefined || /^[a-z][a-z+.-]*:/i.test(link)
  const children = sidebarNav(given['items'], own, depth + 1)
  const title = textOf(given['text'])?.replace(/<[^<>]*>/g, '') ?? null
  if (link === undefined && children.length === 0) return []
  return [{ title, route: isOutside ? null : routeOfLink(`${own}${link}`), children }]
}

function routeOfLink(link: string): string {
  return routeOf(bareName((link.split(/[?#]/)[0] ?? '').replace(/^\/+|\/$/g, '')))
}
