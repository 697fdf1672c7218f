import type { JsonObject, JsonValue } from '../domain/json.ts'
import type { Direction } from './field-tree.ts'
import { listOf, objectOf } from './operations.ts'
import type { Resolve } from './references.ts'
import { readSchema, type Schema } from './schema.ts'

const MAX_DEPTH = 5
const MAX_VALUES = 150
/** Longer examples are cut: a reader wants the shape. */
const MAX_EXAMPLE = 16 * 1024

/** Returns the example that a media type, a parameter or a header states, else one built from its schema. */
export function exampleOf(owner: JsonObject, resolve: Resolve, direction: Direction): JsonValue | undefined {
  return statedExample(owner, resolve) ?? schemaExample(owner['schema'], resolve, direction)
}

export function statedExample(owner: JsonObject, resolve: Resolve): JsonValue | undefined {
  if (owner['example'] !== undefined) return owner['example']
  for (const written of Object.values(objectOf(owner['examples']))) {
    const value = resolve(written)?.value['value']
    if (value !== undefined) return value
  }
  return undefined
}

/** A value that a schema allows: its examples and defaults, else one for each type. */
function schemaExample(
  written: JsonValue | undefined,
  resolve: Resolve,
  direction: Direction,
): JsonValue | undefined {
  let left = MAX_VALUES
  return exampleFor(written, 0, new Set())

  function exampleFor(
    value: JsonValue | undefined,
    depth: number,
    around: ReadonlySet<string>,
  ): JsonValue | undefined {
    const schema = readSchema(value, resolve)
    if (schema === null || left <= 0 || schema.pointers.some((pointer) => around.has(pointer)))
      return undefined
    left -= 1
    const stated = statedValue(schema)
    if (stated !== undefined) return stated
    const within = new Set([...around, ...schema.pointers])
    const [option] = schema.options
    if (option !== undefined && schema.properties.size === 0) return exampleFor(option, depth, within)
    const [type] = schema.types
    if (type === 'array') {
      const item = depth < MAX_DEPTH ? exampleFor(schema.items, depth + 1, within) : undefined
      return item === undefined ? [] : [item]
    }
    if (type === 'object') return depth < MAX_DEPTH ? objectExample(schema, depth, within) : {}
    return simpleExample(schema)
  }

  function objectExample(schema: Schema, depth: number, around: ReadonlySet<string>): JsonObject {
    const isOptionalShown = direction === 'response' || schema.required.size === 0 || depth === 0
    const entries: [string, JsonValue][] = []
    for (const [name, property] of schema.properties) {
      const facts = readSchema(property, resolve)?.facts ?? {}
      if (facts[direction === 'request' ? 'readOnly' : 'writeOnly'] === true || facts['deprecated'] === true)
        continue
      if (!isOptionalShown && !schema.required.has(name)) continue
      const value = exampleFor(property, depth + 1, around)
      if (value !== undefined && name !== '__proto__') entries.push([name, value])
    }
    const other = schema.properties.size === 0 ? exampleFor(schema.others, depth + 1, around) : undefined
    return Object.fromEntries(other === undefined ? entries : [...entries, ['name', other]])
  }
}

function statedValue({ facts }: Schema): JsonValue | undefined {
  const [example] = listOf(facts['examples'])
  const [value] = listOf(facts['enum'])
  return facts['const'] ?? facts['example'] ?? example ?? facts['default'] ?? value ?? undefined
}

const BY_FORMAT: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T09:30:00Z',
  time: '09:30:00Z',
  email: 'user@example.com',
  uri: 'https://example.com',
  url: 'https://example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uuid: '123e4567-e89b-12d3-a456-426614174000',
  byte: 'cXVvaW4=',
}

function simpleExample({ types, facts }: Schema): JsonValue | undefined {
  const { format, minimum } = facts
  const least = typeof minimum === 'number' ? minimum : null
  switch (types[0]) {
    case 'string':
      return (
        (typeof format === 'string' && Object.hasOwn(BY_FORMAT, format) ? BY_FORMAT[format] : undefined) ??
        'string'
      )
    case 'integer':
      return least === null ? 1 : Math.ceil(least)
    case 'number':
      return least ?? 1.5
    case 'boolean':
      return true
    default:
      return undefined
  }
}

/** An example as text: JSON with two spaces, or a text as it is. */
export function exampleText(value: JsonValue): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  if (text.length <= MAX_EXAMPLE) return text
  return `${text.slice(0, text.lastIndexOf('\n', MAX_EXAMPLE) + 1) || text.slice(0, MAX_EXAMPLE)}…`
}
