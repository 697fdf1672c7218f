/** A line that is a heading (`## Title {#id} ##`). */
export interface HeadingLine {
  /** 1 to 6. */
  readonly depth: number
  /** Without the signs at both ends, its id and blanks; empty for a heading without a text. */
  readonly text: string
  /** The id that `{#id}` states; null for none. */
  readonly id: string | null
}

const START = /^ {0,3}(#{1,6})(?=[ \t]|$)/

/** Reads a heading that begins with signs; null for any other line. The time grows with the line alone. */
export function readHeadingLine(line: string): HeadingLine | null {
  const [start, marks = ''] = START.exec(line) ?? []
  if (start === undefined) return null
  const written = withoutEndSigns(line.slice(start.length).trim())
  const id = idAtEnd(written)
  return {
    depth: marks.length,
    text: id === null ? written : written.slice(0, -id.length - '{#}'.length).trimEnd(),
    id,
  }
}

/** Signs at the end are no part of the text if a blank is before them. */
function withoutEndSigns(text: string): string {
  let end = text.length
  while (text[end - 1] === '#') end -= 1
  if (end === text.length) return text
  return end === 0 || /[ \t]/.test(text.charAt(end - 1)) ? text.slice(0, end).trimEnd() : text
}

function idAtEnd(text: string): string | null {
  const start = text.endsWith('}') ? text.lastIndexOf('{#') : -1
  if (start === -1 || (start > 0 && !/[ \t]/.test(text.charAt(start - 1)))) return null
  const id = text.slice(start + '{#'.length, -1)
  return id === '' || /[}\s]/.test(id) ? null : id
}
