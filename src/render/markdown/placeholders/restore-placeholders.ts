import type {
  Blockquote,
  Heading,
  InlineCode,
  Nodes,
  Paragraph,
  PhrasingContent,
  RootContent,
  Text,
} from 'mdast'
import type { ClosingMark, Mark, OpeningMark, TabMark } from './placeholder.ts'

/**
 * Puts formulas, containers and ids of headings where their marks stand, and their source back wherever they cannot be: in
 * code, in URLs, in raw HTML, or where a list or a quote came between the two ends of a container. What
 * options a code block has goes along as `data-meta`.
 *
 * Changes the tree it is given.
 *
 * @returns the ids that headings name.
 */
export function showMarks(root: Nodes, marks: readonly Mark[]): ReadonlySet<string> {
  const shown: Shown = { marks, headingIds: new Set(), restore: (text) => restored(text, marks) }
  showIn(root, shown)
  return shown.headingIds
}

interface Shown {
  readonly marks: readonly Mark[]
  readonly headingIds: Set<string>
  restore(text: string): string
}

const MARK = /\uFDD0(\d{1,7})\uFDD1/
/** A line that starts with a mark, and the empty lines that were put around it. */
const SPACED_LINE = /(^|\n)(?:[ \t]*\n)?([ \t]*\uFDD0(\d{1,7})\uFDD1[^\n]*)(?:\n[ \t]*(?=\n|$))?/g
/** The mark that a heading ends with. */
const LAST_MARK = /[ \t]*\uFDD0(\d{1,7})\uFDD1$/
const MAX_META = 500
const LINES: ReadonlySet<string> = new Set(['heading', 'paragraph', 'table'])

function showIn(node: Nodes, shown: Shown): void {
  if (shown.marks.length > 0) restoreTexts(node, shown)
  if (node.type === 'code' && node.meta)
    node.data = { hProperties: { dataMeta: node.meta.slice(0, MAX_META) } }
  if (!('children' in node)) return
  // A page without marks is only asked for its code, which is never in a line.
  if (shown.marks.length === 0 && LINES.has(node.type)) return
  if (shown.marks.length > 0) {
    if (node.type === 'heading') takeId(node, shown)
    const children = contained(node.children, shown).flatMap((child): RootContent[] =>
      child.type === 'text' ? withFormulas(child, shown) : [child],
    )
    node.children = children as typeof node.children
  }
  for (const child of node.children) showIn(child, shown)
}

/** The id is not a part of what the heading says; where it says nothing else, it is. */
function takeId(heading: Heading, { marks, headingIds }: Shown): void {
  const last = heading.children.at(-1)
  if (last?.type !== 'text') return
  const [written = '', number] = LAST_MARK.exec(last.value) ?? []
  const mark = marks[Number(number)]
  if (mark?.type !== 'heading-id' || (heading.children.length === 1 && last.value === written)) return
  last.value = last.value.slice(0, last.value.length - written.length)
  if (last.value === '') heading.children.pop()
  headingIds.add(mark.id)
  heading.data = { hProperties: { dataHeadingId: mark.id } }
}

/** Every text of a node but what is read as text; of code without the empty lines around a mark, too. */
function restoreTexts(node: Nodes, { marks, restore }: Shown): void {
  if (node.type === 'text') return
  if (node.type === 'code') {
    node.value = node.value.replace(SPACED_LINE, (written, start, line, number) =>
      marks[Number(number)]?.type === 'formula' ? written : start + line,
    )
  }
  for (const [name, value] of Object.entries(node)) {
    if (typeof value === 'string' && value.includes('\uFDD0')) Object.assign(node, { [name]: restore(value) })
  }
}

function restored(text: string, marks: readonly Mark[]): string {
  return text.replace(new RegExp(MARK, 'g'), (written, number) => marks[Number(number)]?.source ?? written)
}

function withFormulas({ value }: Text, { marks }: Shown): (Text | InlineCode)[] {
  // Split by an expression with one group, so every second piece is a number.
  const pieces = value.split(MARK)
  const nodes: (Text | InlineCode)[] = []
  let text = ''
  pieces.forEach((piece, index) => {
    const mark = index % 2 === 1 ? marks[Number(piece)] : undefined
    if (mark?.type !== 'formula') {
      text += mark?.source ?? piece
      return
    }
    if (text !== '') nodes.push({ type: 'text', value: text })
    text = ''
    nodes.push(formula(mark.tex, mark.isDisplay))
  })
  return text === '' ? nodes : [...nodes, { type: 'text', value: text }]
}

function formula(tex: string, isDisplay: boolean): InlineCode {
  const data = { hProperties: { dataMath: isDisplay ? 'display' : 'inline' } }
  return { type: 'inlineCode', value: tex, data }
}

/** The blocks with those between the two ends of a container as its children. */
function contained(blocks: readonly RootContent[], shown: Shown): RootContent[] {
  const ends = new Map<Mark | undefined, number>()
  blocks.forEach((block, index) => {
    const closing = markOf(block, 'closing', shown)
    if (closing !== null) ends.set(closing, index)
  })
  const found: RootContent[] = []
  for (let index = 0; index < blocks.length; index += 1) {
    const block = blocks[index] as RootContent
    const opening = markOf(block, 'opening', shown)
    const end = opening === null ? undefined : ends.get(shown.marks[opening.closedBy])
    if (opening === null || end === undefined || end < index) {
      found.push(block)
    } else {
      found.push(container(opening, block as Paragraph, blocks.slice(index + 1, end), shown))
      index = end
    }
  }
  return found
}

type BlockMark = OpeningMark | ClosingMark | TabMark

/** The mark that a paragraph starts with, where it is of a type. */
function markOf<Type extends BlockMark['type']>(
  block: RootContent,
  type: Type,
  { marks }: Shown,
): Extract<BlockMark, { type: Type }> | null {
  const [first] = block.type === 'paragraph' ? block.children : []
  const number = first?.type === 'text' ? /^\uFDD0(\d{1,7})\uFDD1/.exec(first.value)?.[1] : undefined
  const mark = number === undefined ? undefined : marks[Number(number)]
  return mark?.type === type ? (mark as Extract<BlockMark, { type: Type }>) : null
}

function container(
  { container: name }: OpeningMark,
  line: Paragraph,
  body: readonly RootContent[],
  shown: Shown,
): Blockquote {
  const blocks = contained(body, shown)
  if (name === 'tabs') return box('tabs', tabsOf(blocks, shown))
  if (name === 'steps') return box('steps', blocks)
  if (name === 'code-group')
    return box(
      'tabs',
      blocks.map((block) => (block.type === 'code' ? box('tab', [block]) : block)),
    )
  const title = titleOf(line)
  return box(name, title === null ? blocks : [title, ...blocks])
}

/** What stands before the first tab stays before the tabs. */
function tabsOf(blocks: readonly RootContent[], shown: Shown): RootContent[] {
  const before: RootContent[] = []
  const tabs: RootContent[][] = []
  for (const block of blocks) {
    const title = markOf(block, 'tab', shown) === null ? null : titleOf(block as Paragraph)
    if (title !== null) tabs.push([title])
    else (tabs.at(-1) ?? before).push(block)
  }
  return [...before, ...tabs.map((children) => box('tab', children))]
}

function box(name: string, children: readonly RootContent[]): Blockquote {
  const data = { hName: 'div', hProperties: { dataContainer: name } }
  return { type: 'blockquote', data, children: children as Blockquote['children'] }
}

/** What follows the mark on its line, out of its brackets; null for nothing. */
function titleOf({ children: [first, ...others] }: Paragraph): Paragraph | null {
  if (first?.type !== 'text') return null
  const start: Text = { type: 'text', value: first.value.replace(/^\uFDD0\d+\uFDD1\s*/, '') }
  const parts = outOfBrackets(start, others).filter((part) => part.type !== 'text' || part.value !== '')
  if (parts.length === 0) return null
  return { type: 'paragraph', data: { hProperties: { dataContainer: 'title' } }, children: parts }
}

function outOfBrackets(start: Text, others: readonly PhrasingContent[]): readonly PhrasingContent[] {
  const last = others.at(-1) ?? start
  if (!start.value.startsWith('[') || last.type !== 'text' || !last.value.endsWith(']'))
    return [start, ...others]
  if (last === start) return [{ type: 'text', value: start.value.slice(1, -1) }]
  const end: Text = { type: 'text', value: last.value.slice(0, -1) }
  return [{ type: 'text', value: start.value.slice(1) }, ...others.slice(0, -1), end]
}
