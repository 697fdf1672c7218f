import type { Element, ElementContent, Properties, Text } from 'hast'
import type { Data, Definition } from 'mdast'
import type { Shape } from './schema.ts'

/** What is known while elements are made, and what is found. */
export interface Making {
  readonly shape: Shape
  readonly definitions: ReadonlyMap<string, Definition>
  readonly droppedUrls: string[]
  isPlain: boolean
}

/** Where what is made goes. */
export type Into = ElementContent[]

export const newline: Text = { type: 'text', value: '\n' }
export const space: Text = { type: 'text', value: ' ' }

export function element(tagName: string, properties: Properties, children: Into): Element {
  return { type: 'element', tagName, properties, children }
}

/** What `marks/` notes of a node; whatever else a parser might note is left aside. */
export function noted(data: Data | undefined): Properties {
  if (data?.hProperties === undefined) return {}
  return Object.fromEntries(Object.entries(data.hProperties).filter(([name]) => NOTED.has(name)))
}

const NOTED: ReadonlySet<string> = new Set(['dataContainer', 'dataHeadingId', 'dataMath', 'dataMeta'])

/** Within a line a block leaves what is in it. */
export function makeBlock(
  tagName: string,
  properties: Properties,
  children: Into,
  into: Into,
  making: Making,
): void {
  if (making.shape === 'block') into.push(element(tagName, properties, children))
  else addAll(children, into)
}

export function addAll(nodes: readonly ElementContent[], into: Into): void {
  for (const node of nodes) into.push(node)
}

/** Each of them on lines of its own. */
export function onLines<Item>(items: readonly Item[], add: (item: Item, into: Into) => void): Into {
  const into: Into = [newline]
  for (const item of items) {
    add(item, into)
    into.push(newline)
  }
  return into
}
