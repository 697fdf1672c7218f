import { findInlineMarks, type InlineMark, mayHaveMarks } from '../../../page-text/inline-marks.ts'
import { type Placeholder, signedPlaceholder } from './placeholder.ts'
import type { SourceLine } from './source-lines.ts'

/**
 * Replaces the delimiters of marked, raised and lowered text and the names of emoji with placeholders.
 *
 * @param paragraphs as `joinParagraphs` returns them.
 * @param placeholders new placeholders are appended.
 */
export function findMarks(
  paragraphs: readonly SourceLine[],
  placeholders: Placeholder[],
): readonly SourceLine[] {
  /** Equal sources share a placeholder, so that link labels with marks still match their definitions. */
  const numbers = new Map<string, number>()
  return paragraphs.map((paragraph) =>
    paragraph.isCode || !mayHaveMarks(paragraph.text)
      ? paragraph
      : { text: replaceMarks(paragraph.text), isCode: false },
  )

  function replaceMarks(text: string): string {
    let replaced = ''
    let copied = 0
    for (const mark of findInlineMarks(text)) {
      const source = text.slice(mark.start, mark.end)
      replaced += text.slice(copied, mark.start) + signedPlaceholder(numberOf(mark, source), source)
      copied = mark.end
    }
    return replaced + text.slice(copied)
  }

  function numberOf({ kind, opens, shown }: InlineMark, source: string): number {
    const name = `${kind} ${opens} ${source}`
    const known = numbers.get(name)
    if (known !== undefined) return known
    placeholders.push(
      kind === 'emoji' || kind === 'tilde'
        ? { type: 'text', source, shown }
        : { type: 'mark', source, kind, opens },
    )
    numbers.set(name, placeholders.length - 1)
    return placeholders.length - 1
  }
}
