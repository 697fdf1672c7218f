import type { Element, ElementContent, Properties, Text } from 'hast'
import type { Data, Definition } from 'mdast'
import type { Shape } from './schema.ts'

/** State of one `mdastToSafeHast` call. */
export interface BuildContext {
  readonly shape: Shape
  readonly definitions: ReadonlyMap<string, Definition>
  readonly droppedUrls: string[]
  isSupported: boolean
}

export type ElementList = ElementContent[]

export const newline: Text = { type: 'text', value: '\n' }
export const space: Text = { type: 'text', value: ' ' }

export function element(tagName: string, properties: Properties, children: ElementList): Element {
  return { type: 'element', tagName, properties, children }
}

/** Properties that placeholders set on a node. Ignores all other `data`, which a parser might set. */
export function placeholderProperties(data: Data | undefined): Properties {
  if (data?.hProperties === undefined) return {}
  return Object.fromEntries(
    Object.entries(data.hProperties).filter(([name]) => PLACEHOLDER_PROPERTIES.has(name)),
  )
}

/** The name that restoring gave a node in place of its type's name. */
export function restoredName(data: Data | undefined, names: ReadonlySet<string>): string | null {
  return data?.hName !== undefined && names.has(data.hName) ? data.hName : null
}

const PLACEHOLDER_PROPERTIES: ReadonlySet<string> = new Set([
  'dataBadge',
  'dataCaptions',
  'dataComponent',
  'dataContainer',
  'dataFlags',
  'dataHeadingId',
  'dataIcon',
  'dataMath',
  'dataMeta',
  'dataPlayback',
  'dataPlayer',
  'dataPoster',
])

/** Adds an element, or only its content in inline shape. */
export function addBlock(
  tagName: string,
  properties: Properties,
  children: ElementList,
  into: ElementList,
  context: BuildContext,
): void {
  if (context.shape === 'block') into.push(element(tagName, properties, children))
  else addAll(children, into)
}

export function addAll(nodes: readonly ElementContent[], into: ElementList): void {
  for (const node of nodes) into.push(node)
}

/** Builds each item with line breaks around it, as remark-rehype prints blocks. */
export function onSeparateLines<Item>(
  items: readonly Item[],
  add: (item: Item, into: ElementList) => void,
): ElementList {
  const into: ElementList = [newline]
  for (const item of items) {
    add(item, into)
    into.push(newline)
  }
  return into
}
