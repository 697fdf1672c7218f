import { isJsonObject, type JsonObject, type JsonValue } from '../../domain/json.ts'
import { matchType, shapeOf } from '../../sections/catalogue.ts'
import { FLAT_PROPS } from '../../sections/common.ts'
import { readSection } from '../../sections/normalize.ts'
import type { Prop, Props } from '../../sections/prop.ts'
import type { Form } from './form.ts'

/*
 * Forms of sections, created from the shapes of the catalogue: a new section type appears here without further code.
 * Fields are named by their path, `s.0.items.1.title`.
 */

/** A field, or a group of fields, of the form of a section. */
export type SectionNode =
  | {
      readonly kind: 'line' | 'text' | 'number' | 'check'
      readonly path: string
      readonly prop: string
      readonly value: string
    }
  | {
      readonly kind: 'choice'
      readonly path: string
      readonly prop: string
      readonly value: string
      readonly options: readonly string[]
    }
  | {
      readonly kind: 'object'
      readonly path: string
      readonly prop: string
      readonly children: readonly SectionNode[]
      readonly isEmpty: boolean
    }
  | {
      readonly kind: 'list'
      readonly path: string
      readonly prop: string
      readonly items: readonly { readonly path: string; readonly children: readonly SectionNode[] }[]
    }

export interface SectionForm {
  readonly path: string
  readonly type: string
  readonly title: string
  readonly isHidden: boolean
  readonly nodes: readonly SectionNode[]
  /** Values without a field in the form, as JSON. */
  readonly rest: string
}

/** Name of the list of sections in the form. */
const SECTIONS = 's'
/** Maximum number of items of a list in a form, and of sections. */
const MAX_ITEMS = 200
/**
 * Maximum number of fields for values of sections in a form; the form has some more, and every field is sent when it is
 * saved.
 */
const MAX_VALUES = 4_000

/**
 * Reports whether a form can hold the sections. A form of more could not be saved, or would lose values beyond its
 * limits. Takes time linear in the values of the sections.
 */
export function fitForm(sections: readonly JsonValue[]): boolean {
  if (sections.length > MAX_ITEMS) return false
  let fields = 0
  for (const value of sections) {
    const { matched } = matchedSection(value)
    fields += fieldCount(shapeOf(matched).props, matched.props)
    if (fields > MAX_VALUES) return false
  }
  return true
}

/** Fields for the values of props; infinite for a list that is too long. */
function fieldCount(props: Props, values: JsonObject): number {
  let count = 0
  for (const [name, prop] of Object.entries(props)) {
    const value = values[name]
    if (prop.kind === 'object') count += fieldCount(prop.shape.props, isJsonObject(value) ? value : {})
    else if (prop.kind === 'list' && prop.of.kind === 'object') {
      const items = Array.isArray(value) ? value : []
      if (items.length > MAX_ITEMS) return Number.POSITIVE_INFINITY
      const { props: ofItem } = prop.of.shape
      for (const item of items) count += 1 + fieldCount(ofItem, isJsonObject(item) ? item : {})
    } else count += 1
  }
  return count
}

/** Types and titles of the first sections, for users without the right to edit. */
export function sectionTitles(
  sections: readonly JsonValue[],
): readonly { readonly type: string; readonly title: string }[] {
  return sections.slice(0, MAX_ITEMS).map((value) => {
    const { matched } = matchedSection(value)
    return { type: matched.type, title: titleOf(matched.props) }
  })
}

/** The sections of a page as forms. @param sections for which `fitForm` is true. */
export function sectionForms(sections: readonly JsonValue[]): readonly SectionForm[] {
  return sections.map((value, index) => {
    const path = `${SECTIONS}.${index}`
    const { matched, written } = matchedSection(value)
    const { props } = shapeOf(matched)
    const known = new Set(
      Object.entries({ ...props, ...FLAT_PROPS }).flatMap(([name, { aliases }]) => [name, ...aliases]),
    )
    const rest = Object.fromEntries(Object.entries(written).filter(([name]) => !known.has(name)))
    return {
      path,
      type: matched.type,
      title: titleOf(matched.props),
      isHidden: matched.props['hidden'] === true,
      nodes: nodesOf(props, matched.props, path),
      rest: JSON.stringify({ ...rest, ...(matched.id !== null && { id: matched.id }) }),
    }
  })
}

function titleOf({ title }: JsonObject): string {
  return typeof title === 'string' ? title : ''
}

/** A value that is no section gets the fields of a plain one. */
function matchedSection(value: JsonValue) {
  const { section, written } = readSection(value, '')
  return { matched: section ?? { ...matchType('section'), id: null, props: {} }, written }
}

function nodesOf(props: Props, values: JsonObject, path: string): readonly SectionNode[] {
  return Object.entries(props).map(([name, prop]) => nodeOf(name, prop, values[name], `${path}.${name}`))
}

function nodeOf(name: string, prop: Prop, value: JsonValue | undefined, path: string): SectionNode {
  const field = { path, prop: name }
  if (prop.kind === 'object') {
    const inner = isJsonObject(value) ? value : {}
    return {
      ...field,
      kind: 'object',
      children: nodesOf(prop.shape.props, inner, path),
      isEmpty: Object.keys(inner).length === 0,
    }
  }
  if (prop.kind === 'list') {
    const list = Array.isArray(value) ? value : []
    if (prop.of.kind !== 'object')
      return { ...field, kind: 'text', value: list.map((one) => shownValue(one)).join('\n') }
    const { props } = prop.of.shape
    const items = list.map((one, index) => ({
      path: `${path}.${index}`,
      children: nodesOf(props, isJsonObject(one) ? one : {}, `${path}.${index}`),
    }))
    return { ...field, kind: 'list', items }
  }
  const text = shownValue(value)
  if (prop.kind === 'choice') return { ...field, kind: 'choice', value: text, options: prop.of }
  if (prop.kind === 'choice-or-image' && (text === '' || prop.of.includes(text)))
    return { ...field, kind: 'choice', value: text, options: prop.of }
  if (prop.kind === 'boolean') return { ...field, kind: 'check', value: value === true ? 'yes' : '' }
  if (prop.kind === 'number') return { ...field, kind: 'number', value: text }
  return { ...field, kind: prop.kind === 'markdown' ? 'text' : 'line', value: text }
}

function shownValue(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** The sections of a form, as `config.sections` has them. */
export function readSections(form: Form): readonly JsonObject[] {
  return Array.from({ length: countOf(form, SECTIONS) }, (_, index) => {
    const path = `${SECTIONS}.${index}`
    const type = form.get(`${path}.type`)
    const rest = readJson(form.get(`${path}.rest`))
    return {
      type,
      ...(isJsonObject(rest) ? rest : {}),
      ...readProps(shapeOf(matchType(type)).props, form, path),
    }
  })
}

function readProps(props: Props, form: Form, path: string): JsonObject {
  const read = Object.entries(props).flatMap(([name, prop]) => {
    const value = readValue(prop, form, `${path}.${name}`)
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(read)
}

/** `undefined` for an empty field, which is left out. */
function readValue(prop: Prop, form: Form, path: string): JsonValue | undefined {
  if (prop.kind === 'object') {
    const value = readProps(prop.shape.props, form, path)
    return Object.keys(value).length === 0 ? undefined : value
  }
  if (prop.kind === 'list') {
    const { of } = prop
    if (of.kind !== 'object') {
      const lines = form.get(path).split('\n')
      const filled = lines.map((line) => line.trim()).filter((line) => line !== '')
      return filled.length === 0
        ? undefined
        : filled.map((line) => (line.startsWith('{') ? readJson(line) : line))
    }
    const count = countOf(form, path)
    if (count === 0) return undefined
    return Array.from({ length: count }, (_, index) => readProps(of.shape.props, form, `${path}.${index}`))
  }
  const text = form.get(path)
  if (text.trim() === '') return undefined
  if (prop.kind === 'boolean') return text === 'yes'
  if (prop.kind === 'number') return /^\d{1,9}$/.test(text.trim()) ? Number(text) : text
  return prop.kind === 'choice-or-image' && text.startsWith('{') ? readJson(text) : text
}

/** Parses JSON. Malformed JSON stays a string, so validation reports it. */
function readJson(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return text
  }
}

function countOf(form: Form, path: string): number {
  return Math.min(Number(/^\d{1,4}$/.exec(form.get(`${path}.rows`))?.[0] ?? 0), MAX_ITEMS)
}

const SECTION_ACTS = ['up', 'down', 'copy', 'remove', 'add'] as const

export interface SectionAct {
  readonly act: (typeof SECTION_ACTS)[number]
  /** Path of the section or item, or for `add` of the list. */
  readonly path: string
}

/** Parses the action of a button of the form, such as `up:s.0.items.1`; null for another button. */
export function readSectionAct(wanted: string): SectionAct | null {
  const [, name, path = ''] = /^([a-z]+):(s(?:\.\w+){0,16})$/.exec(wanted) ?? []
  const act = SECTION_ACTS.find((one) => one === name)
  return act === undefined ? null : { act, path }
}

/**
 * The sections after a press of a button.
 *
 * @param added what `add` adds.
 */
export function changedSections(
  sections: readonly JsonObject[],
  { act, path }: SectionAct,
  added: JsonObject,
): readonly JsonObject[] {
  const root = { [SECTIONS]: structuredClone(sections) as JsonValue } as Record<string, JsonValue>
  const steps = path.split('.')
  if (act === 'add') {
    const name = steps.at(-1) ?? ''
    const parent = at(root, steps.slice(0, -1))
    if (!isJsonObject(parent)) return sections
    const list = parent[name]
    const items = Array.isArray(list) ? list : []
    if (items.length < MAX_ITEMS) Object.assign(parent, { [name]: [...items, added] })
  } else {
    const list = at(root, steps.slice(0, -1))
    const index = Number(steps.at(-1))
    if (!Array.isArray(list) || !(index in list)) return sections
    if (act === 'copy' && list.length === MAX_ITEMS) return sections
    const [one] = list.splice(index, 1)
    const to = act === 'up' ? Math.max(index - 1, 0) : act === 'down' ? index + 1 : index
    if (act === 'copy') list.splice(index, 0, one as JsonValue, structuredClone(one) as JsonValue)
    else if (act !== 'remove') list.splice(to, 0, one as JsonValue)
  }
  return root[SECTIONS] as readonly JsonObject[]
}

function at(root: Record<string, JsonValue>, steps: readonly string[]): JsonValue[] | JsonObject | undefined {
  let found: unknown = root
  for (const step of steps) {
    const isOwn = typeof found === 'object' && found !== null && Object.hasOwn(found, step)
    found = isOwn ? (found as Record<string, unknown>)[step] : undefined
  }
  return Array.isArray(found) || isJsonObject(found as JsonValue)
    ? (found as JsonValue[] | JsonObject)
    : undefined
}

/** Removes items of lists without any value. */
export function withoutBlanks(sections: readonly JsonObject[]): readonly JsonObject[] {
  return sections.map((section) =>
    Object.fromEntries(
      Object.entries(section).map(([name, value]) => [
        name,
        Array.isArray(value)
          ? value.filter((item) => !(isJsonObject(item) && Object.keys(item).length === 0))
          : value,
      ]),
    ),
  )
}
