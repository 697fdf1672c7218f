import fc from 'fast-check'
import { expect, test } from 'vitest'
import { normalizeSection, readSection } from '../../src/sections/normalize.ts'

const at = 'config.sections[0]'

function propsOf(section: object) {
  return normalizeSection({ type: 'hero', ...section }).props
}

test('props and flat keys are equivalent', () => {
  expect(propsOf({ title: 'A', layout: 'center' })).toEqual(
    propsOf({ props: { title: 'A', layout: 'center' } }),
  )
})

test('props win over a flat key of the same name in any spelling', () => {
  expect(propsOf({ title: 'flat', props: { title: 'inner' } })).toEqual({ title: 'inner' })
  expect(propsOf({ title: 'flat', props: { headline: 'inner' } })).toEqual({ title: 'inner' })
})

test('type, id and props are never read as props', () => {
  const section = normalizeSection({ type: 'unheard-of', id: 'x', props: { type: 'y', id: 'z', title: 'T' } })
  expect(section).toEqual({ type: 'unheard-of', known: false, id: 'x', props: { title: 'T' } })
})

test('camelCase, snake_case and hyphens spell one prop', () => {
  const image = { src: '/a.png' }
  for (const key of ['backgroundImage', 'background_image', 'background-image']) {
    expect(propsOf({ [key]: '/a.png' })).toEqual({ background_image: image })
  }
})

test('aliases are read when the name itself is missing', () => {
  expect(propsOf({ headline: 'T', description: 'S', eyebrow: 'E' })).toEqual({
    title: 'T',
    subtitle: 'S',
    tagline: 'E',
  })
  expect(propsOf({ title: 'T', headline: 'H' })).toEqual({ title: 'T' })
  expect(propsOf({ title: null, headline: 'H' })).toEqual({ title: 'H' })
})

test('numbers pass as strings and digits as numbers', () => {
  expect(propsOf({ title: 2030 })).toEqual({ title: '2030' })
  expect(normalizeSection({ type: 'features', columns: '2' }).props).toEqual({ columns: 2 })
})

test('a single object passes as a list of one', () => {
  expect(propsOf({ cta: { label: 'Go', url: '/go' } })).toEqual({ actions: [{ text: 'Go', link: '/go' }] })
})

test('an image is a string or an object', () => {
  expect(propsOf({ image: '/a.png' })).toEqual({ image: { src: '/a.png' } })
  expect(propsOf({ image: { url: '/a.png', alt: 'A', width: '640' } })).toEqual({
    image: { src: '/a.png', alt: 'A', width: 640 },
  })
})

test('unknown props of known sections are reported at any depth; unknown sections are not checked', () => {
  const plans = [{ name: 'A', price: 1, prize: 2, features: [{ text: 'x', includd: false }] }]
  const { errors, warnings } = readSection({ type: 'pricing', colour: 'red', props: { plans } }, at)
  expect(errors).toEqual([])
  expect(warnings.map(({ path }) => path).sort()).toEqual([
    `${at}.colour`,
    `${at}.props.plans[0].features[0].includd`,
    `${at}.props.plans[0].prize`,
  ])
  expect(readSection({ type: 'comparison', rows: [] }, at).warnings).toEqual([])
})

test.each([
  { cta_text: 'Go', cta_url: '/go' },
  { cta_text: 'Go', cta_link: '/go' },
  { ctaText: 'Go', ctaUrl: '/go' },
  { ctaText: 'Go', ctaLink: '/go' },
  { button_text: 'Go', button_url: '/go' },
])('the flat pair %j is an action', (pair) => {
  expect(propsOf(pair)).toEqual({ actions: [{ text: 'Go', link: '/go' }] })
  expect(propsOf({ props: pair })).toEqual({ actions: [{ text: 'Go', link: '/go' }] })
})

test('a written action wins over a flat pair', () => {
  const actions = [{ text: 'Written', link: '/w' }]
  expect(propsOf({ actions, cta_text: 'Flat', cta_url: '/f' })).toEqual({ actions })
})

test('a background is a keyword or an image', () => {
  expect(propsOf({ background: 'Dark' })).toEqual({ background: 'dark' })
  for (const src of ['/bg.jpg', 'https://a.example/bg', 'bg.webp', '../bg']) {
    expect(propsOf({ background: src })).toEqual({ background: { src } })
  }
  expect(propsOf({ background: '#ff0000' })).toEqual({})
})

test('missing and unknown values are lapses, not faults', () => {
  const reading = readSection({ type: 'features', props: { columns: 9, items: [{ icon: '*' }] } }, at)
  expect(reading.errors).toEqual([])
  expect(reading.warnings.map(({ path }) => path)).toEqual([
    `${at}.props.items[0].title`,
    `${at}.props.columns`,
  ])
})

test('reading never throws and is idempotent', () => {
  const spiced = fc.dictionary(
    fc.constantFrom(
      'type',
      'id',
      'props',
      'title',
      'headline',
      'items',
      'actions',
      'cta',
      'ctaText',
      'image',
      'layout',
    ),
    fc.jsonValue({ maxDepth: 4 }),
  )
  fc.assert(
    fc.property(
      fc.oneof(spiced, fc.jsonValue()),
      fc.constantFrom('hero', 'features', 'cta', 'other'),
      (value, type) => {
        const section = normalizeSection({ ...(value as object), type })
        expect(normalizeSection({ ...section })).toEqual(section)
        normalizeSection(value)
      },
    ),
  )
})
