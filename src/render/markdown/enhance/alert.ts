import type { Element, ElementContent } from 'hast'
import { isTag } from './element.ts'
import { type EnhanceContext, label } from './enhance-context.ts'

/** `[!TIP]`, and `[!TIP] A title`, which Obsidian and VitePress know. */
const ALERT_MARKER =
  /^\[!(note|info|tip|important|warning|caution|danger)\](?:[ \t]+(\S[^\n]*)|[ \t]*)(?:\n|$)/i

export type AlertKind = 'note' | 'tip' | 'important' | 'warning' | 'caution'

/** Names of other tools. Containers know them, too. */
const SAME: Readonly<Record<string, AlertKind>> = { info: 'note', danger: 'caution' }

const newline: ElementContent = { type: 'text', value: '\n' }

/**
 * Turns a blockquote whose first line is `[!NOTE]` (or another kind) into an alert. Other quotes stay quotes.
 */
export function enhanceBlockquote(quote: Element, context: EnhanceContext): readonly ElementContent[] {
  const first = quote.children.findIndex((child) => child.type === 'element')
  const paragraph = quote.children[first]
  if (!isTag(paragraph, 'p')) return [quote]

  const marked = readAlertMarker(paragraph.children)
  if (marked === null) return [quote]
  const { kind, title, rest } = marked
  const lead = rest.length === 0 ? [] : [newline, { ...paragraph, children: [...rest] }]
  const body = [...lead, ...quote.children.slice(first + 1)]
  return body.some((child) => child.type === 'element') ? [alertBox(kind, title, body, context)] : [quote]
}

/** Returns the kind of alert and the rest of its first paragraph; null when there is no marker. */
function readAlertMarker([text, ...others]: readonly ElementContent[]): {
  readonly kind: AlertKind
  /** The plain text after the marker. */
  readonly title: readonly ElementContent[] | null
  readonly rest: readonly ElementContent[]
} | null {
  const [mark, kind, title] = (text?.type === 'text' && ALERT_MARKER.exec(text.value)) || []
  if (text?.type !== 'text' || mark === undefined || kind === undefined) return null

  const [next] = others
  const breaks = isTag(next, 'br')
  const alone = mark.endsWith('\n') || breaks || next === undefined
  if (!alone) return null

  const value = text.value.slice(mark.length)
  const after = breaks ? others.slice(1) : others
  return {
    kind: SAME[kind.toLowerCase()] ?? (kind.toLowerCase() as AlertKind),
    title: title === undefined ? null : [{ type: 'text', value: title.trimEnd() }],
    rest: value === '' ? after : [{ type: 'text', value }, ...after],
  }
}

/** @param title shown in place of the name of the alert's kind; null for that name. */
export function alertBox(
  kind: AlertKind,
  title: readonly ElementContent[] | null,
  body: readonly ElementContent[],
  context: EnhanceContext,
): Element {
  const line: Element = {
    type: 'element',
    tagName: 'p',
    properties: { className: ['alert-title'] },
    children: title === null ? [{ type: 'text', value: label(kind, context) }] : [...title],
  }
  return {
    type: 'element',
    tagName: 'div',
    properties: { className: ['alert', `alert-${kind}`], role: 'note' },
    children: [newline, line, ...body],
  }
}
