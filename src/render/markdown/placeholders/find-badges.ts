import { codeSpans } from '../../../page-text/code-spans.ts'
import { isEscaped } from '../../../page-text/escapes.ts'
import { type Placeholder, placeholderText } from './placeholder.ts'
import type { SourceLine } from './source-lines.ts'

/** `:badge[GET]`, `:badge[New]{tip}`. */
const BADGE = /(?<![\w:]):badge\[([^[\]\n]{1,60})\](?:\{(note|tip|important|warning|caution)\})?/g

/** The tones of the methods of HTTP. */
const METHODS: Readonly<Record<string, string>> = {
  GET: 'note',
  HEAD: 'note',
  POST: 'tip',
  PUT: 'warning',
  PATCH: 'warning',
  DELETE: 'caution',
}

export function mayHaveBadges(text: string): boolean {
  return text.includes(':badge[')
}

/**
 * Replaces badges in text with placeholders. Code and escaped ones stay.
 *
 * @param paragraphs as `joinParagraphs` returns them.
 * @param placeholders new placeholders are appended.
 */
export function findBadges(
  paragraphs: readonly SourceLine[],
  placeholders: Placeholder[],
): readonly SourceLine[] {
  return paragraphs.map((paragraph) => {
    if (paragraph.isCode || !mayHaveBadges(paragraph.text)) return paragraph
    const { text } = paragraph
    const code = codeSpans(text)
    return { ...paragraph, text: text.replace(BADGE, replaced) }

    function replaced(source: string, label: string, tone: string | undefined, at: number): string {
      if (isEscaped(text, at) || code.some(({ start, end }) => start <= at && at < end)) return source
      placeholders.push({
        type: 'badge',
        source,
        text: label.trim(),
        tone: tone ?? METHODS[label.trim()] ?? 'note',
      })
      return placeholderText(placeholders.length - 1)
    }
  })
}
