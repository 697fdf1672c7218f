import type { Element, ElementContent } from 'hast'

/** A tag with its attributes, or the text before the next one. */
const TOKEN = /<(\/?)([a-zA-Z]+)((?:\s+[\w:-]+="[^"]*")*)\s*(\/?)>|([^<]+)|</g
const ATTRIBUTE = /(?<![\w:-])([\w:-]+)="([^"]*)"/g
const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
}

/** Returns the value to print for an attribute of an element; null leaves it out. */
export type SvgAttribute = (name: string, value: string, tagName: string) => string | null

/**
 * Converts an SVG that a program has written to nodes of a document. An icon set's drawing is trusted; a drawing with
 * an author's words needs `attribute` and `elements`, which restrict it.
 */
export function svgElements(
  svg: string,
  attribute: SvgAttribute = (_, value) => value,
  elements: ReadonlySet<string> | null = null,
): Element[] {
  const root: Element = { type: 'element', tagName: 'g', properties: {}, children: [] }
  const open = [root]
  /** Open elements that are left out with their content. */
  let dropped = 0
  for (const [, closes, tagName = '', attributes = '', isVoid, text] of svg.matchAll(TOKEN)) {
    if (text !== undefined) {
      if (dropped === 0 && open.length > 1) addText(open.at(-1), text)
      continue
    }
    // A sign between texts, which no program writes.
    if (tagName === '') continue
    if (closes === '/') {
      if (dropped > 0) dropped -= 1
      else if (open.length > 1) open.pop()
    } else if (dropped > 0 || (elements !== null && !elements.has(tagName))) {
      if (isVoid !== '/') dropped += 1
    } else {
      const drawn: Element = {
        type: 'element',
        tagName,
        properties: propertiesOf(tagName, attributes, attribute),
        children: [],
      }
      open.at(-1)?.children.push(drawn)
      if (isVoid !== '/') open.push(drawn)
    }
  }
  return root.children.filter((child) => child.type === 'element')
}

function addText(parent: Element | undefined, written: string): void {
  const isBetweenElements = written.trim() === '' && parent?.tagName !== 'text' && parent?.tagName !== 'tspan'
  if (isBetweenElements) return
  const value = written.replace(/&(?:lt|gt|quot|#39|amp);/g, (entity) => ENTITIES[entity] ?? entity)
  const text: ElementContent = { type: 'text', value }
  parent?.children.push(text)
}

function propertiesOf(tagName: string, written: string, attribute: SvgAttribute): Element['properties'] {
  const properties: Element['properties'] = {}
  for (const [, name = '', value = ''] of written.matchAll(ATTRIBUTE)) {
    const printed = attribute(name, value, tagName)
    if (printed === null) continue
    if (name === 'class') properties['className'] = [printed]
    else properties[name === 'aria-hidden' ? 'ariaHidden' : name] = printed
  }
  return properties
}
