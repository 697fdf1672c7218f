import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { brandingFaults, isColour, isFontList } from '../../src/domain/branding.ts'

describe('the colour of a brand', () => {
  test.each([
    '#0b6',
    '#0B6E4F',
    '#0b6e4f80',
    'teal',
    'RebeccaPurple',
    'rgb(11, 110, 79)',
    'rgb(11 110 79 / 50%)',
    'hsl(161deg 82% 24%)',
    'rgba(1,2,3,.5)',
  ])('may be written as %s', (text) => {
    expect(isColour(text)).toBe(true)
  })

  test.each([
    '',
    '#12',
    '#12345',
    'greenish',
    'rgb(1)',
    'rgb(1,2,3);background:url(//evil)',
    'red}body{display:none',
    'var(--x)',
    'url(javascript:1)',
    'expression(alert(1))',
    'rgb(1 2 3 4 5)',
  ])('cannot be written as %j', (text) => {
    expect(isColour(text)).toBe(false)
  })
})

describe('the fonts of a brand', () => {
  test.each(['Inter', 'Inter, sans-serif', '"IBM Plex Sans", serif', "'Noto Sans 日本語'"])(
    'may be written as %s',
    (text) => {
      expect(isFontList(text)).toBe(true)
    },
  )

  test.each(['', 'Inter;', '"Inter', `"a'`, 'a, , b', 'url(x)', 'Inter}', `${'a,'.repeat(10)}a`])(
    'cannot be written as %j',
    (text) => {
      expect(isFontList(text)).toBe(false)
    },
  )
})

test('no accepted value can end a declaration, a rule or a style element', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc
      .array(
        fc.constantFrom('rgb(', '1', ' ', ',', ')', '#', 'fff', '"', "'", ';', '}', '<', '/', 'Inter', '\\'),
      )
      .map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(text, (value) => {
      if (isColour(value) || isFontList(value)) expect(value).not.toMatch(/[;{}<>\\@]|\/\*|url\(/)
    }),
    { numRuns: 1000 },
  )
})

test('values that no page can show are reported; unknown names and empty values are accepted', () => {
  expect(
    brandingFaults({
      primary_color: 'greenish',
      font: '  ',
      lang: 'english',
      tone: ['warm'],
      logo: null,
    }).map(({ name }) => name),
  ).toEqual(['primary_color', 'lang'])
  expect(brandingFaults({ primary_color: ' #0b6e4f ', font: null, lang: 'de' })).toEqual([])
  expect(brandingFaults({ primary_color: 3 }).map(({ name }) => name)).toEqual(['primary_color'])
})
