import type { Nodes } from 'hast'

/** Every node of a tree, in document order, save for those beneath what is not entered. Without recursion, so of any depth. */
export function* walk(root: Nodes, isEntered: (node: Nodes) => boolean = () => true): Generator<Nodes> {
  const pending = [root]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    yield next
    if ('children' in next && isEntered(next))
      for (const child of next.children.toReversed()) pending.push(child)
  }
}
