import type { Schema as FuzzSchema } from '../fuzz/values.ts'

export interface Schema extends FuzzSchema {
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly additionalProperties?: boolean | Schema
  readonly $defs?: Readonly<Record<string, Schema>>
}

/** The way to a value: names of members, and 0 for the first entry of a list. */
export type FieldPath = readonly (string | 0)[]

/** Levels of a body in which fields are looked for. Pages of sections have the deepest. */
const MAX_DEPTH = 8

/**
 * Every place of a value in which its schema allows a text that it does not list, each once.
 *
 * @param resolve finds the schema of a `$ref`.
 */
export function textualFields(schema: Schema, resolve: (ref: string) => Schema): readonly FieldPath[] {
  const found = new Map<string, FieldPath>()
  visit(schema, [], [])
  return [...found.values()]

  function visit(at: Schema, path: FieldPath, refs: readonly string[]): void {
    if (path.length > MAX_DEPTH) return
    if (at.$ref !== undefined) {
      // A schema that contains itself is looked at once more.
      if (refs.filter((ref) => ref === at.$ref).length < 2) visit(resolve(at.$ref), path, [...refs, at.$ref])
      return
    }
    for (const part of [...(at.anyOf ?? []), ...(at.oneOf ?? []), ...(at.allOf ?? [])])
      visit(part, path, refs)
    for (const [name, member] of Object.entries(at.properties ?? {})) visit(member, [...path, name], refs)
    if (at.items !== undefined) visit(at.items, [...path, 0], refs)
    if (typeof at.additionalProperties === 'object') visit(at.additionalProperties, [...path, 'any'], refs)
    const types = typeof at.type === 'string' ? [at.type] : (at.type ?? [])
    if (types.includes('string') && at.enum === undefined && at.const === undefined)
      found.set(path.join('.'), path)
  }
}

/** The value with a text in this place. Objects and lists on the way that it lacks are made. */
export function withText(value: unknown, [step, ...rest]: FieldPath, text: string): unknown {
  if (step === undefined) return text
  if (step === 0) {
    const [first, ...others] = Array.isArray(value) ? value : []
    return [withText(first, rest, text), ...others]
  }
  const members = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  return { ...members, [step]: withText((members as Record<string, unknown>)[step], rest, text) }
}

/** Finds the schema that a `$ref` within a document names. */
export function resolverOf(document: unknown): (ref: string) => Schema {
  return (ref) =>
    ref
      .slice(2)
      .split('/')
      .reduce((value, step) => (value as Record<string, unknown>)[step], document) as Schema
}

/** Families of texts that make a careless reader slow. Each function returns a text of about so many characters. */
export const GROWING_TEXTS: Readonly<Record<string, (length: number) => string>> = {
  letters: (length) => 'a'.repeat(length),
  blanks: (length) => `a${' \t'.repeat(length / 2)}b`,
  lines: (length) => '- a\n'.repeat(length / 4),
  brackets: (length) => '[('.repeat(length / 2),
  emphasis: (length) => '*a **b _c '.repeat(length / 10),
  tags: (length) => '<a href="'.repeat(length / 9),
  addresses: (length) => `https://a.b/${'../(a@a.'.repeat(length / 8)}`,
  entities: (length) => '&amp;&#x'.repeat(length / 8),
  marks: (length) => `e${'\u0301\u0323'.repeat(length / 2)}`,
  hosts: (length) => `https://e${'\u0301\u0323'.repeat(length / 2)}.example/`,
  instructions: (length) => '{{ a }}\n::include b\n'.repeat(length / 20),
}
