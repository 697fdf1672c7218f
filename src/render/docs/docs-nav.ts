import { settingsOfLocale } from '../../domain/by-locale.ts'
import type { DocsContext, LiveFacts, NavNode } from '../../domain/live-page.ts'
import { defaultLocale } from '../../domain/locale.ts'
import { NOT_FOUND_PATH } from '../../domain/not-found-page.ts'
import type { Settings } from '../../domain/settings.ts'
import { latestScope } from '../../domain/version.ts'
import { contextAt, indexPositions, type TreePosition } from './docs-branch.ts'
import { byCodeUnit, docsFamily } from './docs-family.ts'
import { buildTrees, type NavOrders } from './docs-order.ts'

/** Navigation trees by subroute. A page is in the tree of its topmost ancestor. */
export type DocsTrees = ReadonlyMap<string, readonly NavNode[]>

/** Cache. Most publishes do not change the navigation and pass the same array of facts. */
const treeCache = new WeakMap<readonly LiveFacts[], { readonly order: string; readonly trees: DocsTrees }>()

/** The settings that docs navigation follows from. */
export type NavSettings = Pick<Settings, 'docsNav'> &
  Partial<Pick<Settings, 'byLocale' | 'locales' | 'versions'>>

/**
 * Builds the navigation of all live docs pages. A non-empty `docsNav` orders and groups the pages it names, and their
 * translations in languages without one; the others follow by parent, `nav_order` and title. Takes time linear in the
 * number of pages, and in the number of entries times languages.
 */
export function docsTrees(facts: readonly LiveFacts[], settings: NavSettings): DocsTrees {
  const orders = navOrders(settings)
  const order = JSON.stringify(orders)
  const cached = treeCache.get(facts)
  if (cached?.order === order) return cached.trees
  const family = docsFamily(facts.filter(({ type, path }) => type === 'docs' && path !== NOT_FOUND_PATH))
  const trees = new Map([...buildTrees(family, orders)].sort(([a], [b]) => byCodeUnit(a, b)))
  treeCache.set(facts, { order, trees })
  return trees
}

/** Reports whether the owner orders the navigation of one of the languages. */
export function isNavOrdered(settings: NavSettings): boolean {
  const { docsNav, languages } = navOrders(settings)
  return docsNav.length > 0 || languages.some((language) => (language.docsNav ?? []).length > 0)
}

/** Identifies the order of the navigation: equal texts give equal trees of the same pages. */
export function navOrderText(settings: NavSettings): string {
  return JSON.stringify(navOrders(settings))
}

function navOrders({ docsNav, byLocale = {}, locales = [], versions = [] }: NavSettings): NavOrders {
  const languages = locales.map((locale) => ({
    code: locale.code,
    latest: latestScope(locale.code, { versions }),
    docsNav: settingsOfLocale({ byLocale }, locale).docs_nav ?? null,
  }))
  const own = languages.find(({ code }) => code === defaultLocale(locales)?.code)
  return {
    docsNav,
    main: own?.docsNav ?? docsNav,
    languages: languages.filter((language) => language !== own),
  }
}

/** Cache. Trees are indexed on the first request, and a batch asks for each of its pages. */
const positionCache = new WeakMap<DocsTrees, ReadonlyMap<string, TreePosition>>()

/** The navigation that the page at `path` shows; null when no tree contains it. */
export function docsContext(trees: DocsTrees, path: string): DocsContext | null {
  const spots = positionCache.get(trees) ?? indexPositions(trees)
  positionCache.set(trees, spots)
  const spot = spots.get(path)
  return spot === undefined ? null : contextAt(spot)
}

/** Paths of all pages of the navigation, in the order in which the sidebars show them. */
export function docsOrder(trees: DocsTrees): readonly string[] {
  const known = orderCache.get(trees)
  if (known !== undefined) return known
  const pathsIn = (nodes: readonly NavNode[]): string[] =>
    nodes.flatMap(({ path, children }) => [...(path === null ? [] : [path]), ...pathsIn(children)])
  const order = [...trees.values()].flatMap(pathsIn)
  orderCache.set(trees, order)
  return order
}

/** Cache. Most publishes do not change the navigation and pass the same trees. */
const orderCache = new WeakMap<DocsTrees, readonly string[]>()

/** Keys of a subroute's navigation file and of the page that lists the whole navigation. */
export function navKeys(home: string): readonly [file: string, page: string] {
  return [`${navName(home)}.json`, `${navName(home)}/index.html`]
}

/** Path of the page that lists the whole navigation of a subroute. */
export function navPagePath(home: string): string {
  return `/${navName(home)}`
}

/** `_` stands for the root. No slug is `_`, because slugs contain a letter or digit. */
function navName(home: string): string {
  return `_nav/${home === '' ? '_' : home}`
}
