import { mapProse } from '../../page-text/map-prose.ts'
import { fenceStateAt } from '../mdx/fences.ts'

/** Markdown reads lines from this column on as code. */
const CODE_COLUMN = 4
const ITEM = /^[ \t]*(?:[-*+]|\d+[.)])(?:[ \t]|$)/
const RUN = /(?<!\*)\*{4,}(?!\*)/g

/**
 * Moves blocks that are below a paragraph to its column: Notion indents them, while Markdown reads four columns as code.
 * In lists they stay.
 */
export function outdentParagraphs(lines: readonly string[]): readonly string[] {
  const isCode = fenceStateAt(lines)
  /** The columns of the markers of open list items. */
  const items: number[] = []
  let shift = 0
  return lines.map((line, index) => {
    if (line.trim() === '') return line
    const isInside = isCode(index) && index > 0 && isCode(index - 1)
    const column = line.length - line.trimStart().length
    if (!isInside) {
      while (items.length > 0 && column <= (items.at(-1) ?? 0)) items.pop()
      if (items.length === 0) shift = column < CODE_COLUMN ? 0 : column
      if (!isCode(index) && ITEM.test(line)) items.push(column)
    }
    return shift === 0 ? line : line.slice(Math.min(shift, column))
  })
}

/** Writes runs of asterisks as two or one: exports have more of them around bold and italic text. */
export function withPlainMarks(body: string): string {
  return mapProse(body, (text) =>
    text
      .split('\n')
      .map((line) => {
        const runs = line.match(RUN) ?? []
        const isPaired = runs.length > 0 && runs.length % 2 === 0
        return isPaired ? line.replace(RUN, (run) => (run.length % 2 === 0 ? '**' : '*')) : line
      })
      .join('\n'),
  )
}

/** A task with one blank before its text. */
export function withPlainTask(line: string): string {
  return line.replace(/^([ \t]*- \[[ x]\]) {2,}/, '$1 ')
}

/** Empties blank lines, and leaves out those after others, and at the start and end of containers. */
export function withoutSpareBlanks(lines: readonly string[]): readonly string[] {
  const isCode = fenceStateAt(lines)
  const isBlank = (index: number) => !isCode(index) && lines[index]?.trim() === ''
  return lines.flatMap((line, index) => {
    if (!isBlank(index)) return [line]
    const isSpare =
      (index > 0 && isBlank(index - 1)) ||
      /^[ \t>]*:::\w/.test(lines[index - 1] ?? '') ||
      /^[ \t>]*:::$/.test(lines[index + 1] ?? '')
    return isSpare ? [] : ['']
  })
}
