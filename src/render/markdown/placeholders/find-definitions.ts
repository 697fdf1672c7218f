import { codeSpans } from '../../../page-text/code-spans.ts'
import type { Placeholder } from './placeholder.ts'
import type { SourceLine } from './source-lines.ts'

/** The sign of a definition, up to three spaces in. */
const DEFINITION = /^([ \t]*(?:>[ \t]*)*(?<![ \t]{4})):([ \t]+)(?=[^\s|])/
/** Begins a block that is no paragraph, and so no term. */
const OTHER_BLOCK =
  /^(?: {4}|\t| {0,3}(?:[-+*][ \t]|\d{1,9}[.)][ \t]|#{1,6}(?:[ \t]|$)|:::|[|<\uFDD0]|\[[^\]]+\]:|(?:[-=_*][ \t]*)+$))/
/** More space would begin code in the item of a list. */
const ITEM_SPACE = /^(?: {1,4}|\t)$/
const QUOTES = /^(?:(?:[ \t]*>)+[ \t]?)?/

/**
 * Turns the lines of definitions, `: text` after the lines of their terms, into items of a list that start with a
 * placeholder. A list has the same indentation, so that a definition may hold any blocks.
 *
 * @param placeholders one is appended if there is a definition.
 */
export function findDefinitions(
  lines: readonly SourceLine[],
  placeholders: Placeholder[],
): readonly SourceLine[] {
  const number = placeholders.length
  const inSpan = linesInCodeSpans(lines)
  /** Kind of the last line so far. */
  let above: 'nothing' | 'term' | 'definition' = 'nothing'
  let isAfterBlank = false
  const found = lines.map((line, index) => {
    const { text, isCode } = line
    if (isCode) {
      if (above === 'term') above = 'nothing'
      return line
    }
    const inner = text.replace(QUOTES, '')
    if (inner.trim() === '') {
      isAfterBlank = true
      return line
    }
    const wasAfterBlank = isAfterBlank
    isAfterBlank = false
    if (above !== 'nothing' && DEFINITION.test(text) && !inSpan(index)) {
      above = 'definition'
      const asItem = (_: string, before: string, space: string) =>
        `${before}+${ITEM_SPACE.test(space) ? space : ' '}\uFDD3${number}\uFDD4`
      return { text: text.replace(DEFINITION, asItem), isCode }
    }
    const isInside = above === 'definition' && (!wasAfterBlank || /^[ \t]{2}/.test(inner))
    if (!isInside) above = OTHER_BLOCK.test(inner) ? 'nothing' : 'term'
    return line
  })
  if (found.every((line, index) => line === lines[index])) return lines
  placeholders.push({ type: 'definition', source: ': ' })
  return found
}

/** Reports whether a line begins inside a code span. An item of a list would end the span. */
function linesInCodeSpans(lines: readonly SourceLine[]): (index: number) => boolean {
  let inside: ReadonlySet<number> | null = null
  return (index) => {
    inside ??= new Set(spannedLines(lines))
    return inside.has(index)
  }
}

function* spannedLines(lines: readonly SourceLine[]): Generator<number> {
  const prose = lines.map(({ text, isCode }) => (isCode ? text.replaceAll('`', ' ') : text)).join('\n')
  const spans = codeSpans(prose)
  let next = 0
  let at = 0
  for (const [index, { text }] of lines.entries()) {
    while ((spans[next]?.end ?? at) < at) next += 1
    if ((spans[next]?.start ?? at) < at) yield index
    at += text.length + 1
  }
}
