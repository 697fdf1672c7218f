import type { Element, Nodes } from 'hast'

type Value = Element['properties'][string]

/** Void elements among the allowed ones. */
const VOID: ReadonlySet<string> = new Set(['br', 'col', 'hr', 'img', 'input', 'source', 'track', 'wbr'])

/** Attribute names that differ from their property names. `data…` names follow a rule. */
const ATTRIBUTES: ReadonlyMap<string, string> = new Map([
  ['ariaDescribedBy', 'aria-describedby'],
  ['ariaHidden', 'aria-hidden'],
  ['ariaLabel', 'aria-label'],
  ['autoPlay', 'autoplay'],
  ['className', 'class'],
  ['colSpan', 'colspan'],
  ['crossOrigin', 'crossorigin'],
  ['dateTime', 'datetime'],
  ['playsInline', 'playsinline'],
  ['rowSpan', 'rowspan'],
  ['srcLang', 'srclang'],
  ['srcSet', 'srcset'],
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
 * Prints sanitised and enhanced elements exactly as `rehype-stringify` does. Escapes all text and attribute
 * values. Omits comments and raw nodes.
 */
export function print(root: Nodes): string {
  return printAfter('', root)
}

/** Appending to one string is faster than joining many. */
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

/** With a leading space; empty for properties that are not set. */
function attributeOf(property: string, value: Value): string {
  if (value === null || value === undefined || value === false) return ''
  const name = ATTRIBUTES.get(property) ?? (property.startsWith('data') ? dataName(property) : property)
  if (value === true) return ` ${name}`
  return ` ${name}="${escapedValue(Array.isArray(value) ? value.join(' ') : String(value))}"`
}

/** `dataFootnoteRef` becomes `data-footnote-ref`. */
function dataName(property: string): string {
  return property.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** Testing first is faster, because most text needs no escape. */
function escapedText(text: string): string {
  return /[<&]/.test(text) ? text.replace(/[<&]/g, escaped) : text
}

function escapedValue(text: string): string {
  return /[\0"&'`]/.test(text) ? text.replace(/[\0"&'`]/g, escaped) : text
}

function escaped(character: string): string {
  return ESCAPED[character] ?? character
}
