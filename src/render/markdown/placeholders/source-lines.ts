export interface SourceLine {
  readonly text: string
  /** Within a fenced code block, or one of its fences. */
  readonly isCode: boolean
}

const FENCE = /^[\s>]*(?:(?:[-+*]|\d{1,9}[.)])\s+)*(`{3,}(?=[^`]*$)|~{3,})/

/** The lines of a source without their ends. Fences are told by their marks alone, wherever they stand. */
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

/** A fence is closed by one of the same marks that is at least as long. */
function closes(line: string, fence: string): boolean {
  const marks = line.replace(/^[\s>]+/, '').trimEnd()
  return marks.startsWith(fence) && marks === marks.charAt(0).repeat(marks.length)
}
