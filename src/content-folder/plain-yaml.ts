import type { JsonObject } from '../domain/json.ts'

/*
 * Most front matter is a few names with plain text values. Matching those by line takes a twentieth of the time
 * of a YAML parser. Text with any other meaning in YAML is left to the parser.
 */

const LINE =
  /^([a-z][a-z0-9_-]{0,60}): (?:"([^"\\\p{C}]*)"|([A-Za-z][A-Za-z0-9_./,()' -]*)|(\d{4}-\d\d-\d\d))$/u
/** Words that the core schema does not read as text. Source: https://yaml.org/spec/1.2.2/#103-core-schema */
const NOT_TEXT = /^(?:null|true|false)$/i

/** Parses YAML in which each line is a name and a text, in the order of its lines; null for any other YAML. */
export function plainYaml(yaml: string): JsonObject | null {
  const trimmed = yaml.trimEnd()
  if (/[^ \t\n]/.test(yaml.slice(trimmed.length))) return null
  const value: Record<string, string> = {}
  for (const line of trimmed.split('\n')) {
    const [, name = '', quoted, plain, date] = LINE.exec(line) ?? []
    const text = quoted ?? plain ?? date
    if (text === undefined || Object.hasOwn(value, name)) return null
    if (NOT_TEXT.test(name) || (quoted === undefined && (NOT_TEXT.test(text) || text.endsWith(' '))))
      return null
    value[name] = text
  }
  return value
}
