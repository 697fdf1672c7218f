import type { JsonObject, JsonValue } from '../domain/json.ts'
import { textOf } from './operations.ts'
import { nameOf, type Resolve } from './references.ts'
import { isObject, readSchema, type Schema, typeText } from './schema.ts'

/** A property or parameter as a page shows it. */
export interface FieldNode {
  readonly name: string
  readonly type: string
  readonly required: boolean
  readonly facts: JsonObject
  /** Fields of the value, in groups. */
  readonly groups: readonly FieldGroup[]
}

/** The properties of an object, of the items of an array, or of one alternative. */
export interface FieldGroup {
  /** The name of an alternative; null for the properties of the value itself. */
  readonly option: string | null
  readonly fields: readonly FieldNode[]
  /** Names of properties that are not described, because they are nested too deeply or the page would be too long. */
  readonly unlisted: readonly string[]
}

export type Direction = 'request' | 'response'

/** Fields that a page may still show. Mutable: all bodies of a page share it. */
export interface Budget {
  fields: number
}

/** Containers of Markdown nest eight levels, and each level here needs two. */
const MAX_NESTING = 3
/** Most fields of one body: the first body must not use up the fields of a whole page. */
const MAX_FIELDS = 200
const MAX_OPTIONS = 12

interface OpenGroup {
  readonly option: string | null
  readonly fields: OpenNode[]
  unlisted: readonly string[]
}

interface OpenNode extends Omit<FieldNode, 'groups'> {
  readonly groups: OpenGroup[]
}

/** A schema whose properties are still to be listed. */
interface Pending {
  readonly schema: Schema
  readonly into: OpenGroup
  readonly depth: number
  /** References around it. A schema within itself is not listed again. */
  readonly around: ReadonlySet<string>
}

/** Lists the properties of a schema, level by level, so that the outer ones come before the budget is used up. */
export function fieldGroups(
  written: JsonValue | undefined,
  resolve: Resolve,
  direction: Direction,
  budget: Budget,
): readonly FieldGroup[] {
  const groups: OpenGroup[] = []
  const pending: Pending[] = []
  let left = Math.min(MAX_FIELDS, budget.fields)
  const root = readSchema(written, resolve)
  if (root !== null) open(root, groups, 0, new Set())
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) list(next)
  budget.fields -= Math.min(MAX_FIELDS, budget.fields) - left
  return groups

  function open(schema: Schema, into: OpenGroup[], depth: number, around: ReadonlySet<string>): void {
    const inner = innermost(schema, resolve)
    const pointers = [...schema.pointers, ...inner.pointers]
    if (pointers.some((pointer) => around.has(pointer))) return
    const within = new Set([...around, ...pointers])
    if (inner.properties.size > 0) addGroup(inner, null, into, depth, within)
    for (const option of inner.options.slice(0, MAX_OPTIONS)) {
      const read = readSchema(option, resolve)
      if (read === null || read.pointers.some((pointer) => within.has(pointer))) continue
      const target = innermost(read, resolve)
      const label = read.name ?? (textOf(read.facts['title']) || typeText(read, resolve))
      if (target.properties.size > 0)
        addGroup(target, label, into, depth, new Set([...within, ...read.pointers]))
    }
  }

  function addGroup(
    schema: Schema,
    option: string | null,
    into: OpenGroup[],
    depth: number,
    around: ReadonlySet<string>,
  ): void {
    const group: OpenGroup = { option, fields: [], unlisted: [] }
    into.push(group)
    pending.push({ schema, into: group, depth, around })
  }

  function list({ schema, into, depth, around }: Pending): void {
    const shown = [...schema.properties].flatMap(([name, property]) => {
      const read = name.trim() === '' ? null : readSchema(property, resolve)
      const isHidden = read?.facts[direction === 'request' ? 'readOnly' : 'writeOnly'] === true
      return read === null || isHidden ? [] : [{ name, read }]
    })
    // A level is listed as a whole, so that no property seems to be missing.
    if (depth > MAX_NESTING || (shown.length > left && depth > 0)) {
      into.unlisted = shown.map(({ name }) => name)
      return
    }
    into.unlisted = shown.slice(MAX_FIELDS).map(({ name }) => name)
    for (const { name, read } of shown.slice(0, MAX_FIELDS)) {
      left = Math.max(0, left - 1)
      const node: OpenNode = {
        name,
        type: typeText(read, resolve),
        required: schema.required.has(name),
        facts: read.facts,
        groups: [],
      }
      into.fields.push(node)
      open(read, node.groups, depth + 1, around)
    }
  }
}

const MAX_ARRAYS = 8

/** The schema whose properties describe a value: that of the items of an array, or of the values of a map. */
function innermost(schema: Schema, resolve: Resolve): Schema {
  let current = schema
  for (
    let depth = 0;
    depth < MAX_ARRAYS && current.properties.size + current.options.length === 0;
    depth += 1
  ) {
    const inner = readSchema(current.items ?? current.others, resolve)
    if (inner === null) return current
    current = { ...inner, pointers: [...current.pointers, ...inner.pointers] }
  }
  return current
}

/** The field of one parameter. */
export function parameterNode(
  name: string,
  required: boolean,
  written: JsonValue | undefined,
  texts: JsonObject,
  resolve: Resolve,
  budget: Budget,
): FieldNode {
  const schema = readSchema(written, resolve)
  budget.fields = Math.max(0, budget.fields - 1)
  return {
    name,
    type: schema === null ? '' : typeText(schema, resolve),
    required,
    facts: { ...schema?.facts, ...texts },
    groups: fieldGroups(written, resolve, 'request', budget),
  }
}

/** Returns the type of a body in words, such as `array of Pet`. */
export function bodyType(written: JsonValue | undefined, resolve: Resolve): string {
  const schema = readSchema(written, resolve)
  if (schema === null) return ''
  const type = typeText(schema, resolve)
  const name = nameOf(schema.pointers[0] ?? null)
  return name !== null && isObject(schema) ? name : type
}
