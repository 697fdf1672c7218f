import type { DocsContext, LiveFacts, NavNode } from '../../domain/live-page.ts'
import type { DocsNavEntry } from '../../domain/settings.ts'
import { contextAt, findSpots, type Spot } from './docs-branch.ts'
import { byCodeUnit, docsFamily } from './docs-family.ts'
import { layOut } from './docs-order.ts'

/** Docs navigation by the subroute it belongs to. A page stands in that of its topmost ancestor. */
export type DocsTrees = ReadonlyMap<string, readonly NavNode[]>

/** Publishing a page mostly leaves the navigation as it is; the facts are then the same array. */
const treesOf = new WeakMap<readonly LiveFacts[], { readonly order: string; readonly trees: DocsTrees }>()

/**
 * The navigation of all docs pages that are live. A non-empty `docsNav` orders and groups what it
 * names; the others follow by parent, `nav_order` and title. Takes time in proportion to the pages.
 */
export function docsTrees(facts: readonly LiveFacts[], docsNav: readonly DocsNavEntry[]): DocsTrees {
  const order = JSON.stringify(docsNav)
  const made = treesOf.get(facts)
  if (made?.order === order) return made.trees
  const family = docsFamily(facts.filter(({ type }) => type === 'docs'))
  const trees = new Map([...layOut(family, docsNav)].sort(([a], [b]) => byCodeUnit(a, b)))
  treesOf.set(facts, { order, trees })
  return trees
}

/** Trees are looked through at the first question only; a batch asks about each of its pages. */
const spotsOf = new WeakMap<DocsTrees, ReadonlyMap<string, Spot>>()

/** What the page at `path` shows of the navigation; null when it stands in none of the trees. */
export function docsContext(trees: DocsTrees, path: string): DocsContext | null {
  const spots = spotsOf.get(trees) ?? findSpots(trees)
  spotsOf.set(trees, spots)
  const spot = spots.get(path)
  return spot === undefined ? null : contextAt(spot)
}

/** The shared navigation file of a subroute, and the page that lists all of it. */
export function navKeys(home: string): readonly [file: string, page: string] {
  return [`${navName(home)}.json`, `${navName(home)}/index.html`]
}

/** The path of the page that lists all docs pages of a subroute. */
export function navPagePath(home: string): string {
  return `/${navName(home)}`
}

/** A slug has letters or digits, so none is called `_`. */
function navName(home: string): string {
  return `_nav/${home === '' ? '_' : home}`
}
