import { expect, test } from 'vitest'
import { sectionErrors } from '../../src/sections/validate.ts'

function pathsOf(sections: unknown): string[] {
  return sectionErrors(sections).map(({ path }) => path)
}

test('a config without sections is valid', () => {
  expect(sectionErrors(undefined)).toEqual([])
  expect(sectionErrors([])).toEqual([])
})

test.each([
  ['an object', {}, 'config.sections'],
  ['null', null, 'config.sections'],
  ['201 sections', Array(201).fill({ type: 'hero' }), 'config.sections'],
  ['an element that is no object', ['hero'], 'config.sections[0]'],
  ['an element that is an array', [[]], 'config.sections[0]'],
  ['a missing type', [{ title: 'T' }], 'config.sections[0].type'],
  ['a type that is no string', [{ type: 5 }], 'config.sections[0].type'],
  ['props that are no object', [{ type: 'hero', props: [] }], 'config.sections[0].props'],
  ['a title that is an object', [{ type: 'hero', title: {} }], 'config.sections[0].title'],
  ['a title in an unknown section that is a list', [{ type: 'x', title: [] }], 'config.sections[0].title'],
  [
    'items that are a string',
    [{ type: 'features', props: { items: 'a' } }],
    'config.sections[0].props.items',
  ],
  ['an alias of items that is a number', [{ type: 'features', cards: 5 }], 'config.sections[0].cards'],
  ['an item that is a string', [{ type: 'features', items: ['a'] }], 'config.sections[0].items[0]'],
  ['an image that is a number', [{ type: 'hero', image: 5 }], 'config.sections[0].image'],
  ['a width of an image', [{ type: 'hero', image: { width: 'wide' } }], 'config.sections[0].image.width'],
  ['hidden in words', [{ type: 'hero', hidden: 'yes' }], 'config.sections[0].hidden'],
  ['columns in words', [{ type: 'features', columns: 'three' }], 'config.sections[0].columns'],
  ['an action that is a string', [{ type: 'cta', props: { cta: 'Go' } }], 'config.sections[0].props.cta'],
  ['a flat action that is an object', [{ type: 'cta', ctaText: {} }], 'config.sections[0].ctaText'],
])('%s is reported with its path', (_, sections, path) => {
  expect(pathsOf(sections)).toEqual([path])
})

test('every error is reported, not only the first', () => {
  expect(pathsOf([{ type: 'hero', title: [], image: 5 }, 'x', { type: 'cta' }, {}])).toEqual([
    'config.sections[0].title',
    'config.sections[0].image',
    'config.sections[1]',
    'config.sections[3].type',
  ])
})

test('200 sections and 8 levels are allowed, a ninth level is not', () => {
  const nested = (levels: number): object => (levels === 1 ? {} : { inner: nested(levels - 1) })
  expect(sectionErrors(Array(200).fill({ type: 'hero' }))).toEqual([])
  expect(sectionErrors([{ type: 'x', a: nested(7) }])).toEqual([])
  expect(pathsOf([{ type: 'x', a: nested(8) }])).toEqual(['config.sections[0]'])
})

test.each([
  [{ type: 'unheard-of', items: 5, body: {} }],
  [{ type: 'hero' }],
  [{ type: 'features', columns: 17, layout: 'spiral', unknown: {} }],
  [{ type: 'hero', props: null, title: null }],
])('the section %j is accepted', (section) => {
  expect(sectionErrors([section])).toEqual([])
})
