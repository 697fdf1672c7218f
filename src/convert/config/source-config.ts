import { parse as parseToml, TomlDate, TomlError } from 'smol-toml'
import { parse as parseYaml, YAMLParseError } from 'yaml'
import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import { isNestedTooDeeply } from '../../page-text/yaml-nesting.ts'

/** Parses TOML. Dates become ISO 8601 texts. Returns the error message when the text is not valid. */
export function readToml(text: string): JsonObject | string {
  try {
    const value = asJson(parseToml(text))
    return isJsonObject(value) ? value : {}
  } catch (error) {
    if (error instanceof TomlError) return error.message.split('\n', 1)[0] ?? ''
    throw error
  }
}

function asJson(value: unknown): JsonValue {
  if (value instanceof TomlDate) return value.toISOString()
  if (Array.isArray(value)) return value.map(asJson)
  if (typeof value === 'bigint') return Number(value)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, asJson(item)]))
  return value as JsonValue
}

/**
 * Parses YAML or JSON. Returns the error message when the text is not valid, or when it is made to exhaust the memory
 * or the stack.
 */
export function readYaml(text: string): JsonObject | string {
  if (isNestedTooDeeply(text)) return 'It is nested too deeply.'
  try {
    // The check for repeated names takes quadratic time.
    const value: unknown = parseYaml(text, { schema: 'core', uniqueKeys: false, logLevel: 'error' })
    return isJsonObject(value) ? value : {}
  } catch (error) {
    // The parser throws it for its limit on aliases, and for aliases without an anchor.
    if (error instanceof ReferenceError) return 'Its aliases stand for too many values, or for none.'
    if (error instanceof YAMLParseError) return error.message.split('\n', 1)[0] ?? ''
    throw error
  }
}

/** The fields whose value is not undefined. */
export function defined(fields: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as JsonObject
}
