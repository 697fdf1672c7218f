import type { Element, Nodes, Root } from 'hast'
import rehypeRaw from 'rehype-raw'
import { unified } from 'unified'
import { MARK, type TemplatePosition } from './instrument-templates.ts'

const parser = unified().use(rehypeRaw).freeze()

/** A document as a browser reads it, each element with those it lies in. */
export interface ReadDocument {
  /** In the order of the text. */
  readonly elements: readonly ReadElement[]
  byId(id: string): ReadElement | null
}

export interface ReadElement {
  readonly element: Element
  /** Nearest first. */
  readonly above: readonly Element[]
  /** Where a template has it; null for what a page brings along, and for what a browser adds. */
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
  const beneath = isElement ? [node, ...above] : above
  return [...own, ...inner.flatMap((child) => elementsIn(child, beneath, places))]
}

/** HTML names of attributes that start with `data-` are kept in camel case. */
const MARK_NAME = MARK.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())

function placeOf({ properties }: Element, places: readonly TemplatePosition[]): TemplatePosition | null {
  const number = properties[MARK_NAME]
  return number === undefined ? null : (places[Number(number)] ?? null)
}

/** An attribute as text; null where there is none. */
export function attribute({ properties }: Element, name: string): string | null {
  const value = properties[name]
  if (value === undefined || value === null || value === false) return null
  return Array.isArray(value) ? value.join(' ') : value === true ? '' : String(value)
}

/** What an element says to whoever does not see it. */
export function textOf(node: Nodes): string {
  if (node.type === 'text') return node.value
  if (node.type !== 'element' && node.type !== 'root') return ''
  if (node.type === 'element' && attribute(node, 'ariaHidden') === 'true') return ''
  const alt = node.type === 'element' ? (attribute(node, 'alt') ?? attribute(node, 'ariaLabel') ?? '') : ''
  return alt + node.children.map(textOf).join('')
}
