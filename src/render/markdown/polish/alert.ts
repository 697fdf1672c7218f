import type { Element, ElementContent } from 'hast'

const MARK = /^\[!(note|tip|important|warning|caution)\][ \t]*(?:\n|$)/i

const TITLES: Readonly<Record<string, string>> = {
  note: 'Note',
  tip: 'Tip',
  important: 'Important',
  warning: 'Warning',
  caution: 'Caution',
}

const newline: ElementContent = { type: 'text', value: '\n' }

/** A quote that starts with `[!NOTE]` on a line of its own is no quote but an alert. */
export function polishQuote(quote: Element): readonly ElementContent[] {
  const first = quote.children.findIndex((child) => child.type === 'element')
  const paragraph = quote.children[first]
  if (paragraph?.type !== 'element' || paragraph.tagName !== 'p') return [quote]

  const marked = readMark(paragraph.children)
  if (marked === null) return [quote]
  const { kind, rest } = marked
  const lead = rest.length === 0 ? [] : [newline, { ...paragraph, children: [...rest] }]
  const body = [...lead, ...quote.children.slice(first + 1)]
  return body.some((child) => child.type === 'element') ? [alert(kind, body)] : [quote]
}

/** The kind of alert and what follows its mark in the first paragraph. */
function readMark([text, ...others]: readonly ElementContent[]): {
  readonly kind: string
  readonly rest: readonly ElementContent[]
} | null {
  const [mark, kind] = (text?.type === 'text' && MARK.exec(text.value)) || []
  if (text?.type !== 'text' || mark === undefined || kind === undefined) return null

  const [next] = others
  const breaks = next?.type === 'element' && next.tagName === 'br'
  const alone = mark.endsWith('\n') || breaks || next === undefined
  if (!alone) return null

  const value = text.value.slice(mark.length)
  const after = breaks ? others.slice(1) : others
  return { kind: kind.toLowerCase(), rest: value === '' ? after : [{ type: 'text', value }, ...after] }
}

function alert(kind: string, body: readonly ElementContent[]): Element {
  const title: Element = {
    type: 'element',
    tagName: 'p',
    properties: { className: ['alert-title'] },
    children: [{ type: 'text', value: TITLES[kind] ?? kind }],
  }
  return {
    type: 'element',
    tagName: 'div',
    properties: { className: ['alert', `alert-${kind}`], role: 'note' },
    children: [newline, title, ...body],
  }
}
