import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  pathFolder,
  publicPath,
  readSubroute,
  relativeFile,
  relativeHref,
  withoutOuterSlashes,
} from '../../src/domain/route.ts'
import { readSlug } from '../../src/domain/slug.ts'

const slug = fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,10}$/)
const subroute = fc.array(slug, { maxLength: 4 }).map((segments) => segments.join('/'))
const path = fc.record({ subroute, slug }).map((address) => publicPath(address, {}))

/** Resolves a link on the page at `from` as a browser does. */
const followed = (from: string, href: string) =>
  new URL(href, `https://site.example${from === '/' ? '/' : `${from}/`}`).pathname

describe('slugs and subroutes', () => {
  test.each([
    ['Install', 'install'],
    ['a-1', 'a-1'],
    ['2026', '2026'],
    ['---', null],
    ['', null],
    ['a b', null],
    ['a/b', null],
    ['ümlaut', null],
    ['a'.repeat(101), null],
  ])('the slug %j is stored as %j', (written, stored) => {
    expect(readSlug(written, 'standard')).toBe(stored)
  })

  test.each([
    ['', ''],
    ['/', ''],
    ['/Docs/Guides/', 'docs/guides'],
    ['docs//guides', null],
    ['../up', null],
    ['a/b/c/d/e/f/g/h', 'a/b/c/d/e/f/g/h'],
    ['a/b/c/d/e/f/g/h/i', null],
  ])('the subroute %j is stored as %j', (written, stored) => {
    expect(readSubroute(written, 'standard')).toBe(stored)
  })

  test('the stored form reads as itself', () => {
    fc.assert(
      fc.property(slug, subroute, (name, folder) => {
        expect(readSlug(name, 'standard')).toBe(name)
        expect(readSubroute(folder, 'standard')).toBe(folder)
      }),
    )
  })

  test('slashes are taken off both ends only, however many there are', () => {
    expect(withoutOuterSlashes('//a/b///')).toBe('a/b')
    expect(withoutOuterSlashes('/'.repeat(1_000_000))).toBe('')
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(withoutOuterSlashes(`//${text}/`)).toBe(text.replace(/^\/+/, '').replace(/\/+$/, ''))
      }),
    )
  })
})

describe('the path of a page', () => {
  test.each([
    [{ subroute: 'docs', slug: 'install' }, {}, '/docs/install'],
    [{ subroute: 'docs', slug: 'index' }, {}, '/docs'],
    [{ subroute: '', slug: 'index' }, {}, '/'],
    [{ subroute: '', slug: 'about' }, {}, '/about'],
    [{ subroute: 'docs', slug: 'install' }, { docs: 'help/center' }, '/help/center/install'],
    [{ subroute: 'docs', slug: 'install' }, { docs: '/' }, '/install'],
    [{ subroute: 'docs', slug: 'index' }, { docs: '/' }, '/'],
    [{ subroute: 'docs/api', slug: 'a' }, { docs: 'help' }, '/docs/api/a'],
    [{ subroute: 'docs', slug: 'a' }, { docs: 'not a path' }, '/docs/a'],
    [{ subroute: 'constructor', slug: 'a' }, {}, '/constructor/a'],
  ])('is, for %j with the routes %j, the path %s', (address, routes, expected) => {
    expect(publicPath(address, routes)).toBe(expected)
  })

  test('its files are in the folder of the same name', () => {
    expect(pathFolder('/')).toBe('')
    expect(pathFolder('/docs/install')).toBe('docs/install/')
  })
})

describe('relative links', () => {
  test('lead from any page to any page, wherever the site is served', () => {
    fc.assert(
      fc.property(path, path, fc.constantFrom('', '/folder', '/a/b'), (from, to, base) => {
        const expected = to === '/' ? `${base}/` : `${base}${to}/`
        expect(followed(`${base}${from}`.replace(/(.)\/$/, '$1'), relativeHref(from, to))).toBe(expected)
      }),
    )
  })

  test('lead from any page to any file', () => {
    fc.assert(
      fc.property(path, slug, (from, name) => {
        expect(followed(from, relativeFile(from, `_assets/${name}.css`))).toBe(`/_assets/${name}.css`)
      }),
    )
  })

  test('a page links to itself by its own folder', () => {
    expect(relativeHref('/', '/')).toBe('./')
    expect(relativeHref('/docs/install', '/docs/install')).toBe('../../docs/install/')
  })
})
