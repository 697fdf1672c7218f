import type { Random } from '../support/random.ts'
import { CONFIGS, HOSTILE_TEXTS, MARKDOWN } from './hostile-values.ts'

/** The parts of a JSON Schema that the generator reads. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly examples?: readonly unknown[]
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly readOnly?: boolean
}

export interface ValueMaker {
  /** Generates a value that matches the schema. @param name of the field. */
  make(schema: Schema, name: string): unknown
  /** Generates text for a path segment or a query parameter. */
  makeText(schema: Schema, name: string): string
}

export interface ValuePorts {
  readonly random: Random
  readonly resolve: (ref: string) => Schema
  /** An id of a created record, with or without its prefix. */
  readonly someId: (kind: 'page' | 'proj') => string
}

/** Generates values from schemas: mostly valid, at their bounds and between them. */
export function createValueMaker({ random, resolve, someId }: ValuePorts): ValueMaker {
  return { make, makeText: (schema, name) => String(make(schema, name)) }

  function make(schema: Schema, name: string): unknown {
    if (schema.$ref !== undefined) return make(resolve(schema.$ref), name)
    const known = knownField(name)
    if (known !== undefined) return known
    if (schema.const !== undefined) return schema.const
    if (schema.enum !== undefined) return random.pick(schema.enum)
    if (schema.properties === undefined && schema.anyOf !== undefined)
      return make(random.pick(schema.anyOf), name)
    if (schema.examples !== undefined && random.chance(0.6)) return random.pick(schema.examples)
    return ofType(schema, name)
  }

  /** Values of fields that a schema alone does not describe. */
  function knownField(name: string): unknown {
    switch (name) {
      case 'project_id':
        return someId('proj')
      case 'pageId':
      case 'page_id':
      case 'parent_page':
        return someId('page')
      case 'slug':
        // Few enough to cause conflicts and hits.
        return random.chance(0.8) ? `page-${random.below(5000)}` : undefined
      case 'subroute':
        return random.pick(['', 'blog', 'docs', 'docs/guides', 'Blog', '/docs/'])
      case 'markdown_content':
        return random.pick(MARKDOWN)
      case 'config':
        return random.pick(CONFIGS)
      default:
        return undefined
    }
  }

  function ofType(schema: Schema, name: string): unknown {
    const type = typeof schema.type === 'object' ? random.pick(schema.type) : schema.type
    switch (type) {
      case 'string':
        return text(schema)
      case 'integer':
      case 'number':
        return integer(schema)
      case 'boolean':
        return random.chance(0.5)
      case 'null':
        return null
      case 'array':
        return Array.from({ length: random.below(4) }, () => make(schema.items ?? {}, ''))
      case 'object':
        return object(schema)
      default:
        return name === '' ? random.pick(HOSTILE_TEXTS) : null
    }
  }

  function text({ minLength = 0, maxLength = 40 }: Schema): string {
    if (random.chance(0.1)) return random.pick(HOSTILE_TEXTS)
    const length = random.pick([minLength, maxLength, minLength + random.below(maxLength - minLength + 1)])
    const alphabet = random.pick(['abcdefghij', 'ABC def-ghi', 'äöü€中文字😀'])
    return Array.from({ length: Math.min(length, 3000) }, () => random.pick([...alphabet])).join('')
  }

  function integer({ minimum = 0, maximum = 1000 }: Schema): number {
    return random.pick([minimum, maximum, minimum + random.below(Math.min(maximum - minimum, 2 ** 31) + 1)])
  }

  function object({ properties = {}, required = [], anyOf = [] }: Schema): object {
    const either = anyOf.length === 0 ? [] : (random.pick(anyOf).required ?? [])
    const given = Object.entries(properties).filter(
      ([name, { readOnly }]) =>
        required.includes(name) || either.includes(name) || random.chance(readOnly ? 0.02 : 0.35),
    )
    return Object.fromEntries(given.map(([name, schema]) => [name, make(schema, name)]))
  }
}
