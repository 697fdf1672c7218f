import type { Element, Nodes, Root } from 'hast'
import rehypeRaw from 'rehype-raw'
import { unified } from 'unified'
import { MARK, type TemplatePosition } from './instrument-templates.ts'

const parser = unified().use(rehypeRaw).freeze()

/** A document as a browser parses it. */
export interface ReadDocument {
  /** In document order. */
  readonly elements: readonly ReadElement[]
  byId(id: string): ReadElement | null
}

export interface ReadElement {
  readonly element: Element
  /** Ancestors, nearest first. */
  readonly above: readonly Element[]
  /** Its position in a template; null for an element of the page's content, and for one that the browser adds. */
  readonly at: TemplatePosition | null
}

export function readDocument(html: string, places: readonly TemplatePosition[]): ReadDocument {
  const text = html.replace(/^\s*<!doctype[^>]*>/i, '')
  const tree = parser.runSync({
    type: 'root',
    children: [{ type: 'doctype' }, { type: 'raw', value: text }],
  } as Root)
  const elements = elementsIn(tree, [], places)
  const ids = new Map(elements.toReversed().map((found) => [attribute(found.element, 'id'), found]))
  return { elements, byId: (id) => ids.get(id) ?? null }
}

function elementsIn(
  node: Nodes,
  above: readonly Element[],
  places: readonly TemplatePosition[],
): ReadElement[] {
  const isElement = node.type === 'element'
  const own = isElement ? [{ element: node, above, at: placeOf(node, places) }] : []
  const inner = 'children' in node ? node.children : []
  const ancestors = isElement ? [node, ...above] : above
  return [...own, ...inner.flatMap((child) => elementsIn(child, ancestors, places))]
}

/** hast stores names of `data-` attributes in camel case. */
const MARK_NAME = MARK.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())

function placeOf({ properties }: Element, places: readonly TemplatePosition[]): TemplatePosition | null {
  const number = properties[MARK_NAME]
  return number === undefined ? null : (places[Number(number)] ?? null)
}

/** The value of an attribute as text; null without the attribute. */
export function attribute({ properties }: Element, name: string): string | null {
  const value = properties[name]
  if (value === undefined || value === null || value === false) return null
  return Array.isArray(value) ? value.join(' ') : value === true ? '' : String(value)
}

/** The text of an element as a screen reader announces it. */
export function textOf(node: Nodes): string {
  if (node.type === 'text') return node.value
  if (node.type !== 'element' && node.type !== 'root') return ''
  if (node.type === 'element' && attribute(node, 'ariaHidden') === 'true') return ''
  const alt = node.type === 'element' ? (attribute(node, 'alt') ?? attribute(node, 'ariaLabel') ?? '') : ''
  return alt + node.children.map(textOf).join('')
}
