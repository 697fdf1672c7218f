/** Lines that stand together whatever they hold, so that nothing in them begins anything else. */
interface Enclosure {
  readonly endsAt: (line: string) => boolean
  /** The line that ends it where its author did not. */
  readonly closing: string
}

const FENCE = /^(`{3,}(?=[^`]*$)|~{3,})/

/** Raw HTML that goes on over empty lines: how it begins, what its last line holds, what to end it with. */
const HTML: readonly (readonly [begins: RegExp, ends: RegExp, closing: string])[] = [
  [/^<!--/, /-->/, '-->'],
  [/^<\?/, /\?>/, '?>'],
  [/^<!\[CDATA\[/, /\]\]>/, ']]>'],
  [/^<![a-z]/i, />/, '>'],
  ...['script', 'pre', 'style', 'textarea'].map(
    (tag) => [new RegExp(`^<${tag}(?:[\\s>]|$)`, 'i'), new RegExp(`</${tag}>`, 'i'), `</${tag}>`] as const,
  ),
]

/**
 * An author's Markdown as it is, empty lines around it apart. A code block, comment or the like that
 * is left open is closed, so that what follows in a document is read for itself. What is indented is
 * not looked at: it ends with the list it belongs to.
 */
export function closedMarkdown(markdown: string): string {
  const text = markdown.replace(/^(?:[ \t]*(?:\r\n|\r|\n))+/, '').trimEnd()
  let open: Enclosure | null = null
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (open === null) open = openedBy(line)
    else if (open.endsAt(line)) open = null
  }
  return open === null ? text : `${text}\n${open.closing}`
}

function openedBy(line: string): Enclosure | null {
  const fence = FENCE.exec(line)?.[1]
  if (fence !== undefined) return { endsAt: (other) => closes(other, fence), closing: fence }

  const html = HTML.find(([begins]) => begins.test(line))
  if (html === undefined) return null
  const [, ends, closing] = html
  return ends.test(line) ? null : { endsAt: (other) => ends.test(other), closing }
}

/** A fence is closed by one of the same marks that is at least as long. */
function closes(line: string, fence: string): boolean {
  const marks = /^ {0,3}(`+|~+)[ \t]*$/.exec(line)?.[1] ?? ''
  return marks.startsWith(fence)
}
