import type { Nodes } from 'hast'

/**
 * Yields every node of a tree in document order, except the children of nodes for which `isEntered` returns false.
 * Iterative, so that trees of any depth are fine.
 */
export function* walk(root: Nodes, isEntered: (node: Nodes) => boolean = () => true): Generator<Nodes> {
  const pending = [root]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    yield next
    if ('children' in next && isEntered(next))
      for (const child of next.children.toReversed()) pending.push(child)
  }
}
