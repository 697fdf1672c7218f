import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { PageId } from '../../src/domain/ids.ts'
import { readRedirectPath } from '../../src/domain/redirect-path.ts'
import {
  endHref,
  objectKind,
  placeRedirects,
  type RedirectTarget,
  readRedirectTarget,
  type SiteRedirect,
} from '../../src/domain/site-redirect.ts'

const OBJECTS = new Map([
  ['index.html', 'page'],
  ['docs/a/index.html', 'page'],
  ['blog/index.html', 'listing'],
  ['feed.xml', 'site'],
  ['openapi.json', 'site'],
] as const)

const site = {
  pathOf: (page: PageId) => (page === 'a' ? '/docs/a' : null),
  kindAt(key: string) {
    const owner = (OBJECTS as ReadonlyMap<string, 'page' | 'listing' | 'site'>).get(key)
    return owner === undefined ? null : objectKind(key, owner)
  },
  pageBehind: () => null,
  isTaken: (key: string) => (OBJECTS as ReadonlyMap<string, unknown>).has(key),
}

describe('the target of a redirect', () => {
  test.each([
    ['/docs/a', { kind: 'path', path: '/docs/a', fragment: null }],
    ['/docs/a/index.html', { kind: 'path', path: '/docs/a', fragment: null }],
    ['/docs/a/#x%20y', { kind: 'path', path: '/docs/a', fragment: 'x y' }],
    ['/', { kind: 'path', path: '/', fragment: null }],
    ['/%C3%BCber', { kind: 'path', path: '/über', fragment: null }],
    ['https://example.org/a?b#c', { kind: 'url', url: 'https://example.org/a?b#c' }],
  ])('may be written as %s', (written, target) => {
    expect(readRedirectTarget(written)).toEqual(target)
  })

  test.each([
    '',
    'docs/a',
    '//example.org',
    'http://example.org',
    'javascript:alert(1)',
    'https://user:secret@example.org',
    '/a?b=c',
    '/a/*',
    '/%ff',
    '/a%2Fb',
    `/${'a'.repeat(3_000)}`,
  ])('can never be written as %s', (written) => {
    expect(readRedirectTarget(written)).toBeNull()
  })
})

describe('redirects of a site', () => {
  const paths = [
    '/a',
    '/b',
    '/c',
    '/d',
    '/e.xml',
    '/f.json',
    '/g.html',
    '/docs/a',
    '/feed.xml',
    '/Blog',
    '/e.xml/x',
    '/x/y',
    '/x/z',
  ]
  const target = fc.oneof(
    fc.constantFrom<RedirectTarget>(
      { kind: 'url', url: 'https://example.org/' },
      { kind: 'page', pageId: 'a' as PageId, fragment: null },
      { kind: 'page', pageId: 'b' as PageId, fragment: 'x' },
    ),
    fc.constantFrom(...paths, '/', '/docs/a#s', '/blog', '/openapi.json').map((path) => {
      const read = readRedirectTarget(path)
      if (read === null) throw new Error(path)
      return read
    }),
  )
  const redirects = fc.array(fc.record({ from: fc.constantFrom(...paths), to: target }), { maxLength: 12 })

  test('each answers once with its end, and never in place of something else', () => {
    fc.assert(
      fc.property(redirects, (all: readonly SiteRedirect[]) => {
        const placed = placeRedirects(all, site)
        expect(placed.map(({ redirect }) => redirect)).toEqual(all)
        const keys = placed.flatMap(({ key }) => key ?? [])
        expect(new Set(keys).size).toBe(keys.length)
        for (const { key, end } of placed) {
          if (key === null) continue
          expect(site.isTaken(key)).toBe(false)
          // No file stands where another redirect needs a folder.
          expect(keys.some((other) => other.startsWith(`${key}/`))).toBe(false)
          if (end?.kind !== 'url') expect(site.kindAt(end?.key ?? '')).toBe(end?.kind)
        }
        // Only what has no end, or another owner of its path, has no object.
        for (const { key, end, redirect } of placed) {
          if (key !== null || end === null) continue
          const path = redirect.from.toLowerCase()
          const isOwned = ['/docs/a', '/feed.xml', '/blog'].includes(path)
          const isSecond = all.find(({ from }) => from.toLowerCase() === path) !== redirect
          expect(isOwned || isSecond || /^\/e\.xml/.test(path)).toBe(true)
        }
      }),
    )
  })

  test('links are relative, so that they work under any base path', () => {
    const [placed] = placeRedirects(
      [{ from: readRedirectPath('/x/y') ?? '', to: { kind: 'path', path: '/docs/a', fragment: 'ü b' } }],
      site,
    )
    const end = placed?.end
    if (end == null) throw new Error('The redirect has no end.')
    expect(endHref(end, 2)).toBe('../../docs/a/#%C3%BC%20b')
    expect(endHref(end, null)).toBe('/docs/a/#%C3%BC%20b')
  })
})
