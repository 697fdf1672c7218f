import { withoutClosingMarks } from '../body/closing-marks.ts'

/** A first-level heading at the start of a page. */
export interface TitleHeading {
  readonly text: string
  /** With its number sign, e.g. `#start`. Null without one. */
  readonly anchor: string | null
  /** The length of the heading in the page, with the lines before it and its line break. */
  readonly length: number
}

const ATTRIBUTES = /\{(?:[^{}\n]*[ \t:])?(#[^\s{}]+)?[^{}\n]*\}$/

/** The heading at the start of a page. Null when the page begins with something else. */
export function readTitleHeading(body: string): TitleHeading | null {
  const start = body.length - body.trimStart().length
  const end = body.indexOf('\n', start)
  const line = body.slice(start, end === -1 ? undefined : end).trimEnd()
  if (!/^#[ \t]/.test(line)) return null
  const brace = line.lastIndexOf('{')
  const attributes = brace > 1 && line.endsWith('}') ? ATTRIBUTES.exec(line.slice(brace)) : null
  const text = withoutClosingMarks(line.slice(1, attributes === null ? undefined : brace)).trim()
  if (text === '') return null
  return { text, anchor: attributes?.[1] ?? null, length: end === -1 ? body.length : end + 1 }
}
