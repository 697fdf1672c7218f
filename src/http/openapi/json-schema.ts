import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { JsonObject } from '../../domain/json.ts'

/** `input`: the type that a schema accepts; `output`: the type that it returns. */
export type Direction = 'input' | 'output'

export interface SchemaCollector {
  /** Converts a schema to JSON Schema; a named one (`meta({ id })`) becomes a reference to `schemas`. */
  toJsonSchema(schema: z.ZodType, direction: Direction): JsonObject
  /** The named schemas that were converted so far. */
  readonly schemas: Readonly<Record<string, JsonObject>>
}

/** Converts Zod schemas to JSON Schema 2020-12 and collects the named ones. */
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
    // Wrapped in an object, so that a named schema becomes a reference too.
    const { properties, $defs = {} } = converted(z.object({ schema }), direction)
    for (const [name, definition] of Object.entries($defs)) keep(name, definition)
    return properties.schema
  }

  /** @throws {RangeError} when two different schemas have the same name. */
  function keep(name: string, definition: JsonObject): void {
    const known = schemas[name]
    if (known !== undefined && !isDeepStrictEqual(known, definition))
      throw new RangeError(`Two different schemas have the name ${name}.`)
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
      // Zod omits default and examples of transformed types. The default is in its transformed form.
      if (def.type === 'default') jsonSchema.default = def.defaultValue as typeof jsonSchema.default
      const { examples } = z.globalRegistry.get(zodSchema) ?? {}
      if (examples !== undefined) jsonSchema.examples = examples as unknown[]
    },
  })
  return JSON.parse(JSON.stringify(converted).replaceAll('"#/$defs/', '"#/components/schemas/'))
}
