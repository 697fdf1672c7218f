import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import { objectOf, textOf } from '../config/config-values.ts'
import { MAX_SIDEBAR_DEPTH } from '../config/site-nav.ts'
import type { NavItem } from '../conversion.ts'
import { routeOf } from '../page/page-route.ts'

/** The settings of a page for its entry in the sidebar. */
export interface PageFacts {
  readonly address: string
  readonly label: string | null
  readonly order: number | null
  readonly isHidden: boolean
}

export function factsOf({ sidebar }: JsonObject, address: string): PageFacts {
  const { label, order, hidden } = objectOf(sidebar)
  return {
    address,
    label: textOf(label) ?? null,
    order: typeof order === 'number' ? order : null,
    isHidden: hidden === true,
  }
}

/** The badge next to the entry of a page. */
export function badgeOf({ sidebar }: JsonObject): string | undefined {
  const { badge } = objectOf(sidebar)
  return textOf(badge) ?? textOf(objectOf(badge)['text'])
}

/** The sidebar in one language. The empty locale is the main language. */
export function starlightNav(
  sidebar: JsonValue | undefined,
  facts: ReadonlyMap<string, PageFacts>,
  locale: string,
  locales: ReadonlyMap<string, string>,
): readonly NavItem[] {
  const prefix = locale === '' ? '' : `${locale}/`
  const tag = locales.get(locale) ?? ''
  const own = [...facts].filter(([, { address }]) =>
    locale === '' ? !locales.has(address.split('/')[0] ?? '') : address.startsWith(prefix),
  )
  return Array.isArray(sidebar) ? sidebar.flatMap((each) => itemOf(each, 0)) : folderItems('')

  function itemOf(given: JsonValue, depth: number): readonly NavItem[] {
    if (depth > MAX_SIDEBAR_DEPTH) return []
    if (typeof given === 'string') return pageItem(given, null)
    if (!isJsonObject(given)) return []
    const { slug, link, items, autogenerate } = given
    const label = textOf(objectOf(given['translations'])[tag]) ?? textOf(given['label']) ?? null
    if (typeof slug === 'string') return pageItem(slug, label)
    if (typeof link === 'string') return pageItem(link.replace(/^\/+|\/+$/g, ''), label)
    const children = [
      ...(Array.isArray(items) ? items.flatMap((each) => itemOf(each, depth + 1)) : []),
      ...(isJsonObject(autogenerate) ? folderItems(String(autogenerate['directory'] ?? '')) : []),
    ]
    return label === null ? children : [{ title: label, route: null, children }]
  }

  function pageItem(address: string, title: string | null): readonly NavItem[] {
    const route = routeOf(`${prefix}${address}`)
    const page = facts.get(route)
    // Entries of a page in a language that lacks it are not shown.
    if (page === undefined)
      return locale === '' ? [{ title: title ?? address, route: null, children: [] }] : []
    return [{ title: title ?? page.label, route, children: [] }]
  }

  /** The pages of a folder by their `order`, then by path. */
  function folderItems(directory: string): readonly NavItem[] {
    const folder = `${prefix}${directory}`.replace(/\/+$/, '')
    const inside = own.filter(
      ([, { address, isHidden }]) =>
        !isHidden && (folder === '' || address === folder || address.startsWith(`${folder}/`)),
    )
    return inside
      .toSorted(
        ([, one], [, other]) =>
          (one.order ?? Number.MAX_VALUE) - (other.order ?? Number.MAX_VALUE) ||
          (one.address < other.address ? -1 : 1),
      )
      .map(([route, { label }]) => ({ title: label, route, children: [] }))
  }
}
