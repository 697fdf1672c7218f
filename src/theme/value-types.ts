import { z } from 'zod'
import { safeUrl } from '../domain/author-url.ts'
import { readLocalDate } from '../domain/date.ts'
import { isJsonObject, type JsonValue } from '../domain/json.ts'

/** The type of a value that authors write: one of these names, or the texts to choose from. */
export type ValueType = (typeof NAMES)[number] | readonly string[]

const NAMES = ['text', 'number', 'boolean', 'date', 'url', 'list', 'object'] as const
const NAME = /^[\p{L}_][\p{L}\p{N}_-]{0,99}$/u

const Type = z.union(
  [z.enum(NAMES), z.array(z.string().min(1).max(100)).min(1).max(100)],
  `must be one of ${NAMES.join(', ')}, or a list of the texts to choose from`,
)

/** Types by the name of a custom field or of a prop. */
export const ValueTypes = z.record(z.string().regex(NAME), Type)

export type ValueTypes = Readonly<Record<string, ValueType>>

/** Types that a theme declares in its `theme.json`. */
export interface DeclaredTypes {
  readonly fields: ValueTypes
  /** By type of section. */
  readonly sections: Readonly<Record<string, ValueTypes>>
}

/** A value of another type than the declared one. */
export interface TypeFault {
  readonly name: string
  /** Without the name, e.g. `must be a number, not "ten".` */
  readonly message: string
}

/** The values that have another type than the declared one. Absent values have none. */
export function typeFaults(
  values: Readonly<Record<string, JsonValue | undefined>>,
  types: ValueTypes,
): readonly TypeFault[] {
  return Object.entries(types).flatMap(([name, type]) => {
    const value = Object.hasOwn(values, name) ? values[name] : null
    if (value === null || value === undefined || isOfType(value, type)) return []
    const written = JSON.stringify(value)
    const shown = written.length > MAX_SHOWN ? `${written.slice(0, MAX_SHOWN)}…` : written
    return [{ name, message: `must be ${described(type)}, not ${shown}.` }]
  })
}

/** UTF-16 code units of a value in a message. */
const MAX_SHOWN = 60

function isOfType(value: JsonValue, type: ValueType): boolean {
  switch (type) {
    case 'text':
      return typeof value === 'string' || typeof value === 'number'
    case 'date':
      return typeof value === 'string' && readLocalDate(value) !== null
    case 'url':
      return typeof value === 'string' && safeUrl(value, 'link') !== null
    case 'list':
      return Array.isArray(value)
    case 'object':
      return isJsonObject(value)
    case 'number':
    case 'boolean':
      return typeof value === type
    default:
      return typeof value === 'string' && type.includes(value)
  }
}

const DESCRIBED: Readonly<Record<(typeof NAMES)[number], string>> = {
  text: 'a text',
  number: 'a number',
  boolean: 'true or false',
  date: 'a date such as 2026-03-01',
  url: 'an address that links may have',
  list: 'a list',
  object: 'names and values',
}

function described(type: ValueType): string {
  return typeof type === 'string' ? DESCRIBED[type] : `one of ${type.join(', ')}`
}
