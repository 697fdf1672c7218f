import type { JsonValue } from '../../domain/json.ts'
import { objectOf } from '../config/config-values.ts'
import { MAX_SIDEBAR_DEPTH } from '../config/site-nav.ts'
import type { NavItem } from '../conversion.ts'

/** The entries of `nav`: paths, titled paths, and titled groups. */
export function mkdocsNav(
  nav: JsonValue | undefined,
  routes: ReadonlyMap<string, string>,
  depth = 0,
): readonly NavItem[] {
  if (!Array.isArray(nav) || depth > MAX_SIDEBAR_DEPTH) return []
  return nav.flatMap((entry): NavItem[] => {
    if (typeof entry === 'string') return pageItem(entry, null)
    return Object.entries(objectOf(entry)).flatMap(([title, value]): NavItem[] => {
      if (typeof value === 'string') return pageItem(value, title)
      const children = mkdocsNav(value, routes, depth + 1)
      // A page without a title that is the index of its folder is the page of the group.
      const [first, ...rest] = children
      return first !== undefined && first.title === null && first.children.length === 0 && isIndex(value)
        ? [{ title, route: first.route, children: rest }]
        : [{ title, route: null, children }]
    })
  })

  function pageItem(path: string, title: string | null): NavItem[] {
    const route = routes.get(path.replace(/^\.?\//, ''))
    return [{ title: route === undefined ? (title ?? path) : title, route: route ?? null, children: [] }]
  }
}

function isIndex(group: JsonValue): boolean {
  return Array.isArray(group) && typeof group[0] === 'string' && /(^|\/)(index|README)\.md$/.test(group[0])
}
