import type { ListItem, Nodes, Paragraph, Parents, PhrasingContent, Root, RootContent } from 'mdast'

/* Makes the syntax tree one that a person would write: no empty blocks, no blanks inside of emphasis, no runs of breaks. */

type Attention = Extract<PhrasingContent, { type: 'emphasis' | 'strong' | 'delete' | 'marked' }>

const ADDRESS = /(?<![\p{L}\p{N}_])https?:\/\/[^\s<>"'`\u00a0|\\]+/gu
const PHRASING = new Set(
  'text emphasis strong delete link image inlineCode break html footnoteReference marked scriptText'.split(
    ' ',
  ),
)
const ENDING = /[.,:;!?)\]}*_~]+$/

export function tidyMarkdown(root: Root): Root {
  return { ...root, children: tidyBlocks(root.children) as RootContent[] }
}

function tidyBlocks(nodes: readonly Nodes[]): Nodes[] {
  return nodes.flatMap(tidyBlock)
}

function tidyBlock(node: Nodes): Nodes[] {
  switch (node.type) {
    case 'paragraph':
      return paragraphsOf(tidyPhrasing(node.children, false))
    case 'heading': {
      const children = trimmed(withoutBreaks(tidyPhrasing(node.children, false)))
      if (!children.some((child) => child.type !== 'html')) return []
      const pictures = children.filter((child) => child.type !== 'html')
      // A heading of a picture alone has no text.
      if (pictures.every((child) => child.type === 'image')) return paragraphsOf(pictures)
      return [{ ...node, children }]
    }
    case 'tableCell':
      return [{ ...node, children: cellOf(node.children) }]
    case 'directiveLine':
      return [{ ...node, children: trimmed(withoutBreaks(tidyPhrasing(node.children, true))) }]
    case 'blockquote':
    case 'definitionText':
    case 'footnoteDefinition': {
      const children = tidyBlocks(node.children)
      if (children.length > 0) return [{ ...node, children } as Nodes]
      return node.type === 'footnoteDefinition' ? [{ ...node, children: [] }] : []
    }
    case 'listItem': {
      const children = tidyBlocks(node.children)
      // A list in an item follows its text without an empty line.
      const spread = children.filter(({ type }) => type !== 'list').length > 1
      return children.length === 0 && node.checked == null ? [] : [{ ...node, spread, children } as Nodes]
    }
    case 'list': {
      const children = tidyBlocks(node.children) as ListItem[]
      const spread = children.some((child) => child.spread === true)
      return children.length === 0 ? [] : [{ ...node, spread, children }]
    }
    case 'table':
    case 'tableRow':
      return [{ ...node, children: tidyBlocks(node.children) } as Nodes]
    default:
      return [node]
  }
}

/** Two breaks in a row begin a new paragraph. */
function paragraphsOf(children: readonly PhrasingContent[]): Paragraph[] {
  const parts: PhrasingContent[][] = [[]]
  for (const [index, child] of children.entries()) {
    const next = children[index + 1]
    if (child.type === 'break' && next?.type === 'break') {
      if ((parts.at(-1)?.length ?? 0) > 0) parts.push([])
    } else parts.at(-1)?.push(child)
  }
  return parts.flatMap((part) => {
    const shown = trimmed(part)
    return shown.length === 0 ? [] : [{ type: 'paragraph', children: shown }]
  })
}

/** Phrasing with blanks and breaks outside of emphasis, and neighbours of one kind joined. */
function tidyPhrasing(nodes: readonly PhrasingContent[], isInLink: boolean): PhrasingContent[] {
  const joined = joinedNeighbours(nodes.flatMap((node) => tidyOne(node, isInLink)))
  return joined.flatMap((node, index) => {
    if (node.type !== 'text') return [node]
    const isBetweenBreaks =
      /^[ \t\n]*$/.test(node.value) &&
      joined[index - 1]?.type === 'break' &&
      joined[index + 1]?.type === 'break'
    if (isBetweenBreaks) return []
    const value = node.value.replace(/[ \t\r\n\f]+/g, ' ')
    const before = joined[index - 1]?.type === 'break' ? value.replace(/^ /, '') : value
    const after = joined[index + 1]?.type === 'break' ? before.replace(/ $/, '') : before
    return isInLink ? [{ type: 'text', value: after }] : linked(after)
  })
}

/** Neighbours of one kind as one: texts, pieces of code, and emphasis. */
function joinedNeighbours(nodes: readonly PhrasingContent[]): readonly PhrasingContent[] {
  const groups: [PhrasingContent, ...PhrasingContent[]][] = []
  for (const node of nodes) {
    const group = groups.at(-1)
    if (group !== undefined && group[0].type === node.type && isJoinable(node)) group.push(node)
    else groups.push([node])
  }
  return groups.map((group) => (group.length === 1 ? group[0] : joinedGroup(group)))
}

function isJoinable(node: PhrasingContent): boolean {
  return node.type === 'text' || node.type === 'inlineCode' || isAttention(node)
}

function joinedGroup(group: readonly [PhrasingContent, ...PhrasingContent[]]): PhrasingContent {
  const [first] = group
  if ('value' in first)
    return { ...first, value: group.map((node) => ('value' in node ? node.value : '')).join('') }
  const children = group.flatMap((node) => ('children' in node ? node.children : []))
  return { ...first, children: joinedNeighbours(children) } as Attention
}

function isAttention(node: Nodes): node is Attention {
  return (
    node.type === 'emphasis' || node.type === 'strong' || node.type === 'delete' || node.type === 'marked'
  )
}

function tidyOne(node: PhrasingContent, isInLink: boolean): PhrasingContent[] {
  if (node.type === 'inlineCode') {
    const value = node.value.replace(/\s+/g, ' ')
    if (value.trim() === '') return blank(value)
    const [leading, trailing] = [value.startsWith(' ') ? ' ' : '', value.endsWith(' ') ? ' ' : '']
    return [...blank(leading), { ...node, value: value.trim() }, ...blank(trailing)]
  }
  if (node.type === 'link') return tidyLink(node, isInLink)
  if (!isAttention(node)) return [node]
  const inner = tidyPhrasing(flattened(node.children, node.type), isInLink)
  const start = inner.findIndex((child) => !isBlank(child))
  if (start === -1) return inner
  const end = inner.findLastIndex((child) => !isBlank(child)) + 1
  const [before, children, after] = [inner.slice(0, start), inner.slice(start, end), inner.slice(end)]
  // Emphasis of pictures alone shows nothing.
  if (children.every((child) => child.type === 'image')) return inner
  const [first, last] = [children[0], children.at(-1)]
  const [, leading = ''] = first?.type === 'text' ? (/^([\s\u00a0]*)/.exec(first.value) ?? []) : []
  const trailing = last?.type === 'text' ? last.value.slice(last.value.trimEnd().length) : ''
  const shown = { ...node, children: trimmedEnds(children) } as Attention
  return [...before, ...blank(leading), shown, ...blank(trailing), ...after]
}

function tidyLink(node: Extract<PhrasingContent, { type: 'link' }>, isInLink: boolean): PhrasingContent[] {
  const inner = withoutBreaks(tidyPhrasing(node.children, true))
  if (isInLink || inner.every(isBlank)) return inner
  const [first, last] = [inner[0], inner.at(-1)]
  const leading = first?.type === 'text' && /^\s/.test(first.value) ? ' ' : ''
  const trailing = last?.type === 'text' && /\s$/.test(last.value) ? ' ' : ''
  return [...blank(leading), { ...node, children: trimmedEnds(inner) } as PhrasingContent, ...blank(trailing)]
}

function blank(value: string): PhrasingContent[] {
  return value === '' ? [] : [{ type: 'text', value }]
}

function isBlank(node: PhrasingContent): boolean {
  return node.type === 'break' || (node.type === 'text' && /^[\s\u00a0]*$/.test(node.value))
}

/** Emphasis in emphasis of its kind is emphasis once. */
function flattened(nodes: readonly PhrasingContent[], type: string): PhrasingContent[] {
  return nodes.flatMap((node) =>
    node.type === type && 'children' in node ? flattened(node.children as PhrasingContent[], type) : [node],
  )
}

function trimmedEnds(nodes: readonly PhrasingContent[]): PhrasingContent[] {
  return nodes.map((node, index) => {
    if (node.type !== 'text') return node
    const start = index === 0 ? node.value.trimStart() : node.value
    return { ...node, value: index === nodes.length - 1 ? start.trimEnd() : start }
  })
}

/** Without blanks and breaks at both ends. */
function trimmed(nodes: readonly PhrasingContent[]): PhrasingContent[] {
  const start = nodes.findIndex((child) => !isBlank(child))
  if (start === -1) return []
  return trimmedEnds(nodes.slice(start, nodes.findLastIndex((child) => !isBlank(child)) + 1))
}

function withoutBreaks(nodes: readonly PhrasingContent[]): PhrasingContent[] {
  return nodes.map((node) => (node.type === 'break' ? { type: 'text', value: ' ' } : node))
}

/** Addresses that are written as text are links, as browsers of feeds and editors show them. */
function linked(value: string): PhrasingContent[] {
  const nodes: PhrasingContent[] = []
  let at = 0
  for (const { 0: found, index } of value.matchAll(ADDRESS)) {
    const url = found.replace(ENDING, '')
    if (url.length < 'https://a.b'.length - 1) continue
    nodes.push(...blank(value.slice(at, index)), {
      type: 'link',
      url,
      children: [{ type: 'text', value: url }],
    })
    at = index + url.length
  }
  return [...nodes, ...blank(value.slice(at))]
}

/** A cell is one line: blocks follow one another with breaks between them. */
function cellOf(nodes: readonly Nodes[]): PhrasingContent[] {
  const lines = cellLines(nodes)
    .map((line) => trimmed(tidyPhrasing(line, false)))
    .filter((line) => line.length > 0)
  return lines.flatMap((line, index): PhrasingContent[] => [
    ...(index === 0 ? [] : [{ type: 'html', value: '<br>' } as const]),
    ...line.map((node): PhrasingContent => (node.type === 'break' ? { type: 'html', value: '<br>' } : node)),
  ])
}

function cellLines(nodes: readonly Nodes[]): PhrasingContent[][] {
  const lines: PhrasingContent[][] = [[]]
  for (const node of nodes) {
    if (PHRASING.has(node.type)) lines.at(-1)?.push(node as PhrasingContent)
    else if (node.type === 'code')
      lines.push([{ type: 'inlineCode', value: node.value.replace(/\s+/g, ' ') }], [])
    else if ('children' in node) lines.push(...cellLines((node as Parents).children), [])
  }
  return lines
}
