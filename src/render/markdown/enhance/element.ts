import type { Element, ElementContent, Nodes } from 'hast'

export function element(
  tagName: string,
  properties: Element['properties'],
  children: readonly ElementContent[],
): Element {
  return { type: 'element', tagName, properties, children: [...children] }
}

/** Reports whether the node is an element of one of these names. */
export function isTag(node: Nodes | undefined, ...names: readonly string[]): node is Element {
  return node?.type === 'element' && names.includes(node.tagName)
}
