import type { WrittenComponent } from '../domain/component.ts'
import { readAttributes } from './player-directive.ts'

/** The line up to the directive, its colons, its name, the text in brackets, and the attributes between the braces. */
const LINE =
  /^([ \t>]*)(:{2,})[ \t]{0,9}([a-z][a-z0-9-]{0,49})(?:[ \t]*(\[.*\]))?(?:[ \t]*(\{)((?:[^{}"'\n]|"[^"\n]*"|'[^'\n]*')*)\})?[ \t]*$/
/** UTF-16 code units. */
const MAX_LINE = 8_000
const MAX_ATTRIBUTES = 40

/** A line that starts a component, or is one. */
export interface ComponentLine {
  /** Indentation and signs of quotes. */
  readonly before: string
  /** Two on a line of its own, more where Markdown follows. */
  readonly colons: number
  /** The text in brackets, with them; empty for none. */
  readonly label: string
  /** The line has braces. */
  readonly hasBraces: boolean
  readonly component: WrittenComponent
}

/** Reads a line that has the form of a component; null for any other. */
export function readComponentLine(line: string): ComponentLine | null {
  if (line.length > MAX_LINE) return null
  const [match, before = '', colons = '', name = '', label = '', brace, written = ''] = LINE.exec(line) ?? []
  if (match === undefined) return null
  const attributes = readAttributes(written)
    .slice(0, MAX_ATTRIBUTES)
    .map(({ name, value }) => [name, value] as const)
  const source = match.slice(before.length).trimEnd()
  return {
    before,
    colons: colons.length,
    label,
    hasBraces: brace !== undefined,
    component: { name, source, attributes },
  }
}
