import type { DocsContext, NavNode, NavStep } from '../../domain/live-page.ts'

/** Maximum number of siblings shown per level. */
const MAX_SIBLINGS = 60
/** Trees of up to this many pages are shown whole, with every group open. */
const SMALL_TREE = 30

/** Position of a page in its navigation tree. */
export interface TreePosition {
  readonly home: string
  readonly node: NavNode
  readonly siblings: readonly NavNode[]
  /** Index among the siblings. */
  readonly siblingIndex: number
  readonly parent: TreePosition | null
  /** All pages of the tree in reading order, and the index of this one in it. */
  readonly reading: readonly NavStep[]
  readonly readingIndex: number
}

/** Indexes the pages of all trees by path, so that `contextAt` takes constant time per page. */
export function indexPositions(
  trees: ReadonlyMap<string, readonly NavNode[]>,
): ReadonlyMap<string, TreePosition> {
  const spots = new Map<string, TreePosition>()
  for (const [home, tree] of trees) {
    const reading: NavStep[] = []
    visit(tree, null)

    function visit(siblings: readonly NavNode[], parent: TreePosition | null): void {
      siblings.forEach((node, position) => {
        const spot: TreePosition = {
          home,
          node,
          siblings,
          siblingIndex: position,
          parent,
          reading,
          readingIndex: reading.length,
        }
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
 * The part of the tree that a page shows: its ancestors, a window of siblings on each level, its children,
 * and everything else collapsed. A small tree is shown whole. Its size does not depend on the size of the tree.
 */
export function contextAt(spot: TreePosition): DocsContext {
  const { home, reading, readingIndex } = spot
  const ancestors = ancestorsOf(spot)
  return {
    home,
    branch: branchTo(spot),
    breadcrumbs: ancestors.map(({ node }) => stepTo(node)),
    previous: reading[readingIndex - 1] ?? null,
    next: reading[readingIndex + 1] ?? null,
  }
}

function branchTo(spot: TreePosition): readonly NavNode[] {
  if (spot.reading.length <= SMALL_TREE) return rootSiblings(spot)
  const own = { ...spot.node, children: windowAround(0, spot.node.children).map(collapsed) }
  return levelsAbove(spot, own)
}

function rootSiblings({ siblings, parent }: TreePosition): readonly NavNode[] {
  return parent === null ? siblings : rootSiblings(parent)
}

/** Wraps `open` and its siblings into the levels above. */
function levelsAbove(
  { siblings, siblingIndex, node, parent }: TreePosition,
  open: NavNode,
): readonly NavNode[] {
  const level = windowAround(siblingIndex, siblings).map((sibling) =>
    sibling === node ? open : collapsed(sibling),
  )
  return parent === null ? level : levelsAbove(parent, { ...parent.node, children: level })
}

function windowAround(position: number, siblings: readonly NavNode[]): readonly NavNode[] {
  const last = Math.max(0, siblings.length - MAX_SIBLINGS)
  const start = Math.min(Math.max(0, position - MAX_SIBLINGS / 2), last)
  return siblings.slice(start, start + MAX_SIBLINGS)
}

function collapsed(node: NavNode): NavNode {
  return node.children.length === 0 ? node : { ...node, children: [], more: true }
}

function ancestorsOf({ parent }: TreePosition): readonly TreePosition[] {
  return parent === null ? [] : [...ancestorsOf(parent), parent]
}

function stepTo({ title, path }: NavNode): NavStep {
  return { title, path }
}
