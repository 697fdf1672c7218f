import type { Element, ElementContent, Nodes, Properties } from 'hast'

/** An element with a known name. The type differs from that of all elements, so that a node without the name may be one. */
type NamedElement = Element & { tagName: Lowercase<string> }

/** Reports whether a node is an element with one of these names, or any element without names. */
export function isElement(node: Nodes | undefined): node is Element
export function isElement(node: Nodes | undefined, ...names: readonly string[]): node is NamedElement
export function isElement(node: Nodes | undefined, ...names: readonly string[]): boolean {
  return node?.type === 'element' && (names.length === 0 || names.includes(node.tagName))
}

export function element(
  tagName: string,
  properties: Properties,
  children: readonly ElementContent[] = [],
): Element {
  return { type: 'element', tagName, properties, children: [...children] }
}

/** An attribute as text. Empty when it is absent. */
export function attribute({ properties }: Element, name: string): string {
  const value = properties[name]
  return Array.isArray(value) ? value.join(' ') : value === undefined || value === null ? '' : String(value)
}

export function hasClass({ properties: { className } }: Element, ...names: readonly string[]): boolean {
  return Array.isArray(className) && className.some((each) => names.includes(String(each)))
}

/** The text of a node, with a blank for each line break. White space stays as it is. */
export function textOf(node: Nodes): string {
  if (node.type === 'text') return node.value
  if (isElement(node, 'br')) return ' '
  return 'children' in node ? node.children.map(textOf).join('') : ''
}

/** The text of a node on one line. */
export function lineOf(node: Nodes): string {
  return textOf(node)
    .replace(/[\s\u00a0]+/g, ' ')
    .trim()
}

/** The elements below a node for which a test holds, in order. Those inside of such an element are left out. */
export function outermost(node: Nodes, test: (element: Element) => boolean): readonly Element[] {
  if (!('children' in node)) return []
  return node.children.flatMap((child): readonly Element[] =>
    isElement(child) && test(child) ? [child] : outermost(child, test),
  )
}

/** The first element below a node with one of these names or classes (`.kg-card`). */
export function first(node: Nodes, ...selectors: readonly string[]): Element | null {
  const [found = null] = outermost(node, (each) =>
    selectors.some((selector) =>
      selector.startsWith('.') ? hasClass(each, selector.slice(1)) : each.tagName === selector,
    ),
  )
  return found
}

/** Reports whether a node has text, a picture, a player, or another thing that readers see. */
export function isVisible(node: Nodes): boolean {
  if (node.type === 'text') return /[^\s\u00a0]/.test(node.value)
  if (isElement(node, 'img', 'iframe', 'video', 'audio', 'hr', 'input', 'q-line', 'q-note', 'q-formula'))
    return true
  return 'children' in node && node.children.some(isVisible)
}
