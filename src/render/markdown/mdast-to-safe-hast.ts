import type { Element, ElementContent, Properties, Root, Text } from 'hast'
import type {
  Blockquote,
  Code,
  Definition,
  List,
  ListItem,
  Root as MdastRoot,
  Paragraph,
  PhrasingContent,
  Reference,
  Resource,
  RootContent,
  Table,
  TableRow,
} from 'mdast'
import type { UrlKind } from '../../domain/author-url.ts'
import {
  addAll,
  element,
  type Into,
  type Making,
  makeBlock,
  newline,
  noted,
  onLines,
  space,
} from './hast-builders.ts'
import type { Shape } from './schema.ts'
import { encodedUrl, hasSafeScheme } from './urls.ts'

export interface SafeElements {
  /** Nothing in it runs, styles itself or leads to an unsafe scheme. URLs are still the author's. */
  readonly tree: Root
  /** Links and images that lost their URL, in order. */
  readonly droppedUrls: readonly string[]
}

/**
 * Safe elements straight from Markdown, many times as fast as remark-rehype and the sanitiser make the very
 * same. Nothing has to be taken out of them: every tag and every attribute is named here or in `making.ts`,
 * every text stays one, and every URL is asked for its scheme.
 *
 * @param definitions by their identifiers in capitals.
 * @returns null for what is more than plain: raw HTML, footnotes, and references to nothing.
 */
export function plainElements(
  root: MdastRoot,
  shape: Shape,
  definitions: ReadonlyMap<string, Definition>,
): SafeElements | null {
  const making: Making = { shape, definitions, droppedUrls: [], isPlain: true }
  const children: Into = []
  for (const [index, block] of root.children.filter(isShown).entries()) {
    if (index > 0) children.push(newline)
    make(block, children, making)
  }
  return making.isPlain ? { tree: { type: 'root', children }, droppedUrls: making.droppedUrls } : null
}

const TAGS = { emphasis: 'em', strong: 'strong', delete: 'del' } as const

function make(node: RootContent, into: Into, making: Making): void {
  switch (node.type) {
    case 'text':
      into.push({ type: 'text', value: withoutEdges(node.value) })
      break
    case 'emphasis':
    case 'strong':
    case 'delete':
      into.push(element(TAGS[node.type], {}, phrases(node.children, making)))
      break
    case 'inlineCode': {
      const value = node.value.replace(/\r?\n|\r/g, ' ')
      into.push(element('code', noted(node.data), [{ type: 'text', value }]))
      break
    }
    case 'break':
      into.push(element('br', {}, []), newline)
      break
    case 'link':
      into.push(link(node, node.children, making))
      break
    case 'linkReference':
      into.push(link(definitionOf(node, making), node.children, making))
      break
    case 'image':
      into.push(image(node, node.alt, making))
      break
    case 'imageReference':
      into.push(image(definitionOf(node, making), node.alt, making))
      break
    case 'paragraph':
      makeBlock('p', noted(node.data), phrases(node.children, making), into, making)
      break
    case 'heading':
      makeBlock(`h${node.depth}`, noted(node.data), phrases(node.children, making), into, making)
      break
    case 'blockquote':
      makeQuote(node, into, making)
      break
    case 'code':
      makeCode(node, into, making)
      break
    case 'list':
      makeList(node, into, making)
      break
    case 'table':
      makeTable(node, into, making)
      break
    case 'thematicBreak':
      makeBlock('hr', {}, [], into, making)
      break
    default:
      making.isPlain = false
  }
}

/** Definitions are for what refers to them. */
function isShown({ type }: RootContent): boolean {
  return type !== 'definition' && type !== 'footnoteDefinition'
}

function phrases(nodes: readonly PhrasingContent[], making: Making): Into {
  const into: Into = []
  let isAfterBreak = false
  for (const node of nodes) {
    const start = into.length
    make(node, into, making)
    if (isAfterBreak && node.type !== 'break') trimStart(into[start])
    isAfterBreak = node.type === 'break'
  }
  return into
}

/** Of what follows a break, or of the first text in it. */
function trimStart(node: ElementContent | undefined): void {
  const text = node?.type === 'element' ? node.children[0] : node
  if (text?.type === 'text') text.value = text.value.replace(/^[ \t]+/, '')
}

/** The lines of a text without blanks where they meet. */
function withoutEdges(text: string): string {
  return /[\r\n]/.test(text) ? text.replace(/(?<![ \t])[ \t]+(?=[\r\n])|(?<=[\r\n])[ \t]+/g, '') : text
}

type Place = Pick<Resource, 'url' | 'title'>

function link({ url, title }: Place, content: readonly PhrasingContent[], making: Making): Element {
  const href = safeUrl(url, 'link', making)
  return element('a', given({ href, title }), phrases(content, making))
}

function image({ url, title }: Place, alt: string | null | undefined, making: Making): Element {
  const src = safeUrl(url, 'image', making)
  return element('img', given({ src, alt, title }), [])
}

/** Those of them that are texts. */
function given(values: Readonly<Record<string, string | null | undefined>>): Properties {
  const properties: Properties = {}
  for (const [name, value] of Object.entries(values)) if (typeof value === 'string') properties[name] = value
  return properties
}

/** Null, and noted, where the scheme is none of the safe ones. */
function safeUrl(written: string, kind: UrlKind, { droppedUrls }: Making): string | null {
  const url = encodedUrl(written)
  if (hasSafeScheme(url, kind)) return url
  droppedUrls.push(url)
  return null
}

function definitionOf({ identifier }: Reference, making: Making): Place {
  const definition = making.definitions.get(identifier.toUpperCase())
  if (definition === undefined) making.isPlain = false
  return definition ?? { url: '' }
}

/** A container is a quote under another name. */
function makeQuote({ data, children }: Blockquote, into: Into, making: Making): void {
  const blocks = onLines(children.filter(isShown), (block, lines) => make(block, lines, making))
  makeBlock(data?.hName === 'div' ? 'div' : 'blockquote', noted(data), blocks, into, making)
}

function makeCode({ value, lang, data }: Code, into: Into, making: Making): void {
  const [language = ''] = lang?.split(/\s+/) ?? []
  const properties = { ...(language !== '' && { className: [`language-${language}`] }), ...noted(data) }
  const text: Text = { type: 'text', value: value === '' ? '' : `${value}\n` }
  makeBlock('pre', {}, [element('code', properties, [text])], into, making)
}

function makeList({ ordered, start, spread, children }: List, into: Into, making: Making): void {
  const isLoose = spread === true || children.some((item) => item.spread ?? item.children.length > 1)
  const items = onLines(children, (item, lines) => makeItem(item, isLoose, lines, making))
  const properties = {
    ...(typeof start === 'number' && start !== 1 && { start }),
    ...(children.some(isTask) && { className: ['contains-task-list'] }),
  }
  makeBlock(ordered ? 'ol' : 'ul', properties, items, into, making)
}

function isTask({ checked }: ListItem): boolean {
  return typeof checked === 'boolean'
}

/** In a tight list a paragraph leaves what is in it. */
function makeItem(item: ListItem, isLoose: boolean, into: Into, making: Making): void {
  const children: Into = []
  const blocks = blocksOf(item)
  for (const [index, block] of blocks.entries()) {
    const isTight = !isLoose && block.type === 'paragraph'
    if (index > 0 || !isTight) children.push(newline)
    if (block.type !== 'paragraph') make(block, children, making)
    else {
      const content = phrases(block.children, making)
      const task = index === 0 && isTask(item) ? withBox(content, item, making) : content
      if (isTight) addAll(task, children)
      else makeBlock('p', noted(block.data), task, children, making)
    }
  }
  const last = blocks.at(-1)
  if (last !== undefined && (isLoose || last.type !== 'paragraph')) children.push(newline)
  makeBlock('li', isTask(item) ? { className: ['task-list-item'] } : {}, children, into, making)
}

/** A task begins with a paragraph, for its box. */
function blocksOf(item: ListItem): readonly RootContent[] {
  const blocks = item.children.filter(isShown)
  return isTask(item) && blocks[0]?.type !== 'paragraph' ? [NO_TEXT, ...blocks] : blocks
}

const NO_TEXT: Paragraph = { type: 'paragraph', children: [] }

function withBox(content: Into, { checked }: ListItem, making: Making): Into {
  const into: Into = []
  makeBlock('input', { type: 'checkbox', checked: checked === true, disabled: true }, [], into, making)
  if (content.length > 0) into.push(space)
  addAll(content, into)
  return into
}

function makeTable({ align, children: [head, ...rows] }: Table, into: Into, making: Making): void {
  const parts: Into = [newline]
  if (head !== undefined) makePart('thead', 'th', [head])
  if (rows.length > 0) makePart('tbody', 'td', rows)
  makeBlock('table', {}, parts, into, making)

  function makePart(name: string, cell: string, of: readonly TableRow[]): void {
    makeBlock(
      name,
      {},
      onLines(of, (row, lines) => makeRow(row, cell, align, lines, making)),
      parts,
      making,
    )
    parts.push(newline)
  }
}

/** It has as many cells as the table has columns. */
function makeRow(
  { children }: TableRow,
  tagName: string,
  align: Table['align'],
  into: Into,
  making: Making,
): void {
  const columns = align ?? children.map(() => null)
  const cells: Into = [newline]
  for (const [index, side] of columns.entries()) {
    const content = phrases(children[index]?.children ?? [], making)
    makeBlock(tagName, side === null ? {} : { align: side }, content, cells, making)
    cells.push(newline)
  }
  makeBlock('tr', {}, cells, into, making)
}
