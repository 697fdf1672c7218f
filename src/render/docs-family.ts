import type { PageId } from '../domain/ids.ts'
import type { LiveFacts } from '../domain/live-page.ts'

/** Who stands beneath whom among the live docs pages, by their `parent_page` alone. */
export interface DocsFamily {
  /** In reading order of siblings: by `nav_order`, title, then slug. */
  readonly members: readonly Member[]
  /** The pages right beneath one. */
  readonly childrenOf: (page: LiveFacts) => readonly Member[]
}

export interface Member {
  readonly page: LiveFacts
  /** Subroute of the topmost ancestor: the navigation the page stands in. */
  readonly home: string
  readonly isTop: boolean
}

/** Deeper pages stand beside their parent: nobody reads a deeper sidebar, and JSON has its limits. */
const MAX_DEPTH = 16

/** A parent that is not live, or beneath the page itself, counts as none. */
export function docsFamily(pages: readonly LiveFacts[]): DocsFamily {
  const places = findPlaces(pages)
  const children = new Map<PageId, Member[]>()
  const members: Member[] = []
  for (const page of [...pages].sort(bySiblingOrder)) {
    const { home, parent } = places.get(page.id) ?? topPlace(page)
    const member: Member = { page, home, isTop: parent === null }
    members.push(member)
    if (parent === null) continue
    const siblings = children.get(parent)
    if (siblings === undefined) children.set(parent, [member])
    else siblings.push(member)
  }
  return { members, childrenOf: ({ id }) => children.get(id) ?? [] }
}

/** The subroute that the navigation of each page belongs to. */
export function homesOf(pages: readonly LiveFacts[]): ReadonlyMap<PageId, string> {
  return new Map([...findPlaces(pages)].map(([id, { home }]) => [id, home]))
}

interface Place {
  readonly home: string
  readonly depth: number
  readonly parent: PageId | null
}

function findPlaces(pages: readonly LiveFacts[]): ReadonlyMap<PageId, Place> {
  const byId = new Map(pages.map((page) => [page.id, page]))
  const places = new Map<PageId, Place>()
  for (const start of pages) {
    if (parentOf(start, byId) === null) {
      places.set(start.id, topPlace(start))
      continue
    }
    const climbed: LiveFacts[] = []
    const seen = new Set<PageId>()
    let next: LiveFacts | null = start
    while (next !== null && !places.has(next.id) && !seen.has(next.id)) {
      climbed.push(next)
      seen.add(next.id)
      next = parentOf(next, byId)
    }
    // From here on up, the climb goes round in a circle.
    const circle = next !== null && seen.has(next.id) ? climbed.indexOf(next) : climbed.length
    for (const [index, page] of [...climbed.entries()].reverse()) {
      const parent = index < circle ? parentOf(page, byId) : null
      const place = parent === null ? undefined : places.get(parent.id)
      places.set(
        page.id,
        parent === null || place === undefined ? topPlace(page) : placeBeneath(parent, place),
      )
    }
  }
  return places
}

function parentOf({ parentPage }: LiveFacts, byId: ReadonlyMap<PageId, LiveFacts>): LiveFacts | null {
  return parentPage === null ? null : (byId.get(parentPage) ?? null)
}

function topPlace({ subroute }: LiveFacts): Place {
  return { home: subroute, depth: 0, parent: null }
}

function placeBeneath(parent: LiveFacts, place: Place): Place {
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

/** The same on every machine, unlike `localeCompare`. */
export function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
