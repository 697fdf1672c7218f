import type { FieldErrorCode, InvalidField } from '../domain/invalid-field.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../domain/json.ts'
import { didYouMean } from '../domain/nearest-name.ts'
import type { Prop, Props, Shape } from './prop.ts'

/** The values a client sent, by name in snake_case, with their paths. */
export type WrittenProps = ReadonlyMap<string, Entry>

interface Entry {
  readonly value: JsonValue
  readonly path: string
}

/** Warnings about unknown names that suggest another name. */
const MAX_SUGGESTIONS = 100

/** Collects errors and warnings while reading; see `SectionReading`. */
export interface SectionIssues {
  readonly errors: InvalidField[]
  readonly warnings: InvalidField[]
}

/** Converts the keys of an object to snake_case and drops nulls. */
export function readKeys(object: JsonObject, at: string): WrittenProps {
  const written = new Map<string, Entry>()
  for (const [key, value] of Object.entries(object)) {
    const name = snakeCase(key)
    const exact = key === name || !written.has(name)
    if (value !== null && exact) written.set(name, { value, path: `${at}.${key}` })
  }
  return written
}

/**
 * Reads props by their canonical names. Props without a value are left out.
 *
 * @param levels searched in order: any name or alias in the first level wins over the second level.
 */
export function readProps(props: Props, levels: readonly WrittenProps[], notes: SectionIssues): JsonObject {
  const read: Record<string, JsonValue> = {}
  for (const { name, prop, spellings } of spellingsOf(props).props) {
    const entry = find(levels, spellings)
    const value = entry === null ? null : readProp(prop, entry, notes)
    if (value !== null) read[name] = value
  }
  return read
}

/** @param at path of the object that lacks a prop. */
export function warnMissing(
  required: readonly string[],
  read: JsonObject,
  at: string,
  notes: SectionIssues,
): void {
  for (const name of required) {
    if (read[name] === undefined) addWarning(notes, `${at}.${name}`, 'is missing.')
  }
}

/** @param props all props that are allowed there. */
export function warnUnknown(props: Props, levels: readonly WrittenProps[], notes: SectionIssues): void {
  const { known } = spellingsOf(props)
  for (const level of levels) {
    for (const [name, { path }] of level)
      if (!known.has(name)) {
        // Comparing names is slow, and hostile sections have thousands of unknown ones.
        const question = notes.warnings.length < MAX_SUGGESTIONS ? didYouMean(name, Object.keys(props)) : ''
        addWarning(notes, path, `is unknown and not shown.${question}`)
      }
  }
}

/** The names under which props may be written. */
interface Spellings {
  readonly props: readonly {
    readonly name: string
    readonly prop: Prop
    readonly spellings: readonly string[]
  }[]
  readonly known: ReadonlySet<string>
}

/** A list may have thousands of objects with the same props. */
const cache = new WeakMap<Props, Spellings>()

function spellingsOf(of: Props): Spellings {
  const cached = cache.get(of)
  if (cached !== undefined) return cached
  const props = Object.entries(of).map(([name, prop]) => ({ name, prop, spellings: [name, ...prop.aliases] }))
  const spelled = { props, known: new Set(props.flatMap(({ spellings }) => spellings)) }
  cache.set(of, spelled)
  return spelled
}

function find(levels: readonly WrittenProps[], names: readonly string[]): Entry | null {
  for (const level of levels) {
    for (const name of names) {
      const entry = level.get(name)
      if (entry !== undefined) return entry
    }
  }
  return null
}

/** Converts a value to the type of its prop; null when it is empty or invalid. */
function readProp(prop: Prop, entry: Entry, notes: SectionIssues): JsonValue | null {
  const { value, path } = entry
  switch (prop.kind) {
    case 'text':
    case 'inline':
    case 'markdown':
    case 'token':
    case 'link':
      return readText(entry, notes)
    case 'boolean':
      return typeof value === 'boolean' ? value : addError(notes, path, 'must be true or false.')
    case 'number':
      return readNumber(entry, prop, notes)
    case 'choice':
      return typeof value === 'string'
        ? readChoice(value, path, prop.of, notes)
        : addError(notes, path, 'must be a string.')
    case 'choice-or-image':
      return typeof value === 'string' && !looksLikeUrl(value)
        ? readChoice(value, path, prop.of, notes)
        : readObject(prop.image, entry, notes)
    case 'object':
      return readObject(prop.shape, entry, notes)
    case 'list':
      return readList(prop, entry, notes)
  }
}

/** True for paths, URLs and file names. */
export function looksLikeUrl(text: string): boolean {
  return /^(https?:)?\.{0,2}\/|\.[a-z]{3,4}$/i.test(text)
}

function readText({ value, path }: Entry, notes: SectionIssues): string | null {
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string') return addError(notes, path, 'must be a string.')
  return value.trim() === '' ? null : value
}

function readNumber(
  { value, path }: Entry,
  range: { min: number; max: number },
  notes: SectionIssues,
): number | null {
  const digits = typeof value === 'string' && /^\s*\d+(\.0+)?\s*$/.test(value)
  if (typeof value !== 'number' && !digits) return addError(notes, path, 'must be a number.')
  const number = Number(value)
  const fits = Number.isInteger(number) && number >= range.min && number <= range.max
  return fits ? number : addWarning(notes, path, `is not a whole number from ${range.min} to ${range.max}.`)
}

function readChoice(value: string, path: string, of: readonly string[], notes: SectionIssues): string | null {
  const chosen = value.trim().toLowerCase()
  if (chosen === '') return null
  return of.includes(chosen) ? chosen : addWarning(notes, path, `must be one of ${of.join(', ')}.`)
}

export function readObject(shape: Shape, { value, path }: Entry, notes: SectionIssues): JsonObject | null {
  if (typeof value === 'string' && shape.shorthand !== null) {
    return readProps(shape.props, [new Map([[shape.shorthand, { value, path }]])], notes)
  }
  if (!isJsonObject(value)) return addError(notes, path, 'must be an object.')
  const written = [readKeys(value, path)]
  const read = readProps(shape.props, written, notes)
  warnUnknown(shape.props, written, notes)
  warnMissing(shape.requires, read, path, notes)
  return read
}

/** A single value counts as a list of one. */
function readList(
  { of, max }: Extract<Prop, { kind: 'list' }>,
  { value, path }: Entry,
  notes: SectionIssues,
): readonly JsonValue[] | null {
  const bare = typeof value === 'string' && of.kind === 'object' && of.shape.shorthand !== null
  if (!Array.isArray(value) && !isJsonObject(value) && !bare)
    return addError(notes, path, 'must be an array.')
  if (max !== undefined && Array.isArray(value) && value.length > max)
    return addError(notes, path, `must have at most ${max} entries.`, 'wrong_length')
  const entries: readonly Entry[] = Array.isArray(value)
    ? value.map((element, index) => ({ value: element, path: `${path}[${index}]` }))
    : [{ value, path }]
  const values = entries.filter((entry) => entry.value !== null).map((entry) => readProp(of, entry, notes))
  const kept = values.filter((element) => element !== null)
  return kept.length === 0 ? null : kept
}

function addError(
  { errors }: SectionIssues,
  path: string,
  message: string,
  code: FieldErrorCode = 'wrong_type',
): null {
  errors.push({ path, message, code })
  return null
}

function addWarning({ warnings }: SectionIssues, path: string, message: string): null {
  warnings.push({ path, message })
  return null
}

function snakeCase(key: string): string {
  if (/^[a-z0-9_]+$/.test(key)) return key
  return key
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/-/g, '_')
    .toLowerCase()
}
