import type { DocsContext, NavNode, NavStep } from '../../domain/live-page.ts'

/** The most siblings a page carries of one level. */
const WINDOW = 60

/** Where a page stands in its tree. */
export interface Spot {
  readonly home: string
  readonly node: NavNode
  readonly siblings: readonly NavNode[]
  /** Among its siblings. */
  readonly position: number
  readonly parent: Spot | null
  /** All pages of the tree from top to bottom, and where this one is among them. */
  readonly reading: readonly NavStep[]
  readonly place: number
}

/** Every page of the trees by its path. Made once, it answers for each page in constant time. */
export function findSpots(trees: ReadonlyMap<string, readonly NavNode[]>): ReadonlyMap<string, Spot> {
  const spots = new Map<string, Spot>()
  for (const [home, tree] of trees) {
    const reading: NavStep[] = []
    visit(tree, null)

    function visit(siblings: readonly NavNode[], parent: Spot | null): void {
      siblings.forEach((node, position) => {
        const spot: Spot = { home, node, siblings, position, parent, reading, place: reading.length }
        if (node.path !== null) {
          spots.set(node.path, spot)
          reading.push(stepTo(node))
        }
        visit(node.children, spot)
      })
    }
  }
  return spots
}

/**
 * What a page shows of its tree: the way down to it with a window of siblings on each level, its own
 * children, and everything else collapsed. Its size does not grow with the tree.
 */
export function contextAt(spot: Spot): DocsContext {
  const { home, reading, place } = spot
  const ancestors = ancestorsOf(spot)
  return {
    home,
    branch: branchTo(spot),
    breadcrumbs: ancestors.map(({ node }) => stepTo(node)),
    previous: reading[place - 1] ?? null,
    next: reading[place + 1] ?? null,
  }
}

function branchTo(spot: Spot): readonly NavNode[] {
  const own = { ...spot.node, children: windowAround(0, spot.node.children).map(collapsed) }
  return levelsAbove(spot, own)
}

/** The level of the spot with `open` in its place, inside the levels above it. */
function levelsAbove({ siblings, position, node, parent }: Spot, open: NavNode): readonly NavNode[] {
  const level = windowAround(position, siblings).map((sibling) =>
    sibling === node ? open : collapsed(sibling),
  )
  return parent === null ? level : levelsAbove(parent, { ...parent.node, children: level })
}

function windowAround(position: number, siblings: readonly NavNode[]): readonly NavNode[] {
  const last = Math.max(0, siblings.length - WINDOW)
  const start = Math.min(Math.max(0, position - WINDOW / 2), last)
  return siblings.slice(start, start + WINDOW)
}

function collapsed(node: NavNode): NavNode {
  return node.children.length === 0 ? node : { ...node, children: [], more: true }
}

function ancestorsOf({ parent }: Spot): readonly Spot[] {
  return parent === null ? [] : [...ancestorsOf(parent), parent]
}

function stepTo({ title, path }: NavNode): NavStep {
  return { title, path }
}
