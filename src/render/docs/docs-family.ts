import type { PageId } from '../../domain/ids.ts'
import type { LiveFacts } from '../../domain/live-page.ts'
import { naturalOrder } from '../../domain/natural-order.ts'

/** Parent-child relations of the live docs pages, from `parent_page` and their folders. */
export interface DocsFamily {
  readonly pages: readonly LiveFacts[]
  /**
   * Pages without a parent by home. Siblings are in reading order: by `nav_order`, by the number at the start of the
   * slug, by title, then by slug.
   */
  readonly topLevel: ReadonlyMap<string, readonly LiveFacts[]>
  /** Direct children of a page. */
  readonly childrenOf: (page: LiveFacts) => readonly LiveFacts[]
  readonly homeOf: HomeOf
  /** Folders without a page of their own between the page and its parent, or its home, e.g. `['steps']`. */
  readonly foldersOf: (page: LiveFacts) => readonly string[]
}

/**
 * Returns the subroute of the navigation with the page: the subroute of its topmost ancestor, or the shortest one
 * around it that has docs pages too. It is below the root of the page's language and version.
 */
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
    foldersOf: (page) => placeOf(page).folders,
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
  readonly folders: readonly string[]
}

/** Pages without a parent, which are most, need no walk. */
function findPlacements(pages: readonly LiveFacts[]): (page: LiveFacts) => Placement {
  const topPlacement = topPlacements(pages)
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
        parent === null || place === undefined ? topPlacement(page) : childPlacement(page, parent, place),
      )
    }
  }
  return (page) => places.get(page.id) ?? topPlacement(page)
}

/** A page in another language or version is no parent. */
function parentOf(page: LiveFacts, byId: ReadonlyMap<PageId, LiveFacts>): LiveFacts | null {
  const parent = page.parentPage === null ? undefined : byId.get(page.parentPage)
  return parent !== undefined && parent.navScope?.name === page.navScope?.name ? parent : null
}

/** The root is no home of folders: pages of the root and of a folder below it are different sets of documents. */
function topPlacements(pages: readonly LiveFacts[]): (page: LiveFacts) => Placement {
  const subroutes = new Set(pages.map(({ subroute }) => subroute))
  const known = new Map<string, Placement>()
  return ({ subroute, navScope }) => {
    const placed = known.get(subroute) ?? placement(subroute, navScope?.root ?? '')
    known.set(subroute, placed)
    return placed
  }

  function placement(subroute: string, root: string): Placement {
    const segments = subroute.split('/')
    const start = root === '' ? 0 : root.split('/').length
    const length = segments.findIndex(
      (_, index) => index >= start && subroutes.has(segments.slice(0, index + 1).join('/')),
    )
    const home = length === -1 ? subroute : segments.slice(0, length + 1).join('/')
    return { home, depth: 0, parent: null, folders: foldersBelow(home, subroute) }
  }
}

function childPlacement({ subroute }: LiveFacts, parent: LiveFacts, place: Placement): Placement {
  if (place.depth >= MAX_DEPTH) return { ...place, folders: [] }
  const folders = foldersBelow(folderOf(parent), subroute)
  return { home: place.home, depth: place.depth + 1, parent: parent.id, folders }
}

/** The folder whose page this is. */
function folderOf({ subroute, slug }: LiveFacts): string {
  if (slug === 'index') return subroute
  return subroute === '' ? slug : `${subroute}/${slug}`
}

function foldersBelow(folder: string, subroute: string): readonly string[] {
  if (folder === '' || !subroute.startsWith(`${folder}/`)) return NO_FOLDERS
  return subroute.slice(folder.length + 1).split('/')
}

const NO_FOLDERS: readonly string[] = []

/** Fields that order a page or folder among its siblings. */
export type Sibling = Pick<LiveFacts, 'navOrder' | 'title' | 'slug' | 'subroute'>

export function bySiblingOrder(a: Sibling, b: Sibling): number {
  return (
    a.navOrder - b.navOrder ||
    numberOf(a.slug) - numberOf(b.slug) ||
    naturalOrder(a.title, b.title) ||
    naturalOrder(a.slug, b.slug) ||
    byCodeUnit(a.title, b.title) ||
    byCodeUnit(a.slug, b.slug) ||
    byCodeUnit(a.subroute, b.subroute)
  )
}

/** The position that a name such as `2-install` gives; others follow those with one. */
function numberOf(slug: string): number {
  const [, number] = /^(\d{1,9})[-_.]/.exec(slug) ?? []
  return number === undefined ? 1e9 : Number(number)
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
