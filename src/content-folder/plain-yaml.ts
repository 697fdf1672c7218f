import type { JsonObject } from '../domain/json.ts'

/*
 * Front matter is mostly a few names with a text each, which can be told without a parser: that takes
 * a twentieth of the time. Whatever could mean anything else is left to the parser.
 */

const LINE =
  /^([a-z][a-z0-9_-]{0,60}): (?:"([^"\\\p{C}]*)"|([A-Za-z][A-Za-z0-9_./,()' -]*)|(\d{4}-\d\d-\d\d))$/u
/** What the core schema takes for something else than text. https://yaml.org/spec/1.2.2/#103-core-schema */
const NO_TEXT = /^(?:null|true|false)$/i

/** What a YAML text says of which each line is a name and a text, in the order of its lines; null for any other. */
export function plainYaml(text: string): JsonObject | null {
  const written = text.trimEnd()
  if (/[^ \t\n]/.test(text.slice(written.length))) return null
  const value: Record<string, string> = {}
  for (const line of written.split('\n')) {
    const [, name = '', quoted, plain, date] = LINE.exec(line) ?? []
    const told = quoted ?? plain ?? date
    if (told === undefined || Object.hasOwn(value, name)) return null
    if (NO_TEXT.test(name) || (quoted === undefined && (NO_TEXT.test(told) || told.endsWith(' '))))
      return null
    value[name] = told
  }
  return value
}
