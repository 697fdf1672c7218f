import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  pathOfKey,
  readRedirectPath,
  redirectHref,
  redirectKey,
  toPathList,
} from '../../src/domain/redirect-path.ts'
import { isSafeKey } from '../../src/domain/storage-key.ts'

const segment = fc.oneof(
  fc.stringMatching(/^[a-z0-9~-][a-z0-9_~-]{0,8}$/),
  fc.constantFrom('', '.', '..', '_assets', 'index.html', '404.html', 'a.html', 'sitemap.xml', 'Über', '%2e'),
)
const written = fc.oneof(
  fc.array(segment, { maxLength: 18 }).map((segments) => `/${segments.join('/')}`),
  fc.string({ unit: 'grapheme' }),
)

test('whatever is written, a path that leads to a page is a safe one that nothing of Quoin lies at', () => {
  fc.assert(
    fc.property(written, (text) => {
      const path = readRedirectPath(text)
      if (path === null) return
      expect(readRedirectPath(path)).toBe(path)
      const key = redirectKey(path)
      expect(isSafeKey(key)).toBe(true)
      expect(key).toMatch(/\.html$/)
      expect(key).not.toMatch(/^_|(^|\/)\.|^(404|index)\.html$/)
      expect(pathOfKey(key)).toBe(path)
    }),
  )
})

test('from wherever it lies, and wherever the site is served, it leads to the page', () => {
  const root = 'https://example.org/some/site'
  fc.assert(
    fc.property(written, fc.constantFrom('/', '/docs', '/docs/install'), (text, to) => {
      const from = readRedirectPath(text)
      if (from === null) return
      const asked = `${root}${from}${from.endsWith('.html') ? '' : '/'}`
      expect(new URL(redirectHref(from, to), asked).href).toBe(`${root}${to === '/' ? '' : to}/`)
    }),
  )
})

test.each([
  ['/old/', '/old'],
  ['/old/index.html', '/old'],
  ['/2019/05/post.html', '/2019/05/post.html'],
])('the path %s is read as %s', (text, path) => {
  expect(readRedirectPath(text)).toBe(path)
})

test('a value that is not a list is one path, and a value that is not text becomes JSON', () => {
  expect(toPathList('/a')).toEqual(['/a'])
  expect(toPathList(['/a', 5, null, { b: 1 }])).toEqual(['/a', '5', 'null', '{"b":1}'])
  expect([toPathList(undefined), toPathList(null)]).toEqual([[], []])
})
