import type { PageId } from '../../domain/ids.ts'
import type { LiveFacts } from '../../domain/live-page.ts'

/** Parent-child relations of the live docs pages, from `parent_page` alone. */
export interface DocsFamily {
  readonly pages: readonly LiveFacts[]
  /** Pages without a parent by subroute. Siblings are in reading order: by `nav_order`, title, then slug. */
  readonly topLevel: ReadonlyMap<string, readonly LiveFacts[]>
  /** Direct children of a page. */
  readonly childrenOf: (page: LiveFacts) => readonly LiveFacts[]
  readonly homeOf: HomeOf
}

/** Subroute of the page's topmost ancestor, which identifies the navigation that contains the page. */
export type HomeOf = (page: LiveFacts) => string

/**
 * Deeper pages become siblings of their parent. A deeper sidebar is unreadable, and JSON parsers limit
 * nesting.
 */
const MAX_DEPTH = 16

/** A parent that is not live, or is a descendant of the page itself, counts as none. */
export function docsFamily(pages: readonly LiveFacts[]): DocsFamily {
  const placeOf = findPlacements(pages)
  const topLevel = new Map<string, LiveFacts[]>()
  const children = new Map<PageId, LiveFacts[]>()
  for (const page of pages) {
    const { home, parent } = placeOf(page)
    if (parent === null) add(topLevel, home, page)
    else add(children, parent, page)
  }
  for (const siblings of topLevel.values()) siblings.sort(bySiblingOrder)
  for (const siblings of children.values()) siblings.sort(bySiblingOrder)
  return {
    pages,
    topLevel,
    childrenOf: ({ id }) => children.get(id) ?? NO_PAGES,
    homeOf: (page) => placeOf(page).home,
  }
}

const NO_PAGES: readonly LiveFacts[] = []

export function homesOf(pages: readonly LiveFacts[]): HomeOf {
  const placeOf = findPlacements(pages)
  return (page) => placeOf(page).home
}

interface Placement {
  readonly home: string
  readonly depth: number
  readonly parent: PageId | null
}

/** Pages without a parent, which are most, need no lookup. */
function findPlacements(pages: readonly LiveFacts[]): (page: LiveFacts) => Placement {
  const beneath = pages.filter(({ parentPage }) => parentPage !== null)
  if (beneath.length === 0) return topPlacement
  const byId = new Map(pages.map((page) => [page.id, page]))
  const places = new Map<PageId, Placement>()
  for (const start of beneath) {
    const climbed: LiveFacts[] = []
    const seen = new Set<PageId>()
    let next: LiveFacts | null = start
    while (next !== null && !places.has(next.id) && !seen.has(next.id)) {
      climbed.push(next)
      seen.add(next.id)
      next = parentOf(next, byId)
    }
    // Pages from this index on are part of a cycle.
    const circle = next !== null && seen.has(next.id) ? climbed.indexOf(next) : climbed.length
    for (const [index, page] of [...climbed.entries()].reverse()) {
      const parent = index < circle ? parentOf(page, byId) : null
      const place = parent === null ? undefined : places.get(parent.id)
      places.set(
        page.id,
        parent === null || place === undefined ? topPlacement(page) : childPlacement(parent, place),
      )
    }
  }
  return (page) => places.get(page.id) ?? topPlacement(page)
}

function parentOf({ parentPage }: LiveFacts, byId: ReadonlyMap<PageId, LiveFacts>): LiveFacts | null {
  return parentPage === null ? null : (byId.get(parentPage) ?? null)
}

function topPlacement({ subroute }: LiveFacts): Placement {
  return { home: subroute, depth: 0, parent: null }
}

function childPlacement(parent: LiveFacts, place: Placement): Placement {
  return place.depth < MAX_DEPTH ? { home: place.home, depth: place.depth + 1, parent: parent.id } : place
}

function bySiblingOrder(a: LiveFacts, b: LiveFacts): number {
  return (
    a.navOrder - b.navOrder ||
    byCodeUnit(a.title, b.title) ||
    byCodeUnit(a.slug, b.slug) ||
    byCodeUnit(a.subroute, b.subroute)
  )
}

/** Compares by UTF-16 code unit: the same on every machine, unlike `localeCompare`. */
export function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function add<Key>(lists: Map<Key, LiveFacts[]>, key: Key, page: LiveFacts): void {
  const before = lists.get(key)
  if (before === undefined) lists.set(key, [page])
  else before.push(page)
}
