import { Document, type Scalar, visit } from 'yaml'
import type { JsonObject, JsonValue } from '../domain/json.ts'

/** In a text shown over several lines, spaces alone would be taken for indentation, and readers mend line ends. */
const HARD_TO_SHOW = /^[ \t]|\n[ \t]+$|\n[ \t]+\n|\r/

const PLAIN_KEY = /^[a-z][a-z_]{0,40}$/i
/** A text of one line that no reader could take for anything else: most titles, names, addresses and dates. */
const PLAIN_TEXT =
  /^(?:[a-z]|\d{4}-\d\d-\d\d)(?:[!-9;-~\u00a0-\ud7ff\ue000-\uffff]|:(?=[^\s:])| (?=[^\s#]))*$/i
/** One that begins with a mark of Markdown, which only marks around it keep from being one of YAML. */
const QUOTED_TEXT = /^[*`][ !#-[\]-~]*$/
const KEYWORD = /^(?:null|true|false)$/i

/** YAML of a mapping, from which readers of YAML 1.2 get the very same values. It ends with a line break. */
export function writeYaml(values: JsonObject): string {
  const entries = Object.entries(values)
  if (entries.length === 0) return formatted(values)
  return entries.map(([key, value]) => plainLine(key, value) ?? formatted({ [key]: value })).join('')
}

/** What `formatted` would make of most texts of one line, without its costs; null for all else. */
function plainLine(key: string, value: JsonValue): string | null {
  if (typeof value !== 'string' || !isPlain(key, PLAIN_KEY)) return null
  if (QUOTED_TEXT.test(value)) return `${key}: "${value}"\n`
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
