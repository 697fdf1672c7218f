/** Position in a template, from 1. */
export interface TemplatePosition {
  readonly line: number
  /** From 1; null when only the line is known. */
  readonly column: number | null
}

/**
 * Maps a position in compiled code to the template. In debug mode the code records the line of each tag, and
 * contains the code of each tag as written.
 *
 * @param at position in the code, from 1; null when only the last tag is known.
 */
export function positionInTemplate(
  text: string,
  code: string,
  at: { readonly line: number; readonly column: number } | null,
): TemplatePosition {
  const lines = code.split('\n')
  const before = lines.slice(0, at === null ? lines.length : at.line)
  const recordIndex = before.findLastIndex((line) => LINE_RECORD.test(line))
  const tagLine = Number(LINE_RECORD.exec(before[recordIndex] ?? '')?.[1] ?? 1)
  if (at === null || recordIndex === -1) return { line: tagLine, column: null }

  const written = (lines[recordIndex + 1] ?? '').replace(OUTPUT_START, '')
  const isWrapped = written !== lines[recordIndex + 1]
  const first = isWrapped ? written.replace(/\)?;$/, '') : written
  const tagStart = offsetOfLine(text, tagLine)
  const start = text.indexOf(first, tagStart)
  if (first === '' || start === -1) return { line: tagLine, column: null }

  const further = at.line - (recordIndex + 2)
  const prefix = (lines[recordIndex + 1] ?? '').length - written.length
  const startColumn = start - text.lastIndexOf('\n', start - 1)
  const startLine = text.slice(0, start).split('\n').length
  const line = startLine + Math.max(further, 0)
  // The compiler reports unfinished code at the code that follows it.
  const isAfter = lines.slice(recordIndex + 2, at.line).some((line) => COMPILER_LINE.test(line))
  if (isAfter || line > text.split('\n').length) return { line: startLine, column: startColumn }
  return { line, column: further <= 0 ? startColumn + Math.max(at.column - 1 - prefix, 0) : at.column }
}

/** Lines that the compiler wrote. */
const COMPILER_LINE = /^__eta\.(line=|res\+=)/
const LINE_RECORD = /^__eta\.line=(\d+)$/
const OUTPUT_START = /^__eta\.res\+=(?:__eta\.e\()?/

function offsetOfLine(text: string, line: number): number {
  let offset = 0
  for (let passed = 1; passed < line; passed++) offset = text.indexOf('\n', offset) + 1
  return offset
}
