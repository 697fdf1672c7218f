import type { Nodes as HastNodes } from 'hast'
import type { Nodes as MdastNodes } from 'mdast'

/** Every node of a tree, in document order, the root at depth 0. Without recursion, so of any depth. */
export function* descend<Node extends HastNodes | MdastNodes>(
  root: Node,
): Generator<{ readonly node: Node; readonly depth: number }> {
  const pending = [{ node: root, depth: 0 }]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    yield next
    if (!('children' in next.node)) continue
    for (const child of next.node.children.toReversed()) {
      pending.push({ node: child as Node, depth: next.depth + 1 })
    }
  }
}
