import { inlineMarkdown } from './inline-markdown.ts'
import type { ParsedDocument, Schema } from './read-document.ts'

/** One field of a body, an answer or a query in the API reference. */
export interface Field {
  readonly name: string
  /** `string`, `array of objects`, `string or null`. */
  readonly type: string
  readonly required: boolean
  /** HTML. */
  readonly about: string
  /** `at most 200 characters`, `default 25`; HTML. */
  readonly rules: readonly string[]
  readonly fields: readonly Field[]
}

/** Nesting limit, because the schema of a docs navigation is recursive. */
const MAX_DEPTH = 4

/** The fields of an object, including nested fields. */
export function fieldsOf(schema: Schema, reading: ParsedDocument, depth = 0): readonly Field[] {
  const { properties = {}, required = [] } = reading.resolve<Schema>(schema)
  if (depth === MAX_DEPTH) return []
  return Object.entries(properties)
    .filter(([, field]) => field.readOnly !== true)
    .map(([name, field]) => fieldOf(name, field, required.includes(name), reading, depth))
}

/** Names of fields of which at least one is required. */
export function eitherOf(schema: Schema, reading: ParsedDocument): readonly string[] {
  const { properties, anyOf = [] } = reading.resolve<Schema>(schema)
  return properties === undefined ? [] : anyOf.flatMap(({ required = [] }) => required)
}

/** Names of fields that are accepted and ignored. */
export function ignoredFields(schema: Schema, reading: ParsedDocument): readonly string[] {
  const { properties = {} } = reading.resolve<Schema>(schema)
  return Object.entries(properties).flatMap(([name, { readOnly }]) => (readOnly ? [name] : []))
}

export function fieldOf(
  name: string,
  schema: Schema,
  required: boolean,
  reading: ParsedDocument,
  depth = 0,
): Field {
  const options = optionsOf(schema, reading)
  const main = options.find(({ type }) => type !== 'null') ?? schema
  return {
    name,
    type: [...new Set(options.map((option) => typeName(option, reading)))].join(' or '),
    required,
    about: inlineMarkdown(schema.description ?? main.description ?? ''),
    rules: rulesOf(schema.default === undefined ? main : { ...main, default: schema.default }),
    fields: options.flatMap((option) => innerFields(option, reading, depth + 1)),
  }
}

/** The alternatives of a field's type. */
function optionsOf(schema: Schema, reading: ParsedDocument): readonly Schema[] {
  const found = reading.resolve<Schema>(schema)
  if (found.properties === undefined && found.anyOf !== undefined)
    return found.anyOf.flatMap((option) => optionsOf(option, reading))
  if (typeof found.type === 'object') return found.type.map((type) => ({ ...found, type }))
  return [found]
}

function innerFields(option: Schema, reading: ParsedDocument, depth: number): readonly Field[] {
  const inner = option.type === 'array' ? optionsOf(option.items ?? {}, reading) : [option]
  return inner.flatMap((schema) => fieldsOf(schema, reading, depth))
}

function typeName({ type, const: only, items, format }: Schema, reading: ParsedDocument): string {
  if (type === 'array') return `array of ${typeName(optionsOf(items ?? {}, reading)[0] ?? {}, reading)}s`
  if (format === 'date-time') return 'timestamp'
  if (typeof type === 'string') return type
  return only === undefined ? 'any' : typeof only
}

function rulesOf(schema: Schema): readonly string[] {
  const { minLength = 0, maxLength, minimum, maximum, maxItems, enum: values, const: only } = schema
  return [
    ...(only === undefined ? [] : [`always ${code(only)}`]),
    ...(values === undefined ? [] : [values.map(code).join(', ')]),
    ...(maxLength === undefined ? [] : [characters(minLength, maxLength)]),
    ...(maxItems === undefined ? [] : [`at most ${maxItems} entries`]),
    ...range(minimum, maximum),
    ...(schema.default === undefined ? [] : [`default ${code(schema.default)}`]),
  ]
}

function characters(min: number, max: number): string {
  return min > 0 ? `${min} to ${count(max)} characters` : `at most ${count(max)} characters`
}

function range(min: number | undefined, max: number | undefined): readonly string[] {
  const isBounded = max !== undefined && max < Number.MAX_SAFE_INTEGER
  if (min === undefined || min <= Number.MIN_SAFE_INTEGER) return []
  return [isBounded ? `${count(min)} to ${count(max)}` : `${count(min)} or more`]
}

function count(number: number): string {
  return number.toLocaleString('en')
}

function code(value: unknown): string {
  return inlineMarkdown(`\`${JSON.stringify(value)}\``)
}
