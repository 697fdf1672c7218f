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
import { partsOf } from './group-dividers.ts'
import {
  type ClosingPlaceholder,
  type ComponentPlaceholder,
  type DividerPlaceholder,
  type MarkPlaceholder,
  type OpeningPlaceholder,
  type Placeholder,
  type PlayerPlaceholder,
  SIGNED_PLACEHOLDER,
} from './placeholder.ts'
import { withDefinitions } from './restore-definitions.ts'
import { withMarks } from './restore-marks.ts'

/**
 * Puts formulas, containers, players, heading ids, definitions and short forms in place of their placeholders. Where
 * they are not allowed (code, URLs, raw HTML, containers whose ends are in different lists or quotes) their source
 * comes back as text. Also stores the options of code blocks as `data-meta`.
 *
 * Mutates the given tree.
 *
 * @returns the ids that headings set.
 */
export function restorePlaceholders(root: Nodes, placeholders: readonly Placeholder[]): ReadonlySet<string> {
  const context: RestoreContext = {
    placeholders: placeholders,
    explicitIds: new Set(),
    restore: (text) => withSources(text, placeholders),
  }
  restoreIn(root, context)
  return context.explicitIds
}

interface RestoreContext {
  readonly placeholders: readonly Placeholder[]
  readonly explicitIds: Set<string>
  restore(text: string): string
}

const PLACEHOLDER = /\uFDD0(\d{1,7})\uFDD1/
/** The number is in the first group for one with signs around it, else in the second. */
const ANY_PLACEHOLDER = new RegExp(`${SIGNED_PLACEHOLDER.source}|${PLACEHOLDER.source}`, 'g')
/** The item of a list that a definition became. */
const DEFINITION_SIGN = /(?:\+([ \t]+))?\uFDD3\d{1,7}\uFDD4/g
/** A line that starts with a placeholder, and the empty lines added around it. */
const SPACED_LINE = /(^|\n)(?:[ \t]*\n)?([ \t]*\uFDD0(\d{1,7})\uFDD1[^\n]*)(?:\n[ \t]*(?=\n|$))?/g
/** The placeholder at the end of a heading. */
const LAST_PLACEHOLDER = /(?<![ \t])[ \t]*\uFDD0(\d{1,7})\uFDD1$/
const MAX_META = 500
const LEAF_BLOCKS: ReadonlySet<string> = new Set(['heading', 'paragraph', 'table'])

function restoreIn(node: Nodes, context: RestoreContext): void {
  if (context.placeholders.length > 0) restoreTexts(node, context)
  if (node.type === 'code' && node.meta)
    node.data = { hProperties: { dataMeta: node.meta.slice(0, MAX_META) } }
  if (!('children' in node)) return
  // Without placeholders only code blocks matter, and leaf blocks contain none.
  if (context.placeholders.length === 0 && LEAF_BLOCKS.has(node.type)) return
  if (context.placeholders.length > 0) {
    if (node.type === 'heading') takeHeadingId(node, context)
    const blocks = withDefinitions(withContainers(node.children, context), context.placeholders)
    const children = blocks.flatMap((child): (RootContent | MarkPlaceholder)[] =>
      child.type === 'text' ? restoreText(child, context) : [child],
    )
    node.children = withMarks(children) as typeof node.children
  }
  for (const child of node.children) restoreIn(child, context)
}

/** Moves the id out of the heading's text, unless the heading has no other text. */
function takeHeadingId(heading: Heading, { placeholders, explicitIds }: RestoreContext): void {
  const last = heading.children.at(-1)
  if (last?.type !== 'text') return
  const [written = '', number] = LAST_PLACEHOLDER.exec(last.value) ?? []
  const mark = placeholders[Number(number)]
  if (mark?.type !== 'heading-id' || (heading.children.length === 1 && last.value === written)) return
  last.value = last.value.slice(0, last.value.length - written.length)
  if (last.value === '') heading.children.pop()
  explicitIds.add(mark.id)
  heading.data = { hProperties: { dataHeadingId: mark.id } }
}

/**
 * Restores the source in every string property except text nodes, and removes the empty lines that were added
 * around container lines inside code.
 */
function restoreTexts(node: Nodes, { placeholders, restore }: RestoreContext): void {
  if (node.type === 'text') return
  if (node.type === 'code') {
    node.value = node.value.replace(SPACED_LINE, (written, start, line, number) =>
      placeholders[Number(number)]?.type === 'formula' ? written : start + line,
    )
  }
  for (const [name, value] of Object.entries(node)) {
    if (typeof value !== 'string' || !/[\uFDD0\uFDD3]/.test(value)) continue
    // Readers of an alternative text see no signs either.
    const shown = name === 'alt' ? withShownTexts(value, placeholders) : value
    Object.assign(node, { [name]: restore(shown) })
  }
}

function withSources(text: string, placeholders: readonly Placeholder[]): string {
  return text
    .replace(ANY_PLACEHOLDER, (written, ...numbers) => {
      const number = numbers[0] ?? numbers[1]
      return placeholders[Number(number)]?.source ?? written
    })
    .replace(DEFINITION_SIGN, (_, space = ' ') => `:${space}`)
}

function withShownTexts(text: string, placeholders: readonly Placeholder[]): string {
  return text.replace(new RegExp(SIGNED_PLACEHOLDER, 'g'), (written, number) => {
    const mark = placeholders[Number(number)]
    return mark?.type === 'text' ? mark.shown : mark?.type === 'mark' ? '' : written
  })
}

type RestoredText = Text | InlineCode | MarkPlaceholder

function restoreText({ value }: Text, { placeholders, restore }: RestoreContext): RestoredText[] {
  const nodes: RestoredText[] = []
  // The expression has two groups, of which one is a placeholder's number.
  const pieces = value.split(ANY_PLACEHOLDER)
  let text = ''
  for (let at = 0; at < pieces.length; at += 3) {
    text += restore(pieces[at] ?? '')
    const mark = placeholders[Number(pieces[at + 1] ?? pieces[at + 2])]
    if (mark?.type !== 'formula' && mark?.type !== 'mark' && mark?.type !== 'badge') {
      text += mark?.type === 'text' ? mark.shown : (mark?.source ?? '')
      continue
    }
    if (text !== '') nodes.push({ type: 'text', value: text })
    text = ''
    if (mark.type === 'badge') nodes.push(badge(mark.text, mark.tone))
    else nodes.push(mark.type === 'mark' ? mark : formula(mark.tex, mark.isDisplay))
  }
  return text === '' ? nodes : [...nodes, { type: 'text', value: text }]
}

function formula(tex: string, isDisplay: boolean): InlineCode {
  const data = { hProperties: { dataMath: isDisplay ? 'display' : 'inline' } }
  return { type: 'inlineCode', value: tex, data }
}

function badge(text: string, tone: string): InlineCode {
  return { type: 'inlineCode', value: text, data: { hProperties: { dataBadge: tone } } }
}

/** Replaces the blocks between the two ends of a container with one node. */
function withContainers(blocks: readonly RootContent[], context: RestoreContext): RootContent[] {
  const ends = new Map<Placeholder | undefined, number>()
  blocks.forEach((block, index) => {
    const closing = blockPlaceholder(block, 'closing', context)
    if (closing !== null) ends.set(closing, index)
  })
  const found: RootContent[] = []
  for (let index = 0; index < blocks.length; index += 1) {
    const block = blocks[index] as RootContent
    const opening = blockPlaceholder(block, 'opening', context)
    const end = opening === null ? undefined : ends.get(context.placeholders[opening.closedBy])
    if (opening === null || end === undefined || end < index) {
      found.push(componentOf(block, context) ?? withPlayer(block, context))
    } else {
      found.push(container(opening, block as Paragraph, blocks.slice(index + 1, end), context))
      index = end
    }
  }
  return found
}

/** The component that the block stands for; null for any other block. */
function componentOf(block: RootContent, context: RestoreContext): Blockquote | null {
  const mark = blockPlaceholder(block, 'component', context)
  if (mark === null) return null
  const title = titleOf(block as Paragraph)
  return box('component', title === null ? [] : [title], { dataComponent: mark.component })
}

/** Restores the video or sound of a block, as an image element. `enhance/player.ts` turns it into a player. */
function withPlayer(block: RootContent, context: RestoreContext): RootContent {
  const player = blockPlaceholder(block, 'player', context)
  if (player === null || block.type !== 'paragraph' || block.children.length > 1) return block
  const { kind, src, name, title, poster, captions, playback } = player
  const data = {
    hProperties: {
      dataPlayer: kind,
      ...(poster !== null && { dataPoster: poster }),
      ...(captions !== null && { dataCaptions: captions }),
      ...(playback !== '' && { dataPlayback: playback }),
    },
  }
  return { ...block, children: [{ type: 'image', url: src, alt: name, title, data }] }
}

type BlockPlaceholder =
  | OpeningPlaceholder
  | ClosingPlaceholder
  | DividerPlaceholder
  | PlayerPlaceholder
  | ComponentPlaceholder

/** The placeholder of the given type that a paragraph starts with; null for none. */
function blockPlaceholder<Type extends BlockPlaceholder['type']>(
  block: RootContent,
  type: Type,
  { placeholders }: RestoreContext,
): Extract<BlockPlaceholder, { type: Type }> | null {
  const [first] = block.type === 'paragraph' ? block.children : []
  const number = first?.type === 'text' ? /^\uFDD0(\d{1,7})\uFDD1/.exec(first.value)?.[1] : undefined
  const mark = number === undefined ? undefined : placeholders[Number(number)]
  return mark?.type === type ? (mark as Extract<BlockPlaceholder, { type: Type }>) : null
}

function container(
  { container: name, component }: OpeningPlaceholder,
  line: Paragraph,
  body: readonly RootContent[],
  context: RestoreContext,
): Blockquote {
  const blocks = withContainers(body, context)
  const part = partsOf(name)
  if (part !== null) return box(name, partsIn(blocks, part, context))
  if (name === 'steps' || name === 'file-tree') return box(name, blocks)
  if (name === 'code-group')
    return box(
      'tabs',
      blocks.map((block) => (block.type === 'code' ? box('tab', [block]) : block)),
    )
  const title = titleOf(line)
  const properties: Readonly<Record<string, string>> =
    component === undefined ? {} : { dataComponent: component }
  return box(name, title === null ? blocks : [title, ...blocks], properties)
}

/** Blocks before the first part stay before the parts. */
function partsIn(blocks: readonly RootContent[], part: string, context: RestoreContext): RootContent[] {
  const before: RootContent[] = []
  const parts: { readonly divider: DividerPlaceholder; readonly blocks: RootContent[] }[] = []
  for (const block of blocks) {
    const divider = blockPlaceholder(block, 'divider', context)
    const title = divider === null ? null : titleOf(block as Paragraph)
    if (divider !== null && (title !== null || part === 'column'))
      parts.push({ divider, blocks: title === null ? [] : [withDetails(title, divider)] })
    else (parts.at(-1)?.blocks ?? before).push(block)
  }
  return [
    ...before,
    ...parts.map(({ divider: { icon, flags }, blocks }) =>
      box(part, blocks, {
        ...(icon !== undefined && { dataIcon: icon }),
        ...(flags !== undefined && { dataFlags: flags }),
      }),
    ),
  ]
}

/** The title of a card as a link, and the title of a field with its type and default. */
function withDetails(title: Paragraph, { href, valueType, defaultValue }: DividerPlaceholder): Paragraph {
  if (href !== undefined)
    return { ...title, children: [{ type: 'link', url: href, children: linkable(title) }] }
  const type: PhrasingContent[] =
    valueType === undefined
      ? []
      : [space, { type: 'emphasis', children: [{ type: 'text', value: valueType }] }]
  const value: PhrasingContent[] =
    defaultValue === undefined ? [] : [space, { type: 'inlineCode', value: `= ${defaultValue}` }]
  return { ...title, children: [...title.children, ...type, ...value] }
}

const space: Text = { type: 'text', value: ' ' }

/** Links do not nest. */
function linkable({ children }: Paragraph): PhrasingContent[] {
  return children.flatMap((child) => (child.type === 'link' ? child.children : [child]))
}

function box(
  name: string,
  children: readonly RootContent[],
  properties: Readonly<Record<string, string>> = {},
): Blockquote {
  const data = { hName: 'div', hProperties: { dataContainer: name, ...properties } }
  return { type: 'blockquote', data, children: children as Blockquote['children'] }
}

/** The text after the placeholder on its line, without brackets around it; null for none. */
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
