export interface SourceLine {
  readonly text: string
  /** True for the lines of a fenced code block, fences included. */
  readonly isCode: boolean
}

const FENCE = /^[\s>]*(?:(?:[-+*]|\d{1,9}[.)])\s+)*(`{3,}(?=[^`]*$)|~{3,})/

/**
 * Splits a source into lines. Recognises fences by their characters alone, at any indentation and inside
 * quotes and lists.
 */
export function sourceLines(source: string): readonly SourceLine[] {
  let fence: string | null = null
  return source.split(/\r\n|\r|\n/).map((text) => {
    if (fence !== null) {
      if (closes(text, fence)) fence = null
      return { text, isCode: true }
    }
    fence = FENCE.exec(text)?.[1] ?? null
    return { text, isCode: fence !== null }
  })
}

/** Joins the lines of each paragraph, or of paragraphs that no empty line divides. Code keeps its lines. */
export function joinParagraphs(lines: readonly SourceLine[]): readonly SourceLine[] {
  const joined: SourceLine[] = []
  let paragraph: string[] = []
  const flush = (): void => {
    if (paragraph.length > 0) joined.push({ text: paragraph.join('\n'), isCode: false })
    paragraph = []
  }
  for (const line of lines) {
    if (line.isCode || /^[ \t>]*$/.test(line.text)) {
      flush()
      joined.push(line)
    } else {
      paragraph.push(line.text)
    }
  }
  flush()
  return joined
}

/** A closing fence has the same character as the opening one and is at least as long. */
function closes(line: string, fence: string): boolean {
  const marks = line.replace(/^[\s>]+/, '').trimEnd()
  return marks.startsWith(fence) && marks === marks.charAt(0).repeat(marks.length)
}
