import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { JsonObject } from '../../domain/json.ts'

/** What a schema takes, or what it gives. */
export type Direction = 'input' | 'output'

export interface SchemaCollector {
  /** The schema as JSON Schema; a named one (`meta({ id })`) as a reference to `schemas`. */
  toJsonSchema(schema: z.ZodType, direction: Direction): JsonObject
  /** Every named schema met so far. */
  readonly schemas: Readonly<Record<string, JsonObject>>
}

/** Turns the schemas that validate into JSON Schema 2020-12, the named ones each once. */
export function createSchemaCollector(): SchemaCollector {
  const schemas: Record<string, JsonObject> = {}
  const met = { input: new Map<z.ZodType, JsonObject>(), output: new Map<z.ZodType, JsonObject>() }

  return {
    schemas,

    toJsonSchema(schema, direction) {
      const known = met[direction].get(schema) ?? collect(schema, direction)
      met[direction].set(schema, known)
      return known
    },
  }

  function collect(schema: z.ZodType, direction: Direction): JsonObject {
    // Inside an object, a named schema becomes a reference like any other.
    const { properties, $defs = {} } = converted(z.object({ schema }), direction)
    for (const [name, definition] of Object.entries($defs)) keep(name, definition)
    return properties.schema
  }

  /** @throws {RangeError} when two different schemas have one name. */
  function keep(name: string, definition: JsonObject): void {
    const known = schemas[name]
    if (known !== undefined && !isDeepStrictEqual(known, definition))
      throw new RangeError(`Two different schemas are called ${name}.`)
    schemas[name] = definition
  }
}

interface Converted {
  readonly properties: { readonly schema: JsonObject }
  readonly $defs?: Readonly<Record<string, JsonObject>>
}

function converted(schema: z.ZodType, io: Direction): Converted {
  const converted = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      const { def } = zodSchema._zod
      // Of what is transformed both are left out otherwise: a default is told in the form it has afterwards.
      if (def.type === 'default') jsonSchema.default = def.defaultValue as typeof jsonSchema.default
      const { examples } = z.globalRegistry.get(zodSchema) ?? {}
      if (examples !== undefined) jsonSchema.examples = examples as unknown[]
    },
  })
  return JSON.parse(JSON.stringify(converted).replaceAll('"#/$defs/', '"#/components/schemas/'))
}
