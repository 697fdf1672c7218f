/** A block in which no other block can start. */
interface Enclosure {
  readonly endsAt: (line: string) => boolean
  /** The line that ends it when its author did not. */
  readonly closing: string
}

const FENCE = /^(`{3,}(?=[^`]*$)|~{3,})/

/** Raw HTML blocks that may contain empty lines, by their beginning, their last line, and the text to close them. */
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
 * Trims empty lines around an author's Markdown and closes an open code block, comment or raw HTML, so that it does not
 * absorb the rest of a document. Ignores indented blocks, which end with their list.
 */
export function closeMarkdown(markdown: string): string {
  const text = markdown.replace(/^(?:[ \t]*(?:\r\n|\r|\n))+/, '').trimEnd()
  let open: Enclosure | null = null
  for (const line of text.split(/\r\n|\r|\n/)) {
    if (open === null) open = enclosureOpenedBy(line)
    else if (open.endsAt(line)) open = null
  }
  return open === null ? text : `${text}\n${open.closing}`
}

function enclosureOpenedBy(line: string): Enclosure | null {
  const fence = FENCE.exec(line)?.[1]
  if (fence !== undefined) return { endsAt: (other) => closes(other, fence), closing: fence }

  const html = HTML.find(([begins]) => begins.test(line))
  if (html === undefined) return null
  const [, ends, closing] = html
  return ends.test(line) ? null : { endsAt: (other) => ends.test(other), closing }
}

/** A closing fence has the same character as the opening one and is at least as long. */
function closes(line: string, fence: string): boolean {
  const marks = /^ {0,3}(`+|~+)[ \t]*$/.exec(line)?.[1] ?? ''
  return marks.startsWith(fence)
}
