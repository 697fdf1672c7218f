import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  absoluteLinks,
  authorHref,
  pagePath,
  prefixedLinks,
  relativeLinks,
} from '../../../src/render/links/links.ts'
import { anyUrl } from '../../support/live-page.ts'
import { runs } from '../../support/long-form.ts'

const MOUNTS = [
  'https://acme.example/',
  'https://cdn.example/public/proj_x/',
  'https://acme.example/help/centre/',
]
const SAFE = ['http:', 'https:', 'mailto:', 'tel:']

const anyPath = fc
  .array(fc.stringMatching(/^[a-z0-9-]{1,6}$/), { maxLength: 4 })
  .map((segments) => `/${segments.join('/')}`)
const anyMount = fc.constantFrom(...MOUNTS)
const anyKind = fc.constantFrom('link', 'image')
const anyWritten = fc.oneof(anyUrl(), fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }))

/** URL of a page: its path ends with a slash. */
function urlOf(path: string, mount: string): string {
  return new URL(path === '/' ? '' : `${path.slice(1)}/`, mount).href
}

describe('relative links', () => {
  test('reach every page from every page, wherever the site is mounted', () => {
    fc.assert(
      fc.property(anyPath, anyPath, anyMount, (from, to, mount) => {
        const href = relativeLinks(from).page(to)
        expect(new URL(href, urlOf(from, mount)).href).toBe(urlOf(to, mount))
      }),
    )
  })

  test('reach every file from every page, wherever the site is mounted', () => {
    fc.assert(
      fc.property(anyPath, anyMount, (from, mount) => {
        const href = relativeLinks(from).file('_assets/theme.1f2e.css')
        expect(new URL(href, urlOf(from, mount)).href).toBe(`${mount}_assets/theme.1f2e.css`)
      }),
    )
  })
})

test('previews load assets from one prefix and link pages with another', () => {
  const links = prefixedLinks({ pages: '/public/proj_x/', files: '/render/' })
  expect(links.page('/docs/install')).toBe('/public/proj_x/docs/install/')
  expect(links.page('/')).toBe('/public/proj_x/')
  expect(links.file('_assets/theme.css')).toBe('/render/_assets/theme.css')
  expect(links.file('images/a.png')).toBe('/public/proj_x/images/a.png')
})

test('documents served at any depth have absolute links', () => {
  const links = absoluteLinks('https://acme.example')
  expect(links.page('/')).toBe('https://acme.example/')
  expect(links.page('/docs')).toBe('https://acme.example/docs/')
  expect(links.file('a.png')).toBe('https://acme.example/a.png')
})

describe('the URL of an author', () => {
  const links = relativeLinks('/docs/install')

  test.each([
    ['https://example.com/a?b#c', 'https://example.com/a?b#c'],
    ['HTTPS://EXAMPLE.com', 'HTTPS://EXAMPLE.com'],
    ['//example.com/a', 'https://example.com/a'],
    ['mailto:a@b.example?subject=Hi there', 'mailto:a@b.example?subject=Hi%20there'],
    ['tel:+49 30 1234', 'tel:+49%2030%201234'],
    ['/', '../../'],
    ['/docs/setup', '../../docs/setup/'],
    ['/docs/setup/#linux', '../../docs/setup/#linux'],
    ['/docs/setup?tab=2#linux', '../../docs/setup/?tab=2#linux'],
    ['/images/a b.png', '../../images/a%20b.png'],
    ['/feed.xml', '../../feed.xml'],
    ['/../../up', '../../up/'],
    ['/%2E%2e/up', '../../up/'],
    ['/.//evil.example', '../../evil.example'],
    ['#top', '#top'],
    ['setup', 'setup'],
    ['../setup/', '../setup/'],
    ['?tab=2', '?tab=2'],
    ['  /docs  ', '../../docs/'],
  ])('%j is printed as %j', (raw, href) => {
    expect(authorHref(raw, links, 'link')).toBe(href)
  })

  test.each([
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    ' javascript:alert(1)',
    '\u0001javascript:alert(1)',
    'java\tscript:alert(1)',
    'java\nscript:alert(1)',
    'java&#115;cript:alert(1)',
    '&#x6A;avascript:alert(1)',
    'javascript&colon;alert(1)',
    'java&Tab;script:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://example.com/x',
    'about:blank',
    ':x',
    '\\\\example.com',
    '/\\example.com',
    'https:\\\\example.com',
    'https:example.com',
    'https:///example.com',
    'https://',
    'https://exa mple.com',
    '//',
    '///example.com',
    '',
    '   ',
  ])('is dropped when it is %j', (raw) => {
    expect(authorHref(raw, links, 'link')).toBeNull()
  })

  test('a path is never read as a scheme, not even on the home page', () => {
    expect(authorHref('/javascript:alert(1)', relativeLinks('/'), 'link')).toBe('./javascript:alert(1)/')
  })

  test.each(['mailto:a@b.example', 'tel:1', '#top', '/'])('%j is refused as an image', (raw) => {
    expect(authorHref(raw, links, 'image')).toBeNull()
  })

  test('an image is a file, with an extension or without', () => {
    expect(authorHref('/images/logo', links, 'image')).toBe('../../images/logo')
  })

  test('every URL that is printed is safe', () => {
    fc.assert(
      fc.property(anyWritten, anyKind, anyPath, anyMount, (raw, kind, from, mount) => {
        const href = authorHref(raw, relativeLinks(from), kind)
        if (href === null) return
        const { protocol } = new URL(href, urlOf(from, mount))
        expect(kind === 'link' ? SAFE : SAFE.slice(0, 2)).toContain(protocol)
        expect(href).not.toMatch(/[\\"<>`\s]/)
      }),
      { numRuns: runs(3000) },
    )
  })

  test('a root-relative URL stays on the site, wherever it is mounted', () => {
    fc.assert(
      fc.property(anyWritten, anyKind, anyPath, anyMount, (written, kind, from, mount) => {
        const raw = `/${written.replace(/^[\s/\\]+/, '')}`
        const href = authorHref(raw, relativeLinks(from), kind)
        if (href === null) return
        expect(new URL(href, urlOf(from, mount)).href.startsWith(mount)).toBe(true)
      }),
      { numRuns: runs(3000) },
    )
  })

  test('a relative URL leads to the same target as a root-relative one', () => {
    fc.assert(
      fc.property(anyPath, anyPath, anyMount, (from, to, mount) => {
        const href = authorHref(to, relativeLinks(from), 'link')
        expect(new URL(String(href), urlOf(from, mount)).href).toBe(urlOf(to, mount))
      }),
    )
  })

  test('mapping a URL twice changes nothing', () => {
    fc.assert(
      fc.property(anyWritten, anyKind, anyPath, (raw, kind, from) => {
        const href = authorHref(raw, relativeLinks(from), kind)
        if (href !== null) expect(authorHref(href, relativeLinks(from), kind)).toBe(href)
      }),
    )
  })
})

test.each([
  ['/docs', '/docs'],
  ['/docs/?a#b', '/docs'],
  ['/', '/'],
  ['/images/a.png', null],
  ['//example.com', null],
  ['https://example.com/docs', null],
  ['docs', null],
  ['#docs', null],
])('%j links to the page at %j', (raw, path) => {
  expect(pagePath(raw)).toBe(path)
})
