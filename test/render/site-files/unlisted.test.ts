import { expect, test } from 'vitest'
import { isUnlisted } from '../../../src/render/site-files/unlisted.ts'

test.each(['noindex', 'NoIndex', 'nofollow, noindex', 'none', 'noindex,noarchive', 'googlebot: noindex'])(
  'a page with the robots value %j is in no list of pages',
  (robots) => {
    expect(isUnlisted({ page: { meta: { robots } }, path: '/a', settings: { locales: [] } })).toBe(true)
  },
)

test.each(['', 'index, follow', 'nofollow', 'noimageindex', 'nonexistent', 'all'])(
  'a page with the robots value %j is listed',
  (robots) => {
    expect(isUnlisted({ page: { meta: { robots } }, path: '/a', settings: { locales: [] } })).toBe(false)
  },
)

test('a page without a robots value is listed', () => {
  expect(isUnlisted({ page: { meta: {} }, path: '/docs/404', settings: { locales: [] } })).toBe(false)
})

test('the page for unknown paths is in no list of pages', () => {
  expect(isUnlisted({ page: { meta: {} }, path: '/404', settings: { locales: [] } })).toBe(true)
})
