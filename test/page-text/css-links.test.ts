import { expect, test } from 'vitest'
import { mapCssUrls } from '../../src/page-text/css-links.ts'
import { growthOf, LINEAR_GROWTH } from '../support/growth.ts'

test.each([
  ['a { background: url(/a.png) }', 'a { background: url("/b.png") }'],
  ['a { background: url( "/a.png" ) }', 'a { background: url("/b.png") }'],
  ["a { background: url('/a.png'), url(/c.png) }", 'a { background: url("/b.png"), url(/c.png) }'],
  ['a { content: "/a.png" }', 'a { content: "/a.png" }'],
])('the style %s is mapped to %s', (css, expected) => {
  expect(mapCssUrls(css, (target) => (target === '/a.png' ? '/b.png' : target))).toBe(expected)
})

test('an address takes time that grows with its blanks', () => {
  const growth = growthOf(
    (size) => `url(a${' '.repeat(size)}b)`,
    (css) => mapCssUrls(css, (target) => target),
  )
  expect(growth).toBeLessThan(LINEAR_GROWTH)
})
