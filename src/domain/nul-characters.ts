import { fieldName, type InvalidField } from './invalid-field.ts'
import { isJsonObject, type JsonValue } from './json.ts'

/* PostgreSQL does not store U+0000 in a text. It is refused whatever the database, so that an installation can move. */

export const NUL_MESSAGE = 'must not contain the character U+0000.'

/** A field whose value contains U+0000. */
export function nulError(path: string): InvalidField {
  return { path: withoutNul(path), message: NUL_MESSAGE, code: 'invalid' }
}

/** The text with a visible sign for each U+0000. */
export function withoutNul(text: string): string {
  return text.replaceAll('\0', '\ufffd')
}

/** The fields whose text or name contains U+0000, in order. */
export function fieldsWithNul(value: JsonValue, path: readonly PropertyKey[] = []): readonly string[] {
  if (typeof value === 'string') return value.includes('\0') ? [fieldName(path)] : []
  if (Array.isArray(value)) return value.flatMap((inner, index) => fieldsWithNul(inner, [...path, index]))
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([name, inner]) => {
    const field = [...path, name]
    return name.includes('\0') ? [fieldName(field)] : fieldsWithNul(inner, field)
  })
}
