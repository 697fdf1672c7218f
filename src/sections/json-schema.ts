import type { JsonObject } from '../domain/json.ts'
import { matchType, SECTION_TYPES, shapeOf } from './catalogue.ts'
import { COMMON, FLAT_PROPS } from './common.ts'
import { MAX_NESTING } from './normalize.ts'
import type { Props, SectionType } from './prop.ts'
import { namedDefs, neededNote, propertiesSchema } from './prop-schema.ts'
import { MAX_SECTIONS } from './validate.ts'

/**
 * JSON Schema 2020-12 of `config.sections`. Everything it accepts, `sectionErrors` accepts too. They differ
 * only when a prop is written twice: then `sectionErrors` checks the spelling that counts, the schema both.
 */
export function sectionsJsonSchema(): JsonObject {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'The sections of a page',
    description: [
      '`config.sections` of a page of the type `page`. Props stand in `props` or beside `type`; those in `props` win.',
      'Names may be written in snake_case, in camelCase or with hyphens. Null counts as not written.',
    ].join(' '),
    type: 'array',
    maxItems: MAX_SECTIONS,
    items: { $ref: '#/$defs/section' },
    $defs: {
      section: sectionSchema(),
      ...Object.assign({}, ...SECTION_TYPES.map(knownDefs)),
      ...unknownDefs(),
      ...namedDefs(),
      ...nestingDefs(),
    },
  }
}

function sectionSchema(): JsonObject {
  const names = SECTION_TYPES.map(({ name }) => name)
  const known = names.map((name) => `\`${name}\``).join(', ')
  return {
    type: 'object',
    required: ['type'],
    properties: {
      type: {
        type: 'string',
        description: `${known}, or another name for one of them; any other section is shown plainly.`,
        examples: names,
      },
      id: { description: 'The HTML id of the section; made a slug, and unique on its page.' },
    },
    anyOf: [...names, 'unknown'].map((name) => ({ $ref: `#/$defs/${name}` })),
    allOf: [{ $ref: `#/$defs/${nestingName(MAX_NESTING)}` }],
  }
}

function knownDefs(type: SectionType): JsonObject {
  const { props, requires } = shapeOf(matchType(type.name))
  const called = `Also called ${type.aliases.map((alias) => `\`${alias}\``).join(', ')}.`
  const description = `${called} ${neededNote(requires)}`.trim()
  return sectionDefs(type.name, description, { pattern: typePattern(type) }, props)
}

/** For unknown types only the common props are checked. */
function unknownDefs(): JsonObject {
  const pattern = SECTION_TYPES.map(typePattern).join('|')
  return sectionDefs('unknown', 'A section of any other type.', { not: { pattern } }, COMMON)
}

/** The definitions of a type and of its props, which may be in `props` or next to `type`. */
function sectionDefs(name: string, description: string, type: JsonObject, props: Props): JsonObject {
  const propsName = `${name}-props`
  const $ref = `#/$defs/${propsName}`
  return {
    [name]: {
      title: name,
      description,
      properties: { type, props: { type: ['object', 'null'], $ref } },
      $ref,
    },
    [propsName]: { properties: propertiesSchema({ ...props, ...FLAT_PROPS }, $ref) },
  }
}

/** Matches the spellings that `matchType` accepts for the type. */
function typePattern({ name, aliases }: SectionType): string {
  const names = [name, ...aliases].map((alias) => alias.split('-').map(inAnyCase).join('[^A-Za-z0-9]+'))
  const ending = `([^A-Za-z0-9]+(${inAnyCase('section')}|${inAnyCase('block')}))?`
  return `^[^A-Za-z0-9]*(${names.join('|')})${ending}[^A-Za-z0-9]*$`
}

function inAnyCase(word: string): string {
  return word.replace(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`)
}

/** Definitions that limit nesting to the number in their name. */
function nestingDefs(): JsonObject {
  const deeper = Array.from({ length: MAX_NESTING }, (_, index) => {
    const inner = { $ref: `#/$defs/${nestingName(index)}` }
    return [nestingName(index + 1), { items: inner, additionalProperties: inner }]
  })
  return { [nestingName(0)]: { not: { type: ['object', 'array'] } }, ...Object.fromEntries(deeper) }
}

function nestingName(levels: number): string {
  return `nested-${levels}`
}
