import type { Emphasis, PhrasingContent, RootContent } from 'mdast'
import type { MarkPlaceholder } from './placeholder.ts'

type Content = RootContent | MarkPlaceholder

/** A range whose closing delimiter is still ahead. */
interface OpenMark {
  readonly mark: MarkPlaceholder
  readonly children: RootContent[]
}

/** Joins delimiters to ranges. Delimiters without a partner among their siblings are restored as text. */
export function withMarks(contents: readonly Content[]): RootContent[] {
  const found: RootContent[] = []
  const open: OpenMark[] = []
  for (const content of contents) {
    if (content.type !== 'mark') {
      add(content)
    } else if (content.opens) {
      if (open.some(({ mark }) => mark.kind === content.kind)) addText(content.source)
      else open.push({ mark: content, children: [] })
    } else {
      const index = open.findIndex(({ mark }) => mark.kind === content.kind)
      if (index === -1) addText(content.source)
      else {
        while (open.length > index + 1) dissolve()
        const { children } = open.pop() as OpenMark
        add(range(content, children))
      }
    }
  }
  while (open.length > 0) dissolve()
  return found

  function add(node: RootContent): void {
    const into = open.at(-1)?.children ?? found
    const last = into.at(-1)
    if (node.type === 'text' && last?.type === 'text')
      into[into.length - 1] = { ...last, value: last.value + node.value }
    else into.push(node)
  }

  function addText(value: string): void {
    add({ type: 'text', value })
  }

  function dissolve(): void {
    const { mark, children } = open.pop() as OpenMark
    addText(mark.source)
    for (const child of children) add(child)
  }
}

/** Represented as emphasis with another name, which parsers of the tree know. */
function range({ kind }: MarkPlaceholder, children: readonly RootContent[]): Emphasis {
  return { type: 'emphasis', data: { hName: kind }, children: children as PhrasingContent[] }
}
