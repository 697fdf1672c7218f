import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PACKAGE_ROOT } from '../../src/platform/package-paths.ts'
import { TYPE_VIEWS } from '../../src/render/sections/section-view.ts'
import { matchType, SECTION_TYPES, shapeOf } from '../../src/sections/catalogue.ts'
import type { Props, Shape } from '../../src/sections/prop.ts'

test.each([
  ['hero', 'hero'],
  ['Hero', 'hero'],
  ['hero_section', 'hero'],
  ['Hero Block', 'hero'],
  ['Jumbotron', 'hero'],
  ['directory_hero', 'hero'],
  ['feature grid', 'features'],
  ['call_to_action', 'cta'],
  ['CTA-banner-section', 'cta'],
  ['Pricing Table', 'pricing'],
  ['faqs', 'faq'],
  ['testimonials_section', 'testimonials'],
])('the type %j means %s', (written, type) => {
  expect(matchType(written)).toEqual({ type, known: true })
})

test.each([
  ['Comparison Table', 'comparison-table'],
  ['map_section', 'map'],
  ['../../etc/passwd', 'etc-passwd'],
  ['<script>', 'script'],
  ['', 'section'],
  ['价格', 'section'],
])('the type %j is unknown and called %s', (written, type) => {
  expect(matchType(written)).toEqual({ type, known: false })
})

test.each(SECTION_TYPES.map(({ name }) => name))('%s has a view, a template and samples', (name) => {
  expect(TYPE_VIEWS.has(name)).toBe(true)
  expect(existsSync(join(PACKAGE_ROOT, `themes/_shared/sections/${name}.eta`))).toBe(true)
  expect(existsSync(join(PACKAGE_ROOT, `templates/section-samples/${name}-full/sections.json`))).toBe(true)
})

test('no two types share a name or alias', () => {
  const names = SECTION_TYPES.flatMap(({ name, aliases }) => [name, ...aliases])
  expect(new Set(names).size).toBe(names.length)
})

test.each([...SECTION_TYPES.map(({ name }) => name), 'unheard-of'])(
  'no two props of %s share a name or alias, at any depth',
  (name) => {
    for (const shape of shapesWithin(shapeOf(matchType(name)))) {
      const names = Object.entries(shape.props).flatMap(([prop, { aliases }]) => [prop, ...aliases])
      expect(new Set(names).size).toBe(names.length)
      expect(names).toEqual(expect.arrayContaining([...shape.requires]))
    }
  },
)

function shapesWithin(shape: Shape): Shape[] {
  return [shape, ...innerShapes(shape.props).flatMap(shapesWithin)]
}

function innerShapes(props: Props): Shape[] {
  return Object.values(props).flatMap((prop) => {
    const inner = prop.kind === 'list' ? prop.of : prop
    return inner.kind === 'object' ? [inner.shape] : []
  })
}
