import { expect, test } from 'vitest'
import { isUnlisted } from '../../../src/render/site-files/unlisted.ts'

test.each(['noindex', 'NoIndex', 'nofollow, noindex', 'none', 'noindex,noarchive', 'googlebot: noindex'])(
  'a page with the robots value %j is in no list of pages',
  (robots) => {
    expect(isUnlisted({ meta: { robots } })).toBe(true)
  },
)

test.each(['', 'index, follow', 'nofollow', 'noimageindex', 'nonexistent', 'all'])(
  'a page with the robots value %j is listed',
  (robots) => {
    expect(isUnlisted({ meta: { robots } })).toBe(false)
  },
)

test('a page without a robots value is listed', () => {
  expect(isUnlisted({ meta: {} })).toBe(false)
})
