import { parse as parseToml, TomlDate, TomlError } from 'smol-toml'
import { parse as parseYaml, YAMLParseError } from 'yaml'
import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts'

/** TOML as JSON, dates as texts; what is wrong with it, as a text. */
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

/** JSON is YAML too. */
export function readYaml(text: string): JsonObject | string {
  try {
    const value: unknown = parseYaml(text, { schema: 'core' })
    return isJsonObject(value) ? value : {}
  } catch (error) {
    if (error instanceof YAMLParseError) return error.message.split('\n', 1)[0] ?? ''
    throw error
  }
}

/** Without what is not there. */
export function defined(fields: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as JsonObject
}
