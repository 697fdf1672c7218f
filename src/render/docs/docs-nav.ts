import type { DocsContext, LiveFacts, NavNode } from '../../domain/live-page.ts'
import { NOT_FOUND_PATH } from '../../domain/not-found-page.ts'
import type { DocsNavEntry } from '../../domain/settings.ts'
import { contextAt, indexPositions, type TreePosition } from './docs-branch.ts'
import { byCodeUnit, docsFamily } from './docs-family.ts'
import { buildTrees } from './docs-order.ts'

/** Navigation trees by subroute. A page is in the tree of its topmost ancestor. */
export type DocsTrees = ReadonlyMap<string, readonly NavNode[]>

/** Cache. Most publishes do not change the navigation and pass the same array of facts. */
const treeCache = new WeakMap<readonly LiveFacts[], { readonly order: string; readonly trees: DocsTrees }>()

/**
 * Builds the navigation of all live docs pages. A non-empty `docsNav` orders and groups the pages it names;
 * the others follow by parent, `nav_order` and title. Takes time linear in the number of pages.
 */
export function docsTrees(facts: readonly LiveFacts[], docsNav: readonly DocsNavEntry[]): DocsTrees {
  const order = JSON.stringify(docsNav)
  const cached = treeCache.get(facts)
  if (cached?.order === order) return cached.trees
  const family = docsFamily(facts.filter(({ type, path }) => type === 'docs' && path !== NOT_FOUND_PATH))
  const trees = new Map([...buildTrees(family, docsNav)].sort(([a], [b]) => byCodeUnit(a, b)))
  treeCache.set(facts, { order, trees })
  return trees
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
