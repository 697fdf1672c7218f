import { safeUrl } from './author-url.ts'
import { readLocalDate } from './date.ts'
import { didYouMean } from './nearest-name.ts'

/*
 * A component is a block of a page that a template of the theme renders: `:::name[Label]{attr="…"}` with Markdown up to
 * `:::`, or `::name[Label]{attr="…"}` on a line of its own.
 */

/** Names of lines and containers that are part of Quoin. A component of a theme cannot have them. */
export const BUILT_IN_DIRECTIVES: ReadonlySet<string> = new Set(
  [
    'note info tip important warning caution danger details steps tabs cards columns fields file-tree code-group',
    'tab column field badge video audio youtube vimeo embed include code openapi',
  ].flatMap((names) => names.split(' ')),
)

export const ATTRIBUTE_TYPES = [
  'text',
  'number',
  'integer',
  'boolean',
  'date',
  'url',
  'image',
  'icon',
] as const
export type AttributeType = (typeof ATTRIBUTE_TYPES)[number]

/** Attributes with the address of a page or file: only under these names are relative paths of a folder followed. */
export const ADDRESS_ATTRIBUTES: ReadonlySet<string> = new Set(['href', 'src', 'poster', 'image'])

export interface AttributeSchema {
  readonly type: AttributeType
  readonly description: string
  readonly required: boolean
  /** The value of an attribute that is not written; null for none. */
  readonly default: AttributeValue
  /** The texts to choose from; null for any. */
  readonly enum: readonly string[] | null
  /** Limits of a number, or of the characters of a text. */
  readonly min: number | null
  readonly max: number | null
  /** A value for the gallery and the check of a theme; null for one generated from the type. */
  readonly sample: AttributeValue
}

export type AttributeValue = string | number | boolean | null

/** Presence of the label of a component, or of Markdown between its ends. */
export type Presence = 'required' | 'optional' | 'none'

export interface ComponentSchema {
  readonly description: string
  readonly label: Presence
  readonly body: Presence
  readonly attributes: Readonly<Record<string, AttributeSchema>>
  /** Markdown that shows the component in the gallery; null for one generated from the schema. */
  readonly sample: string | null
}

/** A component as an author wrote it. */
export interface WrittenComponent {
  readonly name: string
  /** The line that starts it. */
  readonly source: string
  /** In the order of the line. The value of one without `=` is null. */
  readonly attributes: readonly (readonly [name: string, value: string | null])[]
}

/** Characters of a text without a `max` of its own. */
const MAX_TEXT = 1_000

export interface ReadAttributes {
  readonly values: Readonly<Record<string, AttributeValue>>
  /** Why the component cannot be shown, one for each attribute. */
  readonly errors: readonly string[]
  /** Attributes that have no effect. */
  readonly unused: readonly string[]
}

/**
 * Checks the attributes of a component. Each one of the schema has a value: the written one, else its default, else
 * null. Addresses and names of icons are returned as written.
 */
export function readAttributes(
  { attributes }: ComponentSchema,
  written: WrittenComponent['attributes'],
): ReadAttributes {
  const stated = new Map(written)
  const errors: string[] = []
  const values: Record<string, AttributeValue> = {}
  for (const [name, schema] of Object.entries(attributes)) {
    const value = stated.get(name)
    values[name] = schema.default
    if (value === undefined) {
      if (schema.required) errors.push(`${name} is missing. It must be ${expected(schema)}.`)
      continue
    }
    const read = readValue(value, schema)
    if (read === null) errors.push(`${name} must be ${expected(schema)}, not ${shown(value)}.`)
    else values[name] = read
  }
  const names = Object.keys(attributes)
  const repeated = written.map(([name]) => name).filter((name, at, all) => all.indexOf(name) !== at)
  return {
    values,
    errors: [...errors, ...repeated.map((name) => `${name} is written twice.`)],
    unused: [...stated.keys()]
      .filter((name) => !Object.hasOwn(attributes, name))
      .map((name) => `${name} has no effect: the component has no such attribute.${didYouMean(name, names)}`),
  }
}

/** The value of an attribute; null when it is none of its type. @param written null for an attribute without `=`. */
export function readValue(written: string | null, schema: AttributeSchema): AttributeValue {
  const { type, min, max } = schema
  if (type === 'boolean')
    return written === null || written === 'true' ? true : written === 'false' ? false : null
  const text = written?.trim() ?? ''
  if (text === '') return null
  switch (type) {
    case 'number':
    case 'integer': {
      if (!NUMBER.test(text)) return null
      const number = Number(text)
      const isInside = number >= (min ?? -Infinity) && number <= (max ?? Infinity)
      return isInside && (type === 'number' || Number.isSafeInteger(number)) ? number : null
    }
    case 'date':
      return readLocalDate(text) === null ? null : text
    case 'url':
      return safeUrl(text, 'link') === null ? null : text
    case 'image':
      return safeUrl(text, 'image') === null ? null : text
    case 'icon':
      return text.length <= MAX_ICON ? text : null
    case 'text': {
      if (schema.enum !== null) return schema.enum.includes(text) ? text : null
      const length = [...text].length
      return length >= (min ?? 0) && length <= (max ?? MAX_TEXT) && !runsAsAddress(text) ? text : null
    }
  }
}

const NUMBER = /^-?\d{1,15}(?:\.\d{1,10})?$/
const MAX_ICON = 100

/**
 * A text that browsers would run if a template printed it as an address. Only attributes of the types `url` and `image`
 * are checked as addresses, and a theme may make a mistake.
 */
function runsAsAddress(text: string): boolean {
  // Browsers skip control characters and white space in an address.
  return /^(?:javascript|vbscript|data):/i.test(text.replace(/[\s\p{Cc}]+/gu, '').slice(0, 20))
}

function expected({ type, enum: choices, min, max }: AttributeSchema): string {
  if (choices !== null) return `one of ${choices.join(', ')}`
  if (type === 'text') {
    const limits = `${min === null ? 'up to' : `${min} to`} ${max ?? MAX_TEXT} characters`
    return `a text of ${limits}`
  }
  if (type !== 'number' && type !== 'integer') return EXPECTED[type]
  const kind = type === 'integer' ? 'a whole number' : 'a number'
  if (min !== null && max !== null) return `${kind} from ${min} to ${max}`
  if (min !== null) return `${kind} of at least ${min}`
  return max === null ? kind : `${kind} of at most ${max}`
}

const EXPECTED = {
  boolean: 'true or false',
  date: 'a date such as 2026-03-01',
  url: 'an address that links may have',
  image: 'the address of a picture',
  icon: 'the name of an icon',
} as const

function shown(value: string | null): string {
  return value === null || value === '' ? 'empty' : JSON.stringify(value.slice(0, 60))
}

/** Markdown that shows the component with sample values: its own sample, else one generated from the schema. */
export function sampleMarkdown(name: string, schema: ComponentSchema): string {
  if (schema.sample !== null) return schema.sample
  const attributes = Object.entries(schema.attributes).flatMap(([attribute, its]) => {
    const value = its.sample ?? its.default ?? (its.required ? sampleValue(its) : null)
    return value === null ? [] : [`${attribute}="${String(value).replaceAll('"', '')}"`]
  })
  const label = schema.label === 'none' ? '' : '[A *label*]'
  const line = `${name}${label}${attributes.length === 0 ? '' : `{${attributes.join(' ')}}`}`
  return schema.body === 'none'
    ? `::${line}`
    : `:::${line}\nSome **text** with a [link](/).\n\n- One\n- Two\n:::`
}

function sampleValue({ type, enum: choices, min }: AttributeSchema): AttributeValue {
  if (choices !== null) return choices[0] ?? null
  return type === 'text' ? 'Sample text'.padEnd(min ?? 0, '.') : (SAMPLES[type] ?? min ?? 1)
}

const SAMPLES: Readonly<Partial<Record<AttributeType, AttributeValue>>> = {
  boolean: true,
  date: '2026-03-01',
  url: '/',
  image: 'https://images.example/sample.png',
  icon: 'rocket',
}
