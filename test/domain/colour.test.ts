import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isColour } from '../../src/domain/branding.ts'
import { hexOf, mixed, parseColour, readableOn } from '../../src/domain/colour.ts'
import { COLOUR_NAMES } from '../../src/domain/colour-names.ts'

test.each([
  ['#0b6e4f', '#0b6e4f'],
  ['#ABC', '#aabbcc'],
  ['#abcd', '#aabbcc'],
  ['#0b6e4f80', '#0b6e4f'],
  ['Teal', '#008080'],
  ['rebeccapurple', '#663399'],
  ['rgb(11, 110, 79)', '#0b6e4f'],
  ['rgb(11 110 79 / 50%)', '#0b6e4f'],
  ['rgb(100%, 0%, 300)', '#ff00ff'],
  ['hsl(300 50% 40%)', '#993399'],
  ['hsl(-60, 50%, 40%)', '#993399'],
  ['hsl(0.5turn 100% 50%)', '#00ffff'],
  ['hsla(3.14159265rad, 100%, 50%, 1)', '#00ffff'],
])('the colour %s is %s', (text, hex) => {
  const colour = parseColour(text)
  expect(colour === null ? null : hexOf(colour)).toBe(hex)
})

test.each(['', 'oklch(0.6 0.1 40)', '#12345', 'var(--brand)', 'rgb(1)', 'nocolour'])(
  '%s is no colour here',
  (text) => {
    expect(parseColour(text)).toBeNull()
  },
)

test('every named colour that a branding may have is read', () => {
  for (const name of COLOUR_NAMES.keys()) {
    expect(isColour(name), name).toBe(true)
    expect(hexOf(parseColour(name) ?? [0, 0, 0]), name).toBe(`#${COLOUR_NAMES.get(name)}`)
  }
})

test('whatever is read has three parts from 0 to 255', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 30 }), fc.constantFrom('rgb(', 'hsl(', '#', ''), (text, start) => {
      for (const part of parseColour(start + text) ?? []) {
        expect(Number.isInteger(part)).toBe(true)
        expect(part).toBeGreaterThanOrEqual(0)
        expect(part).toBeLessThanOrEqual(255)
      }
    }),
  )
})

test('text is black on light colours and white on dark ones', () => {
  expect(readableOn([255, 215, 0])).toEqual([0, 0, 0])
  expect(readableOn([31, 79, 224])).toEqual([255, 255, 255])
  expect(mixed([0, 0, 0], [255, 255, 255], 0.5)).toEqual([128, 128, 128])
})
