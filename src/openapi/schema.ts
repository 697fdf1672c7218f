import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts'
import { listOf, objectOf, textOf } from './operations.ts'
import { nameOf, type Resolve } from './references.ts'

/** A schema with its references followed and `allOf` joined. */
export interface Schema {
  /** Types without `null`. Empty if any is allowed. */
  readonly types: readonly string[]
  readonly nullable: boolean
  readonly name: string | null
  readonly properties: ReadonlyMap<string, JsonValue>
  readonly required: ReadonlySet<string>
  readonly items: JsonValue | undefined
  /** The schema of values under names that are not listed; undefined for none. */
  readonly others: JsonValue | undefined
  /** Schemas of which one or several apply. */
  readonly options: readonly JsonValue[]
  /** Everything else that the schema and its parts state. */
  readonly facts: JsonObject
  /** References that were followed, itself included. */
  readonly pointers: readonly string[]
}

const MAX_PARTS = 64

/** Schemas whose only alternative is the next one. Behind them, a schema is read without its alternative. */
const MAX_ONLY = 16

/**
 * @param around schemas around it whose only alternative it is.
 * @returns null for a value that is no schema, and for a dangling reference.
 */
export function readSchema(written: JsonValue | undefined, resolve: Resolve, around = 0): Schema | null {
  const parts: JsonObject[] = []
  const pointers: string[] = []
  if (!collect(written, 0)) return null
  const [own = {}] = parts
  const types = [...new Set(parts.flatMap(typesOf))]
  const properties = new Map(parts.flatMap((part) => Object.entries(objectOf(part['properties']))))
  const alternatives = parts.flatMap((part) => {
    const listed = listOf(part['oneOf'])
    return listed.length > 0 ? listed : listOf(part['anyOf'])
  })
  const options = alternatives.filter((option) => !isNull(option))
  const [single] = options
  const facts = Object.assign({}, ...parts.toReversed())
  const schema: Schema = {
    types: types.filter((type) => type !== 'null'),
    nullable:
      types.includes('null') ||
      options.length < alternatives.length ||
      parts.some((part) => part['nullable'] === true),
    name: nameOf(pointers[0] ?? null),
    properties,
    required: new Set(parts.flatMap((part) => listOf(part['required']).map((name) => textOf(name)))),
    items: parts.map((part) => part['items']).find((items) => items !== undefined),
    others: parts.map((part) => part['additionalProperties']).find(isJsonObject),
    options: options.length === 1 ? [] : options,
    facts: { ...facts, ...own },
    pointers,
  }
  if (options.length !== 1 || single === undefined || around >= MAX_ONLY) return schema
  return joined(
    schema,
    readSchema(single, (value) => (isSeen(value) ? null : resolve(value)), around + 1),
  )

  function isSeen(value: JsonValue | undefined): boolean {
    return isJsonObject(value) && pointers.includes(textOf(value['$ref']))
  }

  function collect(value: JsonValue | undefined, depth: number): boolean {
    const resolved = resolve(value)
    if (resolved === null) return false
    const { value: schema, pointer } = resolved
    if (pointer !== null && pointers.includes(pointer)) return true
    if (pointer !== null) pointers.push(pointer)
    parts.push(schema)
    if (depth < MAX_PARTS)
      for (const part of listOf(schema['allOf'])) if (parts.length < MAX_PARTS) collect(part, depth + 1)
    return true
  }
}

/** Joins a schema with its only alternative: descriptions write a value that may be null in this form. */
function joined(schema: Schema, only: Schema | null): Schema {
  if (only === null) return schema
  return {
    ...only,
    nullable: schema.nullable || only.nullable,
    name: schema.name ?? only.name,
    properties: new Map([...only.properties, ...schema.properties]),
    required: new Set([...only.required, ...schema.required]),
    facts: { ...only.facts, ...schema.facts },
    pointers: [...schema.pointers, ...only.pointers],
  }
}

function isNull(option: JsonValue): boolean {
  if (!isJsonObject(option)) return false
  const { type, enum: values } = option
  return (
    type === 'null' || (Array.isArray(values) && values.length > 0 && values.every((value) => value === null))
  )
}

function typesOf(part: JsonObject): readonly string[] {
  const { type } = part
  if (typeof type === 'string') return [type]
  if (Array.isArray(type)) return type.map(textOf)
  if (isJsonObject(part['properties'])) return ['object']
  return part['items'] === undefined ? [] : ['array']
}

/** The type of a value in words, such as `array of strings (date)` or `Cat, Dog or null`. */
export function typeText(schema: Schema, resolve: Resolve, depth = 0): string {
  const words = [...new Set(typeWords(schema, resolve, depth))]
  const all = schema.nullable ? [...words, 'null'] : words
  const last = all.at(-1) ?? ''
  return all.length < 2 ? last : `${all.slice(0, -1).join(', ')} or ${last}`
}

/** Alternatives that a type names. */
const MAX_NAMED = 6
const MAX_TYPE_DEPTH = 4

function typeWords(schema: Schema, resolve: Resolve, depth: number): readonly string[] {
  const { options, types, facts, items, others, name } = schema
  if (depth > MAX_TYPE_DEPTH) return [name ?? 'any']
  if (options.length > 0 && schema.properties.size === 0) {
    const named = options.slice(0, MAX_NAMED).map((option) => {
      const inner = readSchema(option, resolve)
      if (inner === null) return 'any'
      return inner.name !== null && isObject(inner) ? inner.name : typeText(inner, resolve, depth + 1)
    })
    return options.length > MAX_NAMED ? [...named, `${options.length - MAX_NAMED} others`] : named
  }
  if (types.length === 0) return ['any']
  return types.map((type) => {
    if (type === 'array') {
      const inner = readSchema(items, resolve)
      return inner === null ? 'array' : `array of ${plural(inner, typeText(inner, resolve, depth + 1))}`
    }
    if (type === 'object' && schema.properties.size === 0) {
      const inner = readSchema(others, resolve)
      return inner === null ? 'object' : `map of ${plural(inner, typeText(inner, resolve, depth + 1))}`
    }
    if (type === 'object' && name !== null) return name
    const format = textOf(facts['format'])
    return format === '' || type === 'object' ? type : `${type} (${format})`
  })
}

function plural(schema: Schema, type: string): string {
  const isWord = /^(string|number|integer|boolean|object)$/.test(type)
  if (isWord) return `${type}s`
  return schema.nullable || schema.options.length > 0 ? `(${type})` : type
}

export function isObject({ types, properties }: Schema): boolean {
  return types.includes('object') || properties.size > 0
}
