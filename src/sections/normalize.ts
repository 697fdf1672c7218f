import type { FieldErrorCode, InvalidField } from '../domain/invalid-field.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts'
import type { Section } from '../domain/section.ts'
import { type MatchedType, matchType, shapeOf } from './catalogue.ts'
import { COMMON, FLAT_ACTIONS, FLAT_PROPS, flatAction } from './common.ts'
import {
  readKeys,
  readProps,
  type SectionIssues,
  type WrittenProps,
  warnMissing,
  warnUnknown,
} from './read-prop.ts'

export const MAX_NESTING = 8

export interface SectionReading {
  /** The section; null when the value cannot be read as one. */
  readonly section: Section | null
  /** Everything that the author wrote of it but type and id, under names in snake_case. */
  readonly written: JsonObject
  /** Location of its props: `config.sections[2].props`, or the element itself for flat keys. */
  readonly propsAt: string
  /** Structural errors. A request with one is refused. */
  readonly errors: readonly InvalidField[]
  /** Missing and unknown values, which publishing warns about. */
  readonly warnings: readonly InvalidField[]
}

/** Reads one element of `config.sections` for rendering and counting. Never throws. */
export function normalizeSection(value: unknown): Section {
  return readSection(value, '').section ?? { type: 'section', known: false, id: null, props: {} }
}

/**
 * Reads one element of `config.sections`: aliases, flat keys and other spellings become canonical props.
 * Values of a wrong type are left out and reported in `errors`.
 *
 * @param at path of the element, e.g. `config.sections[2]`.
 */
export function readSection(value: unknown, at: string): SectionReading {
  if (!isJsonObject(value)) return unreadable(at, 'must be an object.', 'wrong_type')
  const { type, id, props, ...flat } = value
  if (type === undefined || type === null) return unreadable(`${at}.type`, 'is required.', 'required')
  if (typeof type !== 'string') return unreadable(`${at}.type`, 'must be a string.', 'wrong_type')
  if (props !== undefined && props !== null && !isJsonObject(props))
    return unreadable(`${at}.props`, 'must be an object.', 'wrong_type')
  if (deeperThan(MAX_NESTING, value))
    return unreadable(at, `must not be nested deeper than ${MAX_NESTING} levels.`, 'invalid')

  const notes: SectionIssues = { errors: [], warnings: [] }
  const matched = matchType(type)
  const levels = [readKeys(props ?? {}, `${at}.props`), readKeys(flat, at)]
  const propsAt = isJsonObject(props) ? `${at}.props` : at
  const read = readMatched(matched, levels, propsAt, notes)
  const named = typeof id === 'string' || typeof id === 'number' ? String(id) : null
  const written = Object.fromEntries(
    levels.toReversed().flatMap((level) => [...level].map(([name, { value }]) => [name, value])),
  )
  return { section: { ...matched, id: named, props: read }, written, propsAt, ...notes }
}

function unreadable(path: string, message: string, code: FieldErrorCode): SectionReading {
  return { section: null, written: {}, propsAt: path, errors: [{ path, message, code }], warnings: [] }
}

function deeperThan(levels: number, value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => deeperThan(levels - 1, inner))
}

function readMatched(
  matched: MatchedType,
  levels: readonly WrittenProps[],
  at: string,
  notes: SectionIssues,
): JsonObject {
  const { props, requires } = shapeOf(matched)
  if (matched.known) warnUnknown({ ...props, ...FLAT_PROPS }, levels, notes)
  // For unknown types only the common props are checked.
  const own = readProps(props, levels, matched.known ? notes : { errors: [], warnings: [] })
  const written = matched.known ? own : { ...own, ...readProps(COMMON, levels, notes) }
  const flat = FLAT_ACTIONS.flatMap((prefix) => readFlatAction(prefix, levels, at, notes))
  const read = flat.length === 0 ? written : { actions: flat, ...written }
  warnMissing(requires, read, at, notes)
  return read
}

function readFlatAction(
  prefix: (typeof FLAT_ACTIONS)[number],
  levels: readonly WrittenProps[],
  at: string,
  notes: SectionIssues,
): JsonObject[] {
  const flat = readProps(flatAction(prefix), levels, notes)
  const { [`${prefix}_text`]: text, [`${prefix}_url`]: link } = flat
  if (text === undefined) return []
  warnMissing([`${prefix}_url`], flat, at, notes)
  return [link === undefined ? { text } : { text, link }]
}
