import type { Blockquote, List, ListItem, Paragraph, PhrasingContent, RootContent } from 'mdast'
import type { Placeholder } from './placeholder.ts'

const SIGN = /^\uFDD3(\d{1,7})\uFDD4/

/**
 * Joins the lists of definitions with the paragraphs of terms before them. Definitions without a term are restored as
 * paragraphs, as written.
 */
export function withDefinitions(
  blocks: readonly RootContent[],
  placeholders: readonly Placeholder[],
): readonly RootContent[] {
  if (!blocks.some((block) => block.type === 'list' && block.children.some(isDefinition))) return blocks
  const found: RootContent[] = []
  for (const block of blocks) {
    if (block.type !== 'list') found.push(block)
    else for (const part of partsOf(block)) addPart(part)
  }
  return found

  function addPart(list: List): void {
    if (!list.children.some(isDefinition)) {
      found.push(list)
      return
    }
    const definitions = list.children.map(withoutSign)
    const term = found.at(-1)
    if (term?.type !== 'paragraph') {
      found.push(...definitions.flatMap(asWritten))
      return
    }
    found.pop()
    const entries = [...termsOf(term), ...definitions.map(details)]
    const before = found.at(-1)
    if (isDefinitionList(before)) before.children.push(...entries)
    else found.push({ type: 'blockquote', data: { hName: 'dl' }, children: entries })
  }

  function isDefinition(item: ListItem): boolean {
    const [first] = item.children
    const [text] = first?.type === 'paragraph' ? first.children : []
    const number = text?.type === 'text' ? SIGN.exec(text.value)?.[1] : undefined
    return number !== undefined && placeholders[Number(number)]?.type === 'definition'
  }

  /** Items of a list that are written next to definitions belong to a list of their own. */
  function partsOf(list: List): readonly List[] {
    const parts: ListItem[][] = []
    for (const item of list.children) {
      const last = parts.at(-1)
      if (last?.[0] !== undefined && isDefinition(last[0]) === isDefinition(item)) last.push(item)
      else parts.push([item])
    }
    return parts.map((children) => ({ ...list, children }))
  }
}

function isDefinitionList(block: RootContent | undefined): block is Blockquote {
  return block?.type === 'blockquote' && block.data?.hName === 'dl'
}

function withoutSign(item: ListItem): ListItem {
  const [first] = item.children
  const [text] = first?.type === 'paragraph' ? first.children : []
  if (text?.type === 'text') text.value = text.value.replace(SIGN, '')
  return item
}

function asWritten({ children: [first, ...others] }: ListItem): readonly RootContent[] {
  if (first?.type !== 'paragraph') return others
  return [{ ...first, children: [{ type: 'text', value: ': ' }, ...first.children] }, ...others]
}

/** Splits a paragraph into one term per line. */
function termsOf(paragraph: Paragraph): Paragraph[] {
  const lines: PhrasingContent[][] = [[]]
  for (const node of paragraph.children) {
    if (node.type === 'break') lines.push([])
    else if (node.type !== 'text') lines.at(-1)?.push(node)
    else
      for (const [index, value] of node.value.split(/(?:(?<![ \t])[ \t]+)?(?:\r\n?|\n)[ \t]*/).entries()) {
        if (index > 0) lines.push([])
        if (value !== '') lines.at(-1)?.push({ type: 'text', value })
      }
  }
  const terms = lines.filter((line) => line.length > 0)
  return terms.map((children) => ({ type: 'paragraph', data: { hName: 'dt' }, children }))
}

/** A definition of one paragraph has no paragraph in it. */
function details({ children }: ListItem): Paragraph | Blockquote {
  const [first] = children
  const data = { hName: 'dd' }
  if (children.length === 1 && first?.type === 'paragraph') return { ...first, data }
  return { type: 'blockquote', data, children }
}
