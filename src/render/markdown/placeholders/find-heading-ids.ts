import { type Placeholder, placeholderText } from './placeholder.ts'
import type { SourceLine } from './source-lines.ts'

const HEADING = /^[\s>]*(?:(?:[-+*]|\d{1,9}[.)])\s+)*#{1,6}[ \t]/
const UNDERLINE = /^[\s>]*(?:=+|-+)[ \t]*$/
/** A backslash before the brace escapes it. */
const ID = /(?<=[ \t])\{#([\p{L}\p{N}_][\p{L}\p{N}_.:-]{0,99})\}(?=[ \t]*(?:#+[ \t]*)?$)/u

/**
 * Replaces the id at the end of a heading, as in `## Install {#setup}`, with a placeholder.
 *
 * @param placeholders new placeholders are appended.
 */
export function findHeadingIds(
  lines: readonly SourceLine[],
  placeholders: Placeholder[],
): readonly SourceLine[] {
  return lines.map((line, index) => {
    if (line.isCode || !line.text.includes('{#')) return line
    if (!HEADING.test(line.text) && !UNDERLINE.test(lines[index + 1]?.text ?? '')) return line
    const [source, id = ''] = ID.exec(line.text) ?? []
    if (source === undefined) return line
    placeholders.push({ type: 'heading-id', source, id })
    return { ...line, text: line.text.replace(source, () => placeholderText(placeholders.length - 1)) }
  })
}
