import type { ParsedDocument, Schema } from './read-document.ts'

/** An example value for a schema, from its own examples where it has some. */
export function exampleOf(schema: Schema, reading: ParsedDocument): unknown {
  const { examples, const: only, enum: values, anyOf, properties } = schema
  if (schema.$ref !== undefined) return exampleOf(reading.resolve<Schema>(schema), reading)
  if (examples !== undefined) return examples[0]
  if (schema.default !== undefined) return schema.default
  if (only !== undefined) return only
  if (values !== undefined) return values[0]
  if (properties !== undefined) return exampleObject(schema, reading)
  if (anyOf !== undefined)
    return exampleOf(anyOf.find(hasExample) ?? anyOf.find(isNull) ?? anyOf[0] ?? {}, reading)
  if (isNull(schema)) return null
  switch (schema.type) {
    case 'array':
      return [exampleOf(schema.items ?? {}, reading)]
    case 'object':
      return {}
    case 'integer':
    case 'number':
      return schema.minimum ?? 0
    case 'boolean':
      return false
    default:
      return ''
  }
}

/** Contains required fields, and optional ones that have an example. */
function exampleObject({ properties = {}, required = [] }: Schema, reading: ParsedDocument): object {
  const shown = Object.entries(properties).filter(
    ([name, field]) => required.includes(name) || hasExample(field),
  )
  return Object.fromEntries(shown.map(([name, field]) => [name, exampleOf(field, reading)]))
}

function hasExample({ examples }: Schema): boolean {
  return examples !== undefined
}

function isNull({ type }: Schema): boolean {
  return type === 'null' || (Array.isArray(type) && type.includes('null'))
}
