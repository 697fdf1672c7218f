import type { JsonObject } from '../domain/json.ts'
import { ACTION, IMAGE } from './common.ts'
import type { Prop, Props, Shape } from './prop.ts'

/*
 * JSON Schema of the prop tables, exactly as strict as `read-prop.ts`: values that are left out with a
 * warning are valid here.
 */

/** Shapes used in several places, by the name of their definition. */
const NAMED: ReadonlyMap<Shape, string> = new Map([
  [IMAGE, 'image'],
  [ACTION, 'action'],
])

export function namedDefs(): JsonObject {
  return Object.fromEntries([...NAMED].map(([shape, name]) => [name, objectSchema(shape, `#/$defs/${name}`)]))
}

/** @param at pointer to the schema that contains these properties. */
export function propertiesSchema(props: Props, at: string): JsonObject {
  const written = Object.entries(props).map(([name, prop]) => {
    const pointer = `${at}/properties/${name}`
    const others = [name, ...prop.aliases].flatMap(spellings)
    return {
      ...Object.fromEntries(
        others.map((other) => [other, { $ref: pointer, description: `As \`${name}\`.` }]),
      ),
      [name]: propSchema(prop, pointer),
    }
  })
  return Object.assign({}, ...written)
}

function spellings(name: string): readonly string[] {
  const camelCase = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
  return [name, camelCase, name.replaceAll('_', '-')]
}

/** @param at pointer to this schema. */
function propSchema(prop: Prop, at: string): JsonObject {
  switch (prop.kind) {
    case 'text':
      return { type: ['string', 'number', 'null'], description: 'Text.' }
    case 'inline':
      return { type: ['string', 'number', 'null'], description: 'Markdown on a line.' }
    case 'markdown':
      return { type: ['string', 'number', 'null'], description: 'Markdown.' }
    case 'token':
      return { type: ['string', 'number', 'null'] }
    case 'link':
      return {
        type: ['string', 'number', 'null'],
        description: 'A URL: http, https, mailto, tel, or within the site.',
      }
    case 'boolean':
      return { type: ['boolean', 'null'] }
    case 'number':
      return {
        type: ['number', 'string', 'null'],
        pattern: '^\\s*\\d+\\s*$',
        description: `A whole number from ${prop.min} to ${prop.max}; any other is left out.`,
      }
    case 'choice':
      return { anyOf: [choices(prop.of), { type: ['string', 'null'] }] }
    case 'choice-or-image':
      return {
        anyOf: [choices(prop.of), { type: ['string', 'null'] }, shapeSchema(prop.image, `${at}/anyOf/2`)],
      }
    case 'object':
      return shapeSchema(prop.shape, at)
    case 'list':
      return listSchema(prop, at)
  }
}

function choices(of: readonly string[]): JsonObject {
  return { enum: [...of], description: 'Any other is left out.' }
}

/** A single object, or its shorthand, counts as a list of one. */
function listSchema({ of, max }: Extract<Prop, { kind: 'list' }>, at: string): JsonObject {
  const length = max === undefined ? {} : { maxItems: max }
  if (of.kind !== 'object')
    return { type: ['array', 'null'], items: propSchema(of, `${at}/items`), ...length }
  const single = `${at}/anyOf/0`
  return { anyOf: [shapeSchema(of.shape, single), { type: 'array', items: { $ref: single }, ...length }] }
}

function shapeSchema(shape: Shape, at: string): JsonObject {
  const name = NAMED.get(shape)
  return name === undefined ? objectSchema(shape, at) : { $ref: `#/$defs/${name}` }
}

function objectSchema({ props, requires, shorthand }: Shape, at: string): JsonObject {
  const alone = shorthand === null ? '' : `A text alone is its \`${shorthand}\`.`
  const description = [neededNote(requires), alone].filter((text) => text !== '').join(' ')
  return {
    type: shorthand === null ? ['object', 'null'] : ['object', 'string', 'null'],
    ...(description !== '' && { description }),
    properties: propertiesSchema(props, at),
  }
}

export function neededNote(requires: readonly string[]): string {
  const names = requires.map((name) => `\`${name}\``).join(' and ')
  return names === '' ? '' : `Needs ${names}: publishing warns without.`
}
