import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { matchType, SECTION_TYPES, shapeOf } from '../../src/sections/catalogue.ts'
import { COMMON, FLAT_ACTIONS, flatAction } from '../../src/sections/common.ts'
import { sectionsJsonSchema } from '../../src/sections/json-schema.ts'
import type { Prop, Props, Shape } from '../../src/sections/prop.ts'
import { sectionErrors } from '../../src/sections/validate.ts'
import { runs } from '../support/long-form.ts'

const schema = sectionsJsonSchema()
const ajv = new Ajv2020({ strict: true, strictTypes: false, allowUnionTypes: true })
const accepts = ajv.compile(schema)
const isValid = (sections: unknown) => sectionErrors(sections).length === 0

test('the schema is valid JSON Schema 2020-12', () => {
  expect(ajv.validateSchema(schema)).toBe(true)
})

test.each([
  ['no section', []],
  ['200 sections', Array(200).fill({ type: 'hero' })],
  ['flat props', [{ type: 'hero', title: 'T', ctaText: 'Go', cta_url: '/go' }]],
  ['props in an object', [{ type: 'Jumbotron Section', props: { headline: 5, image: '/a.png' } }]],
  ['an unknown type', [{ type: 'comparison', rows: [[1]], items: 5 }]],
  ['a value that is left out', [{ type: 'features', columns: 17, layout: 'spiral' }]],
])('a list with %s is accepted', (_, sections) => {
  expect(accepts(sections)).toBe(true)
  expect(isValid(sections)).toBe(true)
})

test.each([
  ['an object', {}],
  ['201 sections', Array(201).fill({ type: 'hero' })],
  ['a missing type', [{ title: 'T' }]],
  ['a type that is no text', [{ type: 5 }]],
  ['props that are a list', [{ type: 'hero', props: [] }]],
  ['a title that is an object, in any section', [{ type: 'comparison', title: {} }]],
  ['items that are a text', [{ type: 'feature grid', items: 'a' }]],
  ['an image that is a number', [{ type: 'hero', backgroundImage: 5 }]],
  ['columns in words', [{ type: 'features', props: { columns: 'three' } }]],
  ['nine levels', [{ type: 'x', a: [[[[[[[[]]]]]]]] }]],
])('a list with %s is refused', (_, sections) => {
  expect(accepts(sections)).toBe(false)
  expect(isValid(sections)).toBe(false)
})

describe('the schema and the validation', () => {
  test('agree on every section in which each prop is written once', () => {
    fc.assert(
      fc.property(sectionArb('once'), (section) => {
        expect(accepts([section])).toBe(isValid([section]))
      }),
      { numRuns: runs(3000) },
    )
  })

  test('agree on props written twice if the schema accepts them', () => {
    fc.assert(
      fc.property(sectionArb('twice'), (section) => {
        if (accepts([section])) expect(sectionErrors([section])).toEqual([])
      }),
      { numRuns: runs(3000) },
    )
  })

  test('agree on any JSON value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(accepts(value)).toBe(isValid(value))
      }),
    )
  })
})

type Often = 'once' | 'twice'

function sectionArb(often: Often): fc.Arbitrary<object> {
  const names = [...SECTION_TYPES.flatMap(({ name, aliases }) => [name, ...aliases]), 'unheard-of']
  return fc.constantFrom(...names).chain((name) => {
    const props = tableOf(name)
    return fc
      .record({ type: spelledType(name), inner: valuesArb(props, often), flat: valuesArb(props, often) })
      .chain(({ type, inner, flat }) => {
        if (often === 'twice') return fc.constant({ type, ...flat, props: inner })
        return fc.constantFrom<object>(
          { type, props: inner },
          { type, ...flat },
          { type, ...flat, props: null },
        )
      })
  })
}

function tableOf(name: string): Props {
  const matched = matchType(name)
  const flat: Props = Object.assign({}, ...FLAT_ACTIONS.map(flatAction))
  return { ...COMMON, ...shapeOf(matched).props, ...flat }
}

function spelledType(name: string): fc.Arbitrary<string> {
  return fc
    .record({
      space: fc.constantFrom('-', '_', ' ', ' - '),
      ending: fc.constantFrom('', '-section', '_block', ' Section', '-sections'),
      upper: fc.boolean(),
    })
    .map(({ space, ending, upper }) => {
      const spelled = name.replaceAll('-', space) + ending
      return upper ? spelled.toUpperCase() : spelled
    })
}

function valuesArb(props: Props, often: Often): fc.Arbitrary<object> {
  const entry = fc.constantFrom(...Object.entries(props)).chain(([name, prop]) =>
    fc.record({
      name: fc.constant(name),
      key: fc.constantFrom(...[name, ...prop.aliases].flatMap(spelled)),
      value: valueArb(prop, often),
    }),
  )
  const entries =
    often === 'once'
      ? fc.uniqueArray(entry, { selector: ({ name }) => name, maxLength: 4 })
      : fc.array(entry, { maxLength: 6 })
  return entries.map((written) => Object.fromEntries(written.map(({ key, value }) => [key, value])))
}

function spelled(name: string): string[] {
  const camel = name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
  return [name, camel, name.replaceAll('_', '-')]
}

/** A valid value most of the time, else any value. */
function valueArb(prop: Prop, often: Often): fc.Arbitrary<unknown> {
  const wrong = fc.oneof(
    fc.constantFrom<unknown>(null, '', ' 7 ', 'x', 5, -1.5, true, [], {}, [null], ['x'], [5], [[]]),
    fc.jsonValue({ maxDepth: 3 }),
  )
  return fc.oneof({ weight: 6, arbitrary: rightArb(prop, often) }, { weight: 1, arbitrary: wrong })
}

function rightArb(prop: Prop, often: Often): fc.Arbitrary<unknown> {
  switch (prop.kind) {
    case 'boolean':
      return fc.boolean()
    case 'number':
      return fc.oneof(fc.integer(), fc.nat().map(String))
    case 'choice':
      return fc.constantFrom(...prop.of, 'other')
    case 'choice-or-image':
      return fc.oneof(fc.constantFrom(...prop.of, '/a.png'), objectArb(prop.image, often))
    case 'object':
      return objectArb(prop.shape, often)
    case 'list':
      return fc.oneof(fc.array(valueArb(prop.of, often), { maxLength: 3 }), valueArb(prop.of, often))
    default:
      return fc.oneof(fc.string(), fc.integer())
  }
}

function objectArb({ props, shorthand }: Shape, often: Often): fc.Arbitrary<unknown> {
  const values = valuesArb(props, often)
  return shorthand === null ? values : fc.oneof(values, fc.string())
}
