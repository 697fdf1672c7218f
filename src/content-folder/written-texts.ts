import type { z } from 'zod'
import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts'
import type { Path, YamlSource } from './yaml-source.ts'

type Issue = z.core.$ZodIssue

/**
 * Parses the fields of a file. Where the schema asks for a text and YAML read a number or a boolean, the text is what is
 * written: `title: 1.10` is the title "1.10", and `title: 2024` the title "2024".
 */
export function parsedAsWritten<Schema extends z.ZodType>(
  schema: Schema,
  fields: JsonObject,
  { writtenAt }: Pick<YamlSource, 'writtenAt'>,
): z.ZodSafeParseResult<z.output<Schema>> {
  const result = schema.safeParse(fields)
  if (result.success) return result
  let asTexts: JsonValue = fields
  for (const path of textPaths(result.error.issues, [])) {
    const text = writtenAt(path)
    if (text !== null) asTexts = replaced(asTexts, path, text)
  }
  return asTexts === fields ? result : schema.safeParse(asTexts)
}

/** Paths at which a text was expected, in any alternative of a union. */
function textPaths(issues: readonly Issue[], above: Path): readonly Path[] {
  return issues.flatMap((issue) => {
    const path = [...above, ...issue.path]
    if (issue.code === 'invalid_union') return issue.errors.flatMap((inner) => textPaths(inner, path))
    return issue.code === 'invalid_type' && issue.expected === 'string' ? [path] : []
  })
}

function replaced(value: JsonValue, [step, ...further]: Path, text: string): JsonValue {
  if (step === undefined) return text
  if (Array.isArray(value))
    return value.map((inner, index) => (index === step ? replaced(inner, further, text) : inner))
  if (!isJsonObject(value)) return value
  const name = String(step)
  return { ...value, [name]: replaced(value[name] ?? null, further, text) }
}

/** Without fields that are left empty where null means nothing, as templates of editors leave them. */
export function withoutEmptyFields(
  fields: JsonObject,
  { shape }: { readonly shape: Readonly<Record<string, z.ZodType>> },
): JsonObject {
  const isEmpty = (name: string) => fields[name] === null && shape[name]?.safeParse(null).success === false
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !isEmpty(name)))
}

/**
 * Replaces numbers that would be shown in another form than the author's by their text: `price: 9.90` would be 9.9.
 *
 * @param at the path of the value in the file.
 */
export function withWrittenNumbers(
  value: JsonValue,
  at: Path,
  source: Pick<YamlSource, 'writtenAt'>,
): JsonValue {
  if (typeof value === 'number') {
    const text = source.writtenAt(at)
    return text === null || text === String(value) ? value : text
  }
  if (Array.isArray(value))
    return value.map((inner, index) => withWrittenNumbers(inner, [...at, index], source))
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value)
  return Object.fromEntries(
    entries.map(([name, inner]) => [name, withWrittenNumbers(inner, [...at, name], source)]),
  )
}
