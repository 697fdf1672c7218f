import type { Element, Nodes } from 'hast'

type Value = Element['properties'][string]

/** Elements without an end, of those that a page may have. */
const VOID: ReadonlySet<string> = new Set(['br', 'col', 'hr', 'img', 'input', 'wbr'])

/** Properties that are not named as their attributes are; names in `data` follow a rule. */
const ATTRIBUTES: ReadonlyMap<string, string> = new Map([
  ['ariaDescribedBy', 'aria-describedby'],
  ['ariaHidden', 'aria-hidden'],
  ['ariaLabel', 'aria-label'],
  ['className', 'class'],
  ['colSpan', 'colspan'],
  ['dateTime', 'datetime'],
  ['rowSpan', 'rowspan'],
  ['tabIndex', 'tabindex'],
])

const ESCAPED: Readonly<Record<string, string>> = {
  '\0': '&#x0;',
  '"': '&quot;',
  '&': '&amp;',
  "'": '&#x27;',
  '<': '&lt;',
  '`': '&#x60;',
}

/**
 * The HTML of sanitised and polished elements, as `rehype-stringify` prints it. Every text and every
 * attribute value is escaped. Comments and raw nodes are left out.
 */
export function print(root: Nodes): string {
  return printAfter('', root)
}

/** One text that grows takes less time than many that are put together. */
function printAfter(before: string, node: Nodes): string {
  switch (node.type) {
    case 'root':
      return printAllAfter(before, node.children)
    case 'element':
      return printElementAfter(before, node)
    case 'text':
      return before + escapedText(node.value)
    default:
      return before
  }
}

function printAllAfter(before: string, nodes: readonly Nodes[]): string {
  let html = before
  for (const node of nodes) html = printAfter(html, node)
  return html
}

function printElementAfter(before: string, { tagName, properties, children }: Element): string {
  let html = `${before}<${tagName}`
  for (const name in properties) html += attributeOf(name, properties[name])
  html += '>'
  return VOID.has(tagName) ? html : `${printAllAfter(html, children)}</${tagName}>`
}

/** With a space before it; nothing for what is not set. */
function attributeOf(property: string, value: Value): string {
  if (value === null || value === undefined || value === false) return ''
  const name = ATTRIBUTES.get(property) ?? (property.startsWith('data') ? dataName(property) : property)
  if (value === true) return ` ${name}`
  return ` ${name}="${escapedValue(Array.isArray(value) ? value.join(' ') : String(value))}"`
}

/** `dataFootnoteRef` is `data-footnote-ref`. */
function dataName(property: string): string {
  return property.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** Most texts need no escape, and to ask first takes less time. */
function escapedText(text: string): string {
  return /[<&]/.test(text) ? text.replace(/[<&]/g, escaped) : text
}

function escapedValue(text: string): string {
  return /[\0"&'`]/.test(text) ? text.replace(/[\0"&'`]/g, escaped) : text
}

function escaped(character: string): string {
  return ESCAPED[character] ?? character
}
