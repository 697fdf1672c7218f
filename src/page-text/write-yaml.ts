import { Document, type Scalar, visit } from 'yaml'
import type { JsonObject, JsonValue } from '../domain/json.ts'

/**
 * Block scalars would lose this text: lines of spaces look like indentation, and parsers normalise line ends.
 */
const HARD_TO_SHOW = /^[ \t]|\n[ \t]+$|\n[ \t]+\n|\r/

const PLAIN_KEY = /^[a-z][a-z_]{0,40}$/i
/** One line that YAML cannot mistake for anything else: most titles, names, addresses and dates. */
const PLAIN_TEXT =
  /^(?:[a-z]|\d{4}-\d\d-\d\d)(?:[!-9;-~\u00a0-\ud7ff\ue000-\uffff]|:(?=[^\s:])| (?=[^\s#]))*$/i
/**
 * One line without escapes in quotes, for a text that YAML would interpret unquoted: Markdown syntax, a key or a
 * comment.
 */
const QUOTABLE_TEXT = /^[*`a-z][ !#-[\]-~]*$/i
const INTERPRETED = /^[*`]|: | #/
const KEYWORD = /^(?:null|true|false)$/i

/** Writes a mapping from which YAML 1.2 parsers read the same values. Ends with a line break. */
export function writeYaml(values: JsonObject): string {
  const entries = Object.entries(values)
  if (entries.length === 0) return formatted(values)
  return entries.map(([key, value]) => plainLine(key, value) ?? formatted({ [key]: value })).join('')
}

/** A fast path with the same result as `formatted` for most single-line texts; null for other values. */
function plainLine(key: string, value: JsonValue): string | null {
  if (typeof value !== 'string' || !isPlain(key, PLAIN_KEY)) return null
  if (QUOTABLE_TEXT.test(value) && INTERPRETED.test(value)) return `${key}: "${value}"\n`
  return isPlain(value, PLAIN_TEXT) ? `${key}: ${value}\n` : null
}

function isPlain(text: string, form: RegExp): boolean {
  return form.test(text) && !KEYWORD.test(text)
}

function formatted(values: JsonObject): string {
  const document = new Document(values, { version: '1.2', schema: 'core', aliasDuplicateObjects: false })
  visit(document, { Scalar: (_, scalar: Scalar) => quoteHard(scalar) })
  return document.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER })
}

function quoteHard(scalar: Scalar): void {
  if (typeof scalar.value === 'string' && HARD_TO_SHOW.test(scalar.value)) scalar.type = 'QUOTE_DOUBLE'
}
