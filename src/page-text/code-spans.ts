import { isEscaped } from './escapes.ts'

/** A code span, its backticks included. */
export interface CodeSpan {
  readonly start: number
  readonly end: number
}

/** A run of backticks, or the end of a paragraph: an empty line, or a line that begins a heading or a list item. */
const RUN_OR_BREAK = /`+|\n[ \t]*(?:(?=\n)|(?:[-*+]|#{1,6})[ \t])/g

/**
 * The code spans of Markdown without fences: from a run of backticks to the next one of the same length in its
 * paragraph. Takes time that grows with the text.
 */
export function codeSpans(text: string): readonly CodeSpan[] {
  return paragraphsOf(text).flatMap((runs) => spansOf(runs, text))
}

/** The end of each code span, by its start. */
export function spanEnds(text: string): ReadonlyMap<number, number> {
  return new Map(codeSpans(text).map(({ start, end }) => [start, end]))
}

/** Maps the text outside of code spans. @param change receives a piece and its offset in the text. */
export function mapOutsideSpans(text: string, change: (piece: string, at: number) => string): string {
  return mapPieces(text, change, (span) => span)
}

/** Maps the code spans of a text. */
export function replaceSpans(text: string, change: (span: string) => string): string {
  return mapPieces(text, (piece) => piece, change)
}

function mapPieces(
  text: string,
  outside: (piece: string, at: number) => string,
  inside: (span: string) => string,
): string {
  let at = 0
  let result = ''
  for (const { start, end } of codeSpans(text)) {
    result += outside(text.slice(at, start), at) + inside(text.slice(start, end))
    at = end
  }
  return result + outside(text.slice(at), at)
}

/** A run of backticks. */
interface Run {
  readonly start: number
  readonly length: number
}

function paragraphsOf(text: string): readonly (readonly Run[])[] {
  if (!text.includes('`')) return []
  const paragraphs: Run[][] = [[]]
  for (const { 0: found, index } of text.matchAll(RUN_OR_BREAK)) {
    if (found.startsWith('`')) paragraphs.at(-1)?.push({ start: index, length: found.length })
    else if (paragraphs.at(-1)?.length !== 0) paragraphs.push([])
  }
  return paragraphs
}

function spansOf(runs: readonly Run[], text: string): readonly CodeSpan[] {
  /** The runs of each length that are still ahead, the nearest last. */
  const ahead = new Map<number, Run[]>()
  for (const run of runs.toReversed()) {
    const same = ahead.get(run.length)
    if (same === undefined) ahead.set(run.length, [run])
    else same.push(run)
  }
  const spans: CodeSpan[] = []
  let end = 0
  for (const run of runs) {
    if (run.start < end) continue
    // A backslash takes the first backtick away.
    const skipped = isEscaped(text, run.start) ? 1 : 0
    const same = ahead.get(run.length - skipped)
    while (same !== undefined && (same.at(-1)?.start ?? Number.POSITIVE_INFINITY) <= run.start) same.pop()
    const close = same?.at(-1)
    if (close === undefined) continue
    end = close.start + close.length
    spans.push({ start: run.start + skipped, end })
  }
  return spans
}
