import type { JsonObject, JsonValue } from '../domain/json.ts'
import { blockMarkdown, type FindPage } from './description-text.ts'
import { attribute, code, inline } from './escape-markdown.ts'
import type { FieldGroup, FieldNode } from './field-tree.ts'
import { listOf, textOf } from './operations.ts'

export interface TextContext {
  readonly home: string | null
  readonly findPage: FindPage
}

const MAX_VALUES = 40
const MAX_NAMES = 40

/** Fields as a `:::fields` container; an empty text for none. */
export function fieldsMarkdown(fields: readonly FieldNode[], context: TextContext): string {
  if (fields.length === 0) return ''
  return [':::fields', ...fields.map((field) => fieldMarkdown(field, context)), ':::'].join('\n')
}

function fieldMarkdown({ name, type, required, facts, groups }: FieldNode, context: TextContext): string {
  const typed = attribute(type)
  const initial = facts['default'] === undefined ? null : attribute(valueText(facts['default']))
  const attributes = [
    ...(typed === null ? [] : [`type=${typed}`]),
    ...(initial === null ? [] : [`default=${initial}`]),
    ...(required ? ['required'] : []),
    ...(facts['deprecated'] === true ? ['deprecated'] : []),
  ]
  return [
    `::field[${inline(name)}]${attributes.length > 0 ? `{${attributes.join(' ')}}` : ''}`,
    blockMarkdown(textOf(facts['description']), null, context),
    constraintsOf(facts),
    ...groups.map((group) => nestedMarkdown(group, context)),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

/** A group inside a field, closed until a reader opens it. */
function nestedMarkdown(group: FieldGroup, context: TextContext): string {
  if (group.fields.length === 0) return group.unlisted.length === 0 ? '' : unlistedText(group)
  const title = group.option === null ? 'Properties' : inline(group.option)
  return `:::details ${title}\n${groupMarkdown(group, context)}\n:::`
}

/** Prints the fields of a group, and the names of unlisted ones. */
function groupMarkdown(group: FieldGroup, context: TextContext): string {
  const rest = group.unlisted.length === 0 ? '' : unlistedText(group)
  return [fieldsMarkdown(group.fields, context), rest].filter((part) => part !== '').join('\n\n')
}

/** The groups of a body: its own fields, then each alternative. */
export function bodyMarkdown(groups: readonly FieldGroup[], context: TextContext): string {
  return groups
    .map((group) => (group.option === null ? groupMarkdown(group, context) : nestedMarkdown(group, context)))
    .filter((part) => part !== '')
    .join('\n\n')
}

function unlistedText({ option, unlisted, fields }: FieldGroup): string {
  const names = unlisted.slice(0, MAX_NAMES).map(code).join(', ')
  const more = unlisted.length > MAX_NAMES ? ` and ${unlisted.length - MAX_NAMES} more` : ''
  const start =
    option !== null ? `${inline(option)}: ` : fields.length > 0 ? 'Further properties: ' : 'Properties: '
  return `${start}${names}${more}.`
}

/** Returns the constraints of a value in sentences. */
function constraintsOf(facts: JsonObject): string {
  const values = listOf(facts['enum'])
  const shown = values.slice(0, MAX_VALUES).map((value) => code(valueText(value)))
  const more = values.length > MAX_VALUES ? ` and ${values.length - MAX_VALUES} more` : ''
  const pattern = textOf(facts['pattern'])
  return [
    ...(values.length > 0 ? [`Values: ${shown.join(', ')}${more}.`] : []),
    ...(facts['const'] === undefined ? [] : [`Always ${code(valueText(facts['const']))}.`]),
    ...range(
      'Value',
      facts['minimum'] ?? facts['exclusiveMinimum'],
      facts['maximum'] ?? facts['exclusiveMaximum'],
    ),
    ...range('Characters', facts['minLength'], facts['maxLength']),
    ...range('Items', facts['minItems'], facts['maxItems']),
    ...(pattern === '' || pattern.length > 300 ? [] : [`Pattern: ${code(pattern)}.`]),
  ].join(' ')
}

function range(what: string, least: JsonValue | undefined, most: JsonValue | undefined): readonly string[] {
  const hasLeast = typeof least === 'number' && !(least === 0 && what !== 'Value')
  const hasMost = typeof most === 'number'
  if (hasLeast && hasMost) return [`${what}: ${least} to ${most}.`]
  if (hasLeast) return [`${what}: at least ${least}.`]
  return hasMost ? [`${what}: at most ${most}.`] : []
}

function valueText(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
